"""Settling conditions: what of them is decided, and what may still change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from branchwise.model.condition import (
    ALWAYS,
    NEVER,
    AllOf,
    AnyOf,
    Attempted,
    Condition,
    Happened,
    Not,
    all_of,
    any_of,
    negation,
)

__all__ = ["IsOpen", "settled"]

IsOpen = Callable[[Happened | Attempted], bool]
"""Tells whether something that has not happened still may."""


def settled(
    condition: Condition, outcomes: Mapping[str, Collection[str]], is_open: IsOpen
) -> Condition:
    """
    Return what a condition still depends on, given the outcomes each action has had.

    Examples
    --------
    >>> condition = Happened("a", "x") & ~(Happened("b", "y") | Attempted("c"))
    >>> print(settled(condition, {"a": ["x"]}, lambda fact: fact.action == "b"))
    not b=y
    """
    match condition:
        case AllOf(conditions):
            return all_of(*(settled(part, outcomes, is_open) for part in conditions))
        case AnyOf(conditions):
            return any_of(*(settled(part, outcomes, is_open) for part in conditions))
        case Not(inner):
            return negation(settled(inner, outcomes, is_open))
        case Happened() | Attempted():
            if condition.holds(outcomes):
                return ALWAYS
            return condition if is_open(condition) else NEVER
    raise TypeError(f"not a condition: {condition!r}")
