"""Conditions as alternatives: each a set of outcomes to have and a set to avoid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from branchwise.model.action import Action
from branchwise.model.conditions.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Condition,
    Happened,
    Not,
    joined_at_least,
)
from branchwise.model.problem import Problem
from branchwise.space.packed import bits

Look = Callable[[], object]
"""Called every few milliseconds of long work; raises what ends it."""


def silent_look() -> None:
    """Look after nothing: the work may take as long as it takes."""


class TooManyError(Exception):
    """There are more alternatives than we are prepared to list."""


class Term(NamedTuple):
    """One way for a condition to hold."""

    needs: int  # The outcomes that must have happened, one bit each
    avoids: int  # The outcomes that must not have happened, one bit each

    def covers(self, other: Term) -> bool:
        """Whether this holds wherever the other does."""
        return (
            self.needs & other.needs == self.needs
            and self.avoids & other.avoids == self.avoids
        )


_TRUE = Term(0, 0)


class Terms:
    """The alternatives of conditions, over the outcomes that can happen at all."""

    # Bit i of a term is outcome i of the problem. `limit` is how many alternatives a
    # condition may have before we give up; `look` is called while they are compared.

    def __init__(self, problem: Problem, limit: int, look: Look = silent_look) -> None:
        self._limit = limit
        self._look = look
        self.outcomes: list[Happened] = []
        self._by_label: dict[str, dict[str, int]] = {}
        for action in problem.actions:
            own = self._by_label[action.name] = {}
            for label in _possible_labels(action):
                own[label] = 1 << len(self.outcomes)
                self.outcomes.append(Happened(action.name, label))
        self.bits = {happened: 1 << i for i, happened in enumerate(self.outcomes)}
        self.masks = {name: sum(own.values()) for name, own in self._by_label.items()}

    def bit(self, action: str, outcome: str) -> int:
        """Return the bit of an outcome; no bit at all if it cannot happen."""
        return self._by_label[action].get(outcome, 0)

    def outcome(self, bit: int) -> Happened:
        """Return which outcome a bit stands for."""
        return self.outcomes[bit.bit_length() - 1]

    def of(self, condition: Condition, *, holds: bool = True) -> list[Term]:
        """Return the minimal ways for a condition to hold, or not to hold."""
        match condition:
            case Happened():
                return _literal(self.bits.get(condition, 0), holds=holds)
            case Attempted(action):
                return _literal(self.masks[action], holds=holds)
            case Not(inner):
                return self.of(inner, holds=not holds)
            case AllOf(parts) | AnyOf(parts):
                ways = (self.of(part, holds=holds) for part in parts)
                if isinstance(condition, AllOf) is holds:
                    return self._product(ways)
                return self._union(ways)
            case AtLeast(parts, count):
                inside = [self.of(part, holds=holds) for part in parts]
                needed = count if holds else condition.count_against
                return joined_at_least(needed, inside, self._product, self._union)
        raise TypeError(f"not a condition: {condition!r}")

    def _union(self, ways: Iterable[list[Term]]) -> list[Term]:
        found: set[Term] = set()
        for terms in ways:
            found.update(terms)
            self._check(found)
        return self._minimal(found)

    def _product(self, ways: Iterable[list[Term]]) -> list[Term]:
        found = [_TRUE]
        for terms in ways:
            if found == [_TRUE]:
                found = terms
                continue
            joined = {
                Term(a.needs | b.needs, a.avoids | b.avoids)
                for a in found
                for b in terms
                if not (a.needs | b.needs) & (a.avoids | b.avoids)
            }
            self._check(joined)
            found = self._minimal(joined)
        return found

    def _check(self, terms: set[Term]) -> None:
        if len(terms) > self._limit:
            raise TooManyError

    def _minimal(self, terms: set[Term]) -> list[Term]:
        if len(terms) <= 1:
            return list(terms)
        kept: list[Term] = []
        sizes = {term: sum(map(int.bit_count, term)) for term in terms}
        for term in sorted(terms, key=lambda term: (sizes[term], term)):
            self._look()
            if not any(other.covers(term) for other in kept):
                kept.append(term)
        return kept


def _literal(mask: int, *, holds: bool) -> list[Term]:
    """Return the ways for one of the outcomes to have happened, or for none."""
    if not holds:
        return [Term(0, mask)]
    return [Term(bit, 0) for bit in bits(mask)]


def _possible_labels(action: Action) -> list[str]:
    every = [action.outcomes, *(g.outcomes for g in action.given if g.outcomes)]
    possible = {o.label for outcomes in every for o in outcomes if o.probability}
    return [label for label in action.labels if label in possible]
