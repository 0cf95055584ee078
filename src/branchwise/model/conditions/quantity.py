"""Quantities that conditions compare with numbers: counters, counts, what is left."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from branchwise.model.conditions.condition import (
    Attempted,
    Condition,
    Happened,
    Quantity,
    quoted,
)
from branchwise.model.conditions.facts import Facts
from branchwise.records import dataclass


@dataclass(frozen=True, slots=True)
class CounterValue(Quantity):
    """What a counter stands at."""

    counter: str

    def measured(self, outcomes: Mapping[str, Collection[str]]) -> int:
        """Return where the counter stands."""
        return _facts(outcomes).counters[self.counter]

    def __str__(self) -> str:
        return quoted(self.counter)


@dataclass(frozen=True, slots=True)
class Count(Quantity):
    """How often an outcome has come up, or an action was taken; built by `count`."""

    counted: Happened | Attempted

    @property
    def event(self) -> Happened | Attempted:
        """What is counted."""
        return self.counted

    def measured(self, outcomes: Mapping[str, Collection[str]]) -> int:
        """Return how often it has."""
        had = outcomes.get(self.counted.action, {})
        assert isinstance(had, Mapping), "to count outcomes takes their numbers"
        if isinstance(self.counted, Attempted):
            return sum(had.values())
        times: int = had.get(self.counted.outcome, 0)
        return times

    def __str__(self) -> str:
        return f"count({self.counted})"


@dataclass(frozen=True, slots=True)
class Left(Quantity):
    """What is left of a resource; built by `left`."""

    resource: str

    def measured(self, outcomes: Mapping[str, Collection[str]]) -> Fraction | float:
        """Return what is left."""
        return _facts(outcomes).left[self.resource]

    def __str__(self) -> str:
        return f"left({quoted(self.resource)})"


def count(event: Condition | Any) -> Count:
    """
    Return how often an outcome has come up, to be compared with a number.

    Examples
    --------
    >>> print(count(Happened("treat", "worse")) >= 2)
    count(treat=worse) >= 2
    >>> (count(Attempted("treat")) < 3).holds({"treat": {"worse": 1, "same": 1}})
    True
    """
    if isinstance(event, Happened | Attempted):
        return Count(event)
    attempted = getattr(event, "attempted", None)  # of an action
    if isinstance(attempted, Attempted):
        return Count(attempted)
    says = "only an outcome (`treat['worse']`) or an action can be counted"
    raise TypeError(f"{says}, not {event!r}")


def left(resource: str = "budget") -> Left:
    """
    Return what is left of a resource, to be compared with a number.

    Examples
    --------
    >>> print(left("days") >= 2)
    left(days) >= 2
    """
    return Left(resource)


def _facts(outcomes: Mapping[str, Collection[str]]) -> Facts:
    assert isinstance(outcomes, Facts), "counters and budgets are known to facts only"
    return outcomes
