"""Dice: random numbers that are the same on every machine."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """
    Random choices that a seed decides, in every release of Python alike.

    Of Python's generator only ``random()`` and seeds that are text are promised to
    stay as they are, so everything here is made of these. Other parts of a seed make
    other choices.

    >>> dice = Dice(7, "weather")
    >>> [dice.within(1, 6) for _ in range(5)]
    [6, 2, 3, 3, 5]
    """

    def __init__(self, *seed: object) -> None:
        self._random = Random("/".join(map(str, seed))).random

    def within(self, low: int, high: int) -> int:
        """Draw a whole number from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def comes_true(self, probability: float) -> bool:
        """Let something happen this often."""
        return self._random() < probability

    def pick(self, things: Sequence[T]) -> T:
        """Choose one thing."""
        return things[self.within(0, len(things) - 1)]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return all things, in random order."""
        deck = list(things)
        for last in range(len(deck) - 1, 0, -1):
            other = self.within(0, last)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
