"""Defenses: what they do to an attacker, what they cost, which satisfy clauses."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from branchwise.model.action import Action
from branchwise.model.budget import Limit
from branchwise.model.conditions.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Condition,
    Happened,
    Not,
)
from branchwise.model.defended_problem import hardened
from branchwise.model.defense import Defense
from branchwise.model.problem import Problem

# Of an action that more defenses change, not all combinations are looked at.
_MOST_TOGETHER: Final = 8

Probabilities = list[dict[str, Fraction]]
"""The probabilities of an action's outcomes, under each of its clauses."""


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


class Effects:
    """The defenses of a problem by their numbers; sets of them are bits of a number."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.defenses = problem.defenses
        # For every action, the defenses that have an effect on it.
        self.touching = {action.name: 0 for action in problem.actions}
        for number, defense in enumerate(self.defenses):
            for name in defense.touched:
                self.touching[name] |= 1 << number
        self._signs = _signs(problem)
        # Those that can only hurt the attacker, whatever else is in place.
        self.hurting = (1 << len(self.defenses)) - 1
        for action in problem.actions:
            self.hurting &= ~self._doubtful(action)

    def chosen(self, defenses: int) -> list[Defense]:
        """Return the defenses of a set, in order."""
        return [self.defenses[number] for number in numbers_in(defenses)]

    def combine(self, defenses: int) -> bool:
        """
        Whether it is clear what these do together.

        So it is for all that may be chosen together, and for many that may not.
        """
        chosen = self.chosen(defenses)
        changed = [action for defense in chosen for action in defense.changes]
        if len(changed) != len(set(changed)):
            return False
        scaled: dict[str, set[str]] = defaultdict(set)
        for defense in chosen:
            for action, left in defense.scales.items():
                scaled[action].update(left)
        return all(
            len(labels) < len(self.problem.action(action).labels)
            for action, labels in scaled.items()
        )

    def touching_any(self, actions: Collection[str]) -> int:
        """Return the defenses that have an effect on any of these actions."""
        return reduce(or_, (self.touching[action] for action in actions), 0)

    def _doubtful(self, action: Action) -> int:
        """Return the defenses of an action whose changes might help the attacker."""
        numbers = [
            number
            for number, defense in enumerate(self.defenses)
            if action.name in defense.changes or action.name in defense.scales
        ]
        if len(numbers) > _MOST_TOGETHER:
            return sum(1 << number for number in numbers)
        sets = [0]
        for number in numbers:
            sets += [some | 1 << number for some in sets]
        probabilities = {
            some: self._probabilities(action, some)
            for some in sets
            if self.combine(some)
        }
        doubtful = 0
        for some, before in probabilities.items():
            for number in numbers:
                after = probabilities.get(some | 1 << number)
                if after is not None and not self._is_worse(action, before, after):
                    doubtful |= 1 << number
        return doubtful

    def _probabilities(self, action: Action, defenses: int) -> Probabilities:
        hard = hardened(action, self.chosen(defenses))
        probabilities = [clause.outcomes or hard.outcomes for clause in hard.given]
        return [
            {outcome.label: outcome.probability for outcome in outcomes}
            for outcomes in (*probabilities, hard.outcomes)
        ]

    def _is_worse(
        self, action: Action, before: Probabilities, after: Probabilities
    ) -> bool:
        """
        Whether probability goes only from outcomes that are never worse to others.

        An outcome that conditions only ever wish for is never worse than one that none
        mentions, and that never worse than one that they only ever wish away.
        """
        for label in action.labels:
            signs = self._signs[Happened(action.name, label)]
            for old, new in zip(before, after, strict=True):
                rise = new.get(label, 0) - old.get(label, 0)
                if (1 in signs and rise > 0) or (-1 in signs and rise < 0):
                    return False
        return True


def _signs(problem: Problem) -> defaultdict[Condition, set[int]]:
    """Find which outcomes conditions wish for (1), and which they wish away (-1)."""
    signs: defaultdict[Condition, set[int]] = defaultdict(set)
    for condition, wish in _wishes(problem):
        pending = [(condition, wish)]
        while pending:
            part, sign = pending.pop()
            match part:
                case Not(inner):
                    pending.append((inner, -sign))
                case AllOf(parts) | AnyOf(parts) | AtLeast(parts):
                    pending += ((each, sign) for each in parts)
                case _:
                    signs[part].add(sign)
    return signs


def _wishes(problem: Problem) -> Iterator[tuple[Condition, int]]:
    """Return every condition, and whether the attacker wishes it to hold."""
    for action in problem.actions:
        yield action.requires, 1
        yield action.precluded_by, -1
        for clause in action.given:
            yield clause.when, 1
            yield clause.when, -1
    for reward in problem.rewards:
        if reward.value:
            yield reward.when, 1 if reward.value > 0 else -1
