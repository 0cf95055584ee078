"""Ranges: between what each quantity that conditions compare can ever be."""

from __future__ import annotations

from collections.abc import Mapping, Set
from fractions import Fraction

from branchwise.model.budget import UNLIMITED
from branchwise.model.conditions.condition import (
    COMPARISONS,
    Attempted,
    Comparison,
    Quantity,
)
from branchwise.model.conditions.quantity import CounterValue, Left
from branchwise.model.problem import Problem

Range = tuple[Fraction | float, Fraction | float]
"""The least and the most that a quantity can be."""


class Ranges:
    """
    Between what quantities can be, given which outcomes can come up.

    >>> from branchwise.model.action import Action
    >>> probe = Action("probe", outcomes={"found": 1}, attempts=3)
    >>> ranges = Ranges(Problem([probe]))
    >>> from branchwise.model.conditions.condition_text import parse_condition
    >>> compared = parse_condition("count(probe) >= 4")
    >>> ranges.allows(compared, {"probe": {"found"}}, truth=True)
    False
    """

    def __init__(self, problem: Problem) -> None:
        self._attempts = {action.name: action.attempts for action in problem.actions}
        self._counters = {counter.name: counter for counter in problem.counters}
        self._budget = problem.budget

    def attempts(self, name: str) -> int | float:
        """Return how many outcomes an action can have; of a hidden fact, the one."""
        return self._attempts.get(name, 1)

    def allows(
        self, compared: Comparison, reached: Mapping[str, Set[str]], *, truth: bool
    ) -> bool:
        """
        Return whether a comparison can ever hold, or can ever not hold.

        What is compared moves between its ends. So `>=` and `>` can hold if they do at
        the high end, `<=` and `<` if they do at the low one, and `==` if the number is
        between; a comparison can fail to hold if its opposite can hold.
        """
        low, high = self.of(compared.quantity, reached)
        number, holds = compared.number, COMPARISONS[compared.sign]
        if compared.sign == "==":
            is_within = low <= number <= high
            return is_within if truth else not low == high == number
        return any(holds(end, number) == truth for end in (low, high))

    def of(self, quantity: Quantity, reached: Mapping[str, Set[str]]) -> Range:
        """Return between what a quantity can be."""
        if isinstance(quantity, CounterValue):
            counter = self._counters[quantity.counter]
            return Fraction(counter.low), Fraction(counter.high)
        if isinstance(quantity, Left):
            limit = self._budget[quantity.resource]
            return limit if limit == UNLIMITED else Fraction(0), limit
        event = quantity.event
        assert event is not None, "only counts are left"
        had = reached[event.action]
        can_happen = bool(had) if isinstance(event, Attempted) else event.outcome in had
        most = self._attempts[event.action] if can_happen else 0
        return Fraction(0), most if most == UNLIMITED else Fraction(most)
