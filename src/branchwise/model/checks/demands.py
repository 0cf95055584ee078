"""What conditions demand: which actions and outcomes, and which leave no choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from branchwise.model.action import Action
from branchwise.model.condition import NEVER, AllOf, Attempted, Condition, Happened, Not

Wanted = tuple[Condition, bool]
"""A condition, and whether it must hold or must not."""

Known = tuple[Happened | Attempted, bool]
"""An action or an outcome, and whether it must have happened or must not have."""


def wanted_by(action: Action) -> tuple[Wanted, Wanted]:
    """Return what an action waits for."""
    return (action.requires, True), (action.precluded_by, False)


def literals(condition: Condition, *, truth: bool = True) -> Iterator[Known]:
    """Return every action and outcome that matters to a condition, and how."""
    pending: list[Wanted] = [(condition, truth)]
    while pending:
        part, wanted = pending.pop()
        if isinstance(part, Happened | Attempted):
            yield part, wanted
        wanted ^= isinstance(part, Not)
        pending.extend((inner, wanted) for inner in reversed(part.parts()))


def forced(wanted: Iterable[Wanted]) -> Iterator[Known]:
    """Return the actions and outcomes to which the conditions leave no alternative."""
    for condition, truth in conjuncts(wanted):
        if isinstance(condition, Happened | Attempted):
            yield condition, truth


def conjuncts(wanted: Iterable[Wanted]) -> Iterator[Wanted]:
    """Take conditions apart into what must be so and what leaves a choice."""
    pending = [each for each in wanted if each[0] is not NEVER or each[1]][::-1]
    while pending:
        condition, truth = pending.pop()
        if isinstance(condition, Not):
            pending.append((condition.condition, not truth))
        elif isinstance(condition, Happened | Attempted):
            yield condition, truth
        elif isinstance(condition, AllOf) == truth:
            pending.extend((part, truth) for part in reversed(condition.parts()))
        elif len(condition.parts()) == 1:
            pending.append((condition.parts()[0], truth))
        else:
            yield condition, truth
