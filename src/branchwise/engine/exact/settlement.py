"""Settling ties: what contenders are worth, and which of them are optimal."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm

from branchwise.engine.exact.contenders import Contender, Contenders, Link
from branchwise.model.numbers.number import Real

Look = Callable[[int], object]
"""Called with how many states are done; raises to end the work."""


class Settlement:
    """The scores of contenders, exact where these have fractions."""

    # Fractions are tied only if they are equal: they have no tolerance.

    def __init__(
        self, contenders: Contenders, tolerance: float | None, look: Look = int
    ) -> None:
        self.contenders, self._tolerance = contenders, tolerance
        self.scores: list[Real] = []
        """By place: the score of a state, less what was gained on the way."""
        self.worths: list[list[Real]] = []
        """By place: what each option is worth."""
        self.optimal: list[list[int]] = []
        """By place: the options that are optimal."""
        for place, reward in enumerate(contenders.rewards):
            look(place)
            worths = [self._worth(option) for option in contenders.options[place]]
            score = max([reward, *worths] if contenders.may_stop[place] else worths)
            tied = [at for at, worth in enumerate(worths) if self._ties(worth, score)]
            self.worths.append(worths)
            self.scores.append(score)
            self.optimal.append(tied)

    def _worth(self, option: Contender) -> Real:
        charge, expected = option.action.charge, self._expected(option.links)
        return expected - charge if charge else expected

    def _expected(self, links: tuple[Link, ...]) -> Real:
        if self._tolerance is None:
            return self._exactly_expected(links)
        total = 0.0
        for _, probability, gain, _, child in links:
            total += probability * (gain + self.scores[child])
        return total

    # One sum of whole numbers takes a fraction of the time that fractions take.
    def _exactly_expected(self, links: tuple[Link, ...]) -> Fraction:
        total, of_it = 0, 1
        for _, probability, gain, _, child in links:
            score = gain + self.scores[child] if gain else self.scores[child]
            (top, bottom), (one, part) = (
                probability.as_integer_ratio(),
                score.as_integer_ratio(),
            )
            top, bottom = top * one, bottom * part
            if bottom != of_it:
                common = lcm(bottom, of_it)
                total *= common // of_it
                top *= common // bottom
                of_it = common
            total += top
        return Fraction(total, of_it)

    def _ties(self, worth: Real, score: Real) -> bool:
        """Whether what is worth no more than the score is worth as much."""
        if self._tolerance is None:
            return worth == score
        return score - worth <= self._tolerance

    @property
    def root(self) -> int:
        """The place of the root."""
        return len(self.scores) - 1

    def is_end(self, place: int) -> bool:
        """Whether stopping is optimal, which beats acting then."""
        may_stop = self.contenders.may_stop[place]
        reward, score = self.contenders.rewards[place], self.scores[place]
        return bool(may_stop) and self._ties(reward, score)

    def makes_difference(self, place: int, option: Contender) -> bool:
        """Whether an outcome leads to where more or less is to be had."""
        here = self.scores[place]
        for link in option.links:
            there = link.gain + self.scores[link.child]
            if not self._ties(min(here, there), max(here, there)):
                return True
        return False

    def count_reduced(self) -> int:
        """Count the states in the union of all optimal trees."""
        met, pending = {self.root}, [self.root]
        while pending:
            place = pending.pop()
            options = self.contenders.options[place]
            for at in self.optimal[place]:
                new = {link.child for link in options[at].links} - met
                met |= new
                pending.extend(new)
        return len(met)
