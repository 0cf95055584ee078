"""Witnesses: sets of outcomes that show what can be reached within the budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

MOST_OUTCOMES: Final = 6
_FIELD: Final = (1 << MOST_OUTCOMES) - 1
_KEPT: Final = 8


class Event(NamedTuple):
    """An outcome of an action, both by number; outcome 0 is the failure."""

    action: int
    outcome: int

    @property
    def bit(self) -> int:
        """Its place in a set of events."""
        return 1 << (self.action * MOST_OUTCOMES + self.outcome)


class Needs(NamedTuple):
    """Prerequisites: any of the events, or all of them; without events, nothing."""

    events: tuple[Event, ...] = ()
    is_or: bool = False

    def hold(self, happened: int) -> bool:
        """Return whether a set of events meets them."""
        met = (happened & event.bit != 0 for event in self.events)
        return (any if self.is_or and self.events else all)(met)

    def imply(self, others: Needs) -> bool:
        """Return whether meeting these implies meeting the others."""
        if not self.is_or:
            return others.hold(sum(event.bit for event in self.events))
        return all(others.hold(event.bit) for event in self.events)


class Witness(NamedTuple):
    """A set of events that can happen one after the other, in their numbers' order."""

    price: tuple[int, ...]  # What its actions cost of each resource.
    events: int  # One bit each.
    actions: int  # Those of the events, one bit each.

    @property
    def rank(self) -> tuple[int, int]:
        """The cheapest come first."""
        return sum(self.price), self.events


class Witnesses:
    """The cheapest witnesses of the actions known so far, within the limits."""

    def __init__(self, limits: Sequence[float]) -> None:
        self._limits = limits
        self._prices: list[tuple[int, ...]] = []
        self._needs: list[Needs] = []
        self._of: list[list[Witness]] = []

    def add(self, needs: Needs, price: tuple[int, ...]) -> bool:
        """Take note of the next action; tell whether it can be afforded."""
        self._prices.append(price)
        alone = Witness(price, 0, 1 << (len(self._prices) - 1))
        found = [self._joined(before, alone) for before in self.of(needs)]
        self._of.append(_cheapest(w for w in found if w is not None))
        self._needs.append(needs)
        return bool(self._of[-1])

    def forget(self) -> None:
        """Take the last action back."""
        for notes in (self._prices, self._needs, self._of):
            notes.pop()

    def before(self, action: int) -> Witness:
        """Return the cheapest witness of an action, with the action but no outcome."""
        return self._of[action][0]

    def of_event(self, event: Event) -> list[Witness]:
        """Return witnesses of an event."""
        return [w._replace(events=w.events | event.bit) for w in self._of[event.action]]

    def of(self, needs: Needs) -> list[Witness]:
        """Return the cheapest witnesses that prerequisites can be met, if any."""
        nothing = Witness((0,) * len(self._limits), 0, 0)
        if needs.is_or and needs.events:
            return _cheapest(w for event in needs.events for w in self.of_event(event))
        found = [nothing]
        for event in needs.events:
            pairs = product(found, self.of_event(event))
            joined = (self._joined(one, other) for one, other in pairs)
            found = _cheapest(w for w in joined if w is not None)
        return found

    def smallest(self, needs: Needs) -> list[Witness]:
        """Return witnesses of which nothing can be left out; no two are the same."""
        found = (self._without_spare(w, needs) for w in self.of(needs))
        return sorted(dict.fromkeys(found), key=lambda witness: witness.rank)

    def goes_with(self, action: int, event: Event) -> bool:
        """Return whether an action can be afforded after an event."""
        one = self.before(action)
        return any(self._joined(one, other) for other in self.of_event(event))

    def _joined(self, one: Witness, other: Witness) -> Witness | None:
        """Put two witnesses together; None where they exclude each other."""
        shared = list(_bits(one.actions & other.actions))
        different = one.events ^ other.events
        if any(different & _FIELD << (number * MOST_OUTCOMES) for number in shared):
            return None
        price = tuple(
            mine + theirs - sum(self._prices[number][i] for number in shared)
            for i, (mine, theirs) in enumerate(zip(one.price, other.price, strict=True))
        )
        if any(p > most for p, most in zip(price, self._limits, strict=True)):
            return None
        return Witness(price, one.events | other.events, one.actions | other.actions)

    def _without_spare(self, witness: Witness, needs: Needs) -> Witness:
        """Leave out, from the last event on, what is not needed."""
        for place in reversed(list(_bits(witness.events))):
            fewer = witness.events & ~(1 << place)
            if needs.hold(self._happen(fewer)):
                witness = witness._replace(events=fewer)
        actions = [place // MOST_OUTCOMES for place in _bits(witness.events)]
        prices = [self._prices[number] for number in actions]
        price = tuple(map(sum, zip(*prices, strict=True)))
        return Witness(price, witness.events, sum(1 << number for number in actions))

    def _happen(self, events: int) -> int:
        """Return those of the events that can happen without the others."""
        happened = 0
        for place in _bits(events):
            if self._needs[place // MOST_OUTCOMES].hold(happened):
                happened |= 1 << place
        return happened


def _cheapest(witnesses: Iterable[Witness]) -> list[Witness]:
    """Keep the cheapest, and none that contains another."""
    kept: list[Witness] = []
    for witness in sorted(set(witnesses), key=lambda each: each.rank):
        if all(less.events & ~witness.events for less in kept):
            kept.append(witness)
        if len(kept) == _KEPT:
            break
    return kept


def _bits(mask: int) -> Iterator[int]:
    """Return the places of the ones, the lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
