"""Attempts one by one: a problem in which every action is taken at most once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from branchwise.model.action import Action, Given
from branchwise.model.condition import (
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
from branchwise.model.problem import Problem, Reward

__all__ = ["AttemptProblem", "one_by_one"]


@dataclass(frozen=True, slots=True)
class AttemptProblem:
    """
    A problem in which each attempt at an action is an action of its own.

    Parameters
    ----------
    problem
        The problem; its plans are worth what those of the original are.
    attempts
        The names of the attempts at each action of the original, in order.
    """

    problem: Problem
    attempts: Mapping[str, tuple[str, ...]]


def one_by_one(problem: Problem) -> AttemptProblem:
    """
    Make every attempt that the budget could pay for an action of its own.

    Each comes after the one before it, with the same odds, costs and conditions.

    Examples
    --------
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)
    >>> split = one_by_one(Problem([toss], [Reward(toss["heads"], 10)]))
    >>> [f"{a.name}: {a.requires}" for a in split.problem.actions]
    ['toss (attempt 1): always', 'toss (attempt 2): "toss (attempt 1)"']
    >>> print(split.problem.rewards[0].when)
    "toss (attempt 1)"=heads or "toss (attempt 2)"=heads
    """
    # Defenses speak of actions that have other names here; no plan depends on them.
    problem = replace(problem, defenses=())
    taken = {action.name for action in problem.actions}
    names = {a.name: _names(a, problem, taken) for a in problem.actions}
    actions = [each for a in problem.actions for each in _attempts(a, names)]
    rewards = tuple(Reward(_said(r.when, names), r.value) for r in problem.rewards)
    return AttemptProblem(
        replace(problem, actions=tuple(actions), rewards=rewards), names
    )


_Names = Mapping[str, tuple[str, ...]]


def _names(action: Action, problem: Problem, taken: set[str]) -> tuple[str, ...]:
    if not action.is_repeatable:
        return (action.name,)
    stem = action.name
    while any(name.startswith(f"{stem} (attempt ") for name in taken):
        stem += "'"
    count = range(1, _most_attempts(action, problem) + 1)
    return tuple(f"{stem} (attempt {number})" for number in count)


def _most_attempts(action: Action, problem: Problem) -> int:
    """Count the attempts that the budget could pay for; at least one."""
    most = action.attempts
    for resource, limit in problem.budget.items():
        least = min(cost.of(resource) for cost in action.costs())
        if isinstance(limit, Fraction) and least > 0:
            most = min(most, limit // least)
    return max(1, int(most))


def _attempts(action: Action, names: _Names) -> list[Action]:
    given = tuple(
        Given(_said(c.when, names), outcomes=c.outcomes, cost=c.cost)
        for c in action.given
    )
    requires, precluded = (
        _said(condition, names) for condition in (action.requires, action.precluded_by)
    )
    attempts, before = [], all_of()
    for name in names[action.name]:
        attempt = replace(action, precluded_by=precluded, attempts=1, given=given)
        needs = all_of(requires, before)
        attempts.append(replace(attempt, name=name, requires=needs))
        before = Attempted(name)
    return attempts


def _said(condition: Condition, names: _Names) -> Condition:
    """Let a condition speak of attempts instead of actions."""
    match condition:
        case AllOf(conditions):
            return all_of(*(_said(part, names) for part in conditions))
        case AnyOf(conditions):
            return any_of(*(_said(part, names) for part in conditions))
        case Not(inner):
            return negation(_said(inner, names))
        case Happened(action, outcome):
            return any_of(*(Happened(name, outcome) for name in names[action]))
        case Attempted(action):
            return Attempted(names[action][0])
    raise TypeError(f"not a condition: {condition!r}")
