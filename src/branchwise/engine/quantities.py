"""Quantities as the core counts them: each a counter from 0 up, changed by effects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.conditions.condition import (
    Attempted,
    Comparison,
    Condition,
    Quantity,
)
from branchwise.model.conditions.quantity import Count, CounterValue, Left
from branchwise.model.outcome import Outcome
from branchwise.model.problem import Problem
from branchwise.space.problem_space import clauses

MOST_UNITS: Final = 2**60
"""Amounts are kept in 64 bits; the headroom lets the core add a few without care."""


class CountedRange(NamedTuple):
    """Where a counter of the core lies: from 0 to its size, `low` below what it is."""

    low: int
    size: int
    start: int  # Above the low end
    scale: int  # So many units make one of what is counted


class Thresholds(NamedTuple):
    """
    A comparison: the quantity is at least one number, and not at least another.

    >>> from branchwise.model.counter import Counter
    >>> harm = Counter("harm", low=0, high=5)
    >>> thresholds_of(harm < 3)
    Thresholds(least=None, above=3)
    >>> thresholds_of(harm.equals(2))
    Thresholds(least=2, above=3)
    """

    least: int | None
    above: int | None


def thresholds_of(comparison: Condition, scale: int = 1) -> Thresholds | None:
    """Return what a comparison asks for, in units; None if that never holds."""
    assert isinstance(comparison, Comparison)
    number = comparison.number * scale
    up, beyond = math.ceil(number), math.floor(number) + 1
    match comparison.sign:
        case ">=":
            return Thresholds(up, None)
        case ">":
            return Thresholds(beyond, None)
        case "<=":
            return Thresholds(None, beyond)
        case "<":
            return Thresholds(None, up)
    return Thresholds(up, beyond) if up < beyond else None


class Quantities:
    """The quantities that conditions of a problem compare, as counters of the core."""

    # What nothing compares is not counted. What is left of an unlimited resource is no
    # counter: it is more than any number.

    def __init__(self, problem: Problem, conditions: Iterable[Condition]) -> None:
        self._problem = problem
        self._counters = {counter.name: counter for counter in problem.counters}
        compared: dict[Quantity, list[Comparison]] = {}
        for condition in conditions:
            for each in condition.comparisons():
                if not self._is_endless(each.quantity):
                    compared.setdefault(each.quantity, []).append(each)
        self.ranges = {q: self._range(q, found) for q, found in compared.items()}
        """By quantity, in the order of the core's counters."""
        self.numbers = {quantity: i for i, quantity in enumerate(self.ranges)}
        """By quantity: the number of its counter."""
        self._places = {action.name: i for i, action in enumerate(problem.actions)}
        self._counts: dict[str, list[Quantity]] = {}  # By action
        self._others: list[Quantity] = []  # What any action may change
        for quantity in self.ranges:
            if isinstance(quantity, Count):
                of_action = self._counts.setdefault(quantity.counted.action, [])
                of_action.append(quantity)
            else:
                self._others.append(quantity)
        self._changers = {q: self._actions_that_change(q) for q in self.ranges}

    def _is_endless(self, quantity: Quantity) -> bool:
        limits = self._problem.budget
        return isinstance(quantity, Left) and not isinstance(
            limits[quantity.resource], Fraction
        )

    def _range(self, quantity: Quantity, compared: list[Comparison]) -> CountedRange:
        if isinstance(quantity, CounterValue):
            counter = self._counters[quantity.counter]
            size = counter.high - counter.low
            return CountedRange(counter.low, size, counter.start - counter.low, 1)
        if isinstance(quantity, Left):
            return self._range_of_left(quantity)
        # Beyond the largest number that it is compared with, all counts are alike.
        asked = [t for each in compared for t in thresholds_of(each) or ()]
        return CountedRange(0, max([0, *(t for t in asked if t is not None)]), 0, 1)

    def _range_of_left(self, quantity: Left) -> CountedRange:
        limit = self._problem.budget[quantity.resource]
        costs = (c for action in self._problem.actions for c in action.every_cost())
        parts = (cost.of(quantity.resource).denominator for cost in costs)
        assert isinstance(limit, Fraction)
        scale = math.lcm(limit.denominator, *parts)
        size = int(limit * scale)
        if size >= MOST_UNITS:
            raise LimitError(
                f"what is left of {quantity.resource} is too fine to be counted in 64 "
                "bits, which only the engine `reference` does not do"
            )
        return CountedRange(0, size, size, scale)

    def change(
        self, quantity: Quantity, action: Action, cost: Amounts, outcome: Outcome
    ) -> int:
        """Return by how much an outcome changes a counter, in its units."""
        if isinstance(quantity, CounterValue):
            name = quantity.counter
            return action.effects.get(name, 0) + outcome.effects.get(name, 0)
        if isinstance(quantity, Left):
            paid = cost.of(quantity.resource) + outcome.cost.of(quantity.resource)
            scale, size = self.ranges[quantity].scale, self.ranges[quantity].size
            return -min(int(paid * scale), size)
        assert isinstance(quantity, Count)
        counted = quantity.counted
        if counted.action != action.name:
            return 0
        is_counted = isinstance(counted, Attempted) or counted.outcome == outcome.label
        return int(is_counted)

    def effects(self, action: Action, cost: Amounts) -> list[list[tuple[int, int]]]:
        """Return the changes by outcome, each a counter's number and by how much."""
        if not self.ranges:
            return []
        return [
            [
                (self.numbers[quantity], change)
                for quantity in self._changed_by(action)
                if (change := self.change(quantity, action, cost, outcome))
            ]
            for outcome in action.outcomes
        ]

    def _changed_by(self, action: Action) -> list[Quantity]:
        """Return the quantities that an action may change, in their order."""
        own = self._counts.get(action.name)
        if own is None:
            return self._others
        return sorted([*own, *self._others], key=self.numbers.__getitem__)

    def changers(self, quantity: Quantity) -> tuple[list[int], list[int]]:
        """Return the actions that may raise a counter, and those that may lower it."""
        return self._changers[quantity]

    def _actions_that_change(self, quantity: Quantity) -> tuple[list[int], list[int]]:
        raising, lowering = [], []
        numbers: Iterable[int] = range(len(self._problem.actions))
        if isinstance(quantity, Count):
            # Only itself: there may be a count for every action.
            numbers = [self._places[quantity.counted.action]]
        for number in numbers:
            action = self._problem.actions[number]
            changes = list(self._changes(quantity, action))
            if any(change > 0 for change in changes):
                raising.append(number)
            if any(change < 0 for change in changes):
                lowering.append(number)
        return raising, lowering

    def _changes(self, quantity: Quantity, action: Action) -> Iterator[int]:
        for _, cost, _ in clauses(action):
            for outcome in action.outcomes:
                yield self.change(quantity, action, cost, outcome)
