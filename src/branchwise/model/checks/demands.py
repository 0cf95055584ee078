"""What conditions demand: which actions and outcomes, and which leave no choice."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from branchwise.errors import Path
from branchwise.model.action import Action
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    AllOf,
    AtLeast,
    Attempted,
    Comparison,
    Condition,
    Happened,
    Not,
)
from branchwise.model.problem import Problem

Wanted = tuple[Condition, bool]
"""A condition, and whether it must hold or must not."""

Known = tuple[Happened | Attempted, bool]
"""An action or an outcome, and whether it must have happened or must not have."""

LITERALS: Final = (Happened, Attempted)
"""What conditions are made of, in the end; to name both would make a union each time.
"""

_LEAVES: Final = (*LITERALS, Comparison)


def wanted_by(action: Action) -> tuple[Wanted, Wanted]:
    """Return what an action waits for."""
    return (action.requires, True), (action.precluded_by, False)


def conditions_of(action: Action) -> list[Condition]:
    """Return the conditions that an action has, without those that say nothing."""
    whens = [clause.when for clause in action.given]
    found = (action.requires, action.precluded_by, *whens)
    return [each for each in found if each is not ALWAYS and each is not NEVER]


def joined_conditions(problem: Problem) -> Iterator[tuple[Path, Condition]]:
    """Return the conditions that are more than one outcome, and where they stand."""
    for action in problem.actions:
        for key, condition in (
            ("requires", action.requires),
            ("precluded_by", action.precluded_by),
        ):
            if _is_joined(condition):
                yield ("actions", action.name, key), condition
        for index, clause in enumerate(action.given):
            if _is_joined(clause.when):
                yield ("actions", action.name, "given", index, "when"), clause.when
    for index, reward in enumerate(problem.rewards):
        if _is_joined(reward.when):
            yield ("rewards", index, "when"), reward.when
    if problem.finish is not None and _is_joined(problem.finish):
        yield ("finish",), problem.finish


def _is_joined(condition: Condition) -> bool:
    is_constant = condition is ALWAYS or condition is NEVER
    return not is_constant and not isinstance(condition, LITERALS)


def literals(condition: Condition, *, truth: bool = True) -> Iterator[Known]:
    """Return every action and outcome that matters to a condition, and how."""
    pending: list[Wanted] = [(condition, truth)]
    while pending:
        part, wanted = pending.pop()
        if isinstance(part, LITERALS):
            yield part, wanted
        wanted ^= isinstance(part, Not)
        pending.extend((inner, wanted) for inner in reversed(part.parts()))


def demands_of(action: Action) -> Sequence[Wanted]:
    """Return what an action waits for, taken apart; mostly it is one outcome."""
    if action.precluded_by is NEVER and isinstance(action.requires, LITERALS):
        return ((action.requires, True),)
    return tuple(conjuncts(wanted_by(action)))


def needs_of(action: Action) -> tuple[str, ...]:
    """Return the actions that must have been taken before this one can be."""
    wanted = demands_of(action)
    needed = [k.action for k, truth in wanted if truth and isinstance(k, LITERALS)]
    return tuple(dict.fromkeys(needed))


def forced(wanted: Iterable[Wanted]) -> Iterator[Known]:
    """Return the actions and outcomes to which the conditions leave no alternative."""
    for condition, truth in conjuncts(wanted):
        if isinstance(condition, LITERALS):
            yield condition, truth


def conjuncts(wanted: Iterable[Wanted]) -> Iterator[Wanted]:
    """Take conditions apart into what must be so and what leaves a choice."""
    pending = [each for each in wanted if each[0] is not NEVER or each[1]][::-1]
    while pending:
        condition, truth = pending.pop()
        if isinstance(condition, Not):
            pending.append((condition.condition, not truth))
        elif isinstance(condition, _LEAVES):
            yield condition, truth
        elif num_needed(condition, truth=truth) == len(condition.parts()):
            pending.extend((part, truth) for part in reversed(condition.parts()))
        elif len(condition.parts()) == 1:
            pending.append((condition.parts()[0], truth))
        else:
            yield condition, truth


def num_needed(condition: Condition, *, truth: bool) -> int:
    """Count how many parts of `all`, `any` or `at_least` have to hold, or not to."""
    if isinstance(condition, AtLeast):
        return condition.count if truth else condition.count_against
    return len(condition.parts()) if isinstance(condition, AllOf) == truth else 1
