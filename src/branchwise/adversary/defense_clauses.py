"""Choosing defenses that satisfy clauses, as cheaply as possible."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from branchwise.model.budget import Limit
from branchwise.model.problem import Problem


def numbers_in(defenses: int) -> Iterator[int]:
    """Return the numbers of the defenses in a set, which are its bits."""
    while defenses:
        lowest = defenses & -defenses
        yield lowest.bit_length() - 1
        defenses ^= lowest


class Clause(NamedTuple):
    """What must be true of any set of defenses that is to be better than some value."""

    some_of: int  # it has one of these ...
    not_all_of: int  # ... or lacks one of these;
    value: float | Fraction  # else the attacker's optimum is at least this

    def is_satisfied(self, defenses: int) -> bool:
        """Whether a set of defenses has, or lacks, what it must."""
        return bool(defenses & self.some_of or ~defenses & self.not_all_of)


class Rank(NamedTuple):
    """How sets that are equally good compare: by cost, number and the file's order."""

    cost: int
    size: int
    numbers: tuple[int, ...]


class Choices:
    """
    The sets of defenses that may be chosen.

    Costs are counted in the largest unit that all are multiples of.
    """

    def __init__(self, problem: Problem) -> None:
        defenses = problem.defenses
        self.scale = math.lcm(*(d.cost.denominator for d in defenses))
        self.costs = [int(defense.cost * self.scale) for defense in defenses]
        self.excluded = [
            sum(
                1 << number
                for number, other in enumerate(defenses)
                if other is not one and not one.is_compatible(other)
            )
            for one in defenses
        ]

    def units(self, budget: Limit) -> int:
        """Count a budget in units, as far as it can matter."""
        if not isinstance(budget, Fraction):
            return sum(self.costs)
        return min(math.floor(budget * self.scale), sum(self.costs))

    def amount(self, units: int) -> Fraction:
        """Return how much so many units are."""
        return Fraction(units, self.scale)

    def cost(self, defenses: int) -> int:
        """Add up what defenses cost, in units."""
        return sum(self.costs[number] for number in numbers_in(defenses))

    def rank(self, defenses: int) -> Rank:
        """Return how a set compares with others that are equally good."""
        numbers = tuple(numbers_in(defenses))
        return Rank(self.cost(defenses), len(numbers), numbers)

    def may_add(self, defenses: int, units: int) -> Iterator[int]:
        """Return the defenses that could be chosen too, within a budget."""
        left = units - self.cost(defenses)
        for number, cost in enumerate(self.costs):
            is_free = not defenses & (self.excluded[number] | 1 << number)
            if is_free and cost <= left:
                yield number

    def count(self, units: int, most: int) -> int | None:
        """Count the sets within a budget; None if there may be more than this many."""
        if not any(self.excluded):
            by_cost = [1, *([0] * units)]
            for cost in self.costs:
                for total in range(units, cost - 1, -1):
                    by_cost[total] += by_cost[total - cost]
            return sum(by_cost)
        sets = [0]
        for number, cost in enumerate(self.costs):
            sets += [
                some | 1 << number
                for some in sets
                if not some & self.excluded[number] and self.cost(some) + cost <= units
            ]
            if len(sets) > most:
                return None
        return len(sets)

    def are_compatible(self, defenses: int) -> bool:
        """Whether all of these may be chosen together."""
        return not any(
            defenses & self.excluded[number] for number in numbers_in(defenses)
        )

    def cheapest(
        self,
        clauses: Sequence[Clause],
        units: int,
        has: int = 0,
        lacks: int = 0,
        below: Rank | None = None,
    ) -> int | None:
        """
        Find a cheapest set that satisfies all clauses; None if there is none.

        It has and lacks these. If it must come before a rank, it is the first of all,
        and not only one of the cheapest.
        """
        if not self.are_compatible(has) or has & lacks:
            return None
        search = _Cheapest(self, clauses, units, below)
        for number in numbers_in(has):
            lacks |= self.excluded[number]
        search.look(has, lacks, self.cost(has))
        return search.best


class _Cheapest:
    """Depth first: take one of what a clause wants; or not that, but another one."""

    def __init__(
        self,
        choices: Choices,
        clauses: Sequence[Clause],
        units: int,
        below: Rank | None,
    ) -> None:
        self._choices = choices
        self._costs = choices.costs
        self._clauses = sorted(clauses, key=lambda c: c.some_of.bit_count())
        self._units = units
        self._below = below
        self.best: int | None = None

    def look(self, chosen: int, lacks: int, cost: int) -> None:
        open_clauses = [c for c in self._clauses if not c.is_satisfied(chosen)]
        if not open_clauses:
            if self._is_better(cost, chosen):
                self._take(chosen, cost)
            return
        if not self._is_worth(cost + self._least(open_clauses, lacks), chosen):
            return
        wanted = min(
            (clause.some_of & ~lacks for clause in open_clauses), key=int.bit_count
        )
        for number in sorted(numbers_in(wanted), key=self._costs.__getitem__):
            without = lacks | self._choices.excluded[number]
            self.look(chosen | 1 << number, without, cost + self._costs[number])
            lacks |= 1 << number

    def _take(self, chosen: int, cost: int) -> None:
        self.best = chosen
        if self._below is not None:
            self._below = self._choices.rank(chosen)
        else:  # Another one must be cheaper.
            self._units = cost - 1

    def _is_worth(self, least: int, chosen: int) -> bool:
        """Whether a set that has these, and costs so much, could be better."""
        rank = (least, chosen.bit_count() + 1)
        return least <= self._units and (self._below is None or rank <= self._below[:2])

    def _is_better(self, cost: int, chosen: int) -> bool:
        is_first = self._below is None or self._choices.rank(chosen) < self._below
        return cost <= self._units and is_first

    def _least(self, clauses: Sequence[Clause], lacks: int) -> int:
        """Bound what the open clauses cost, by some that have nothing in common."""
        total, taken = 0, 0
        for clause in clauses:
            wanted = clause.some_of & ~lacks
            if not wanted:
                return self._units + 1
            if not wanted & taken:
                taken |= wanted
                total += min(self._costs[number] for number in numbers_in(wanted))
        return total
