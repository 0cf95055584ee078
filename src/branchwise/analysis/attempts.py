"""Attempts one by one: a problem in which every action is taken at most once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from branchwise.model.action import Action, Given
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Attempted,
    Comparison,
    Condition,
    Happened,
    Leaf,
    all_of,
    any_of,
    at_least,
    negation,
    rebuilt,
)
from branchwise.model.conditions.quantity import Count, count
from branchwise.model.problem import Problem
from branchwise.space import packed

_Names = Mapping[str, tuple[str, ...]]


class AttemptProblem(NamedTuple):
    """A problem in which each attempt at an action is an action of its own."""

    problem: Problem  # the problem; its plans are worth what those of the original are
    # The names of the attempts at each action of the original, in order.
    attempts: Mapping[str, tuple[str, ...]]

    def original(self, name: str | None) -> str | None:
        """Return the action of the original that an attempt is one at."""
        owners = (own for own, attempts in self.attempts.items() if name in attempts)
        return next(owners, None)


def one_by_one(problem: Problem) -> AttemptProblem:
    """
    Make every attempt that the budget could pay for an action of its own.

    Each comes after the one before it, with the same probabilities, costs and
    conditions.
    """
    names = {
        a.name: _numbered(a, problem, range(1, most_attempts(a, problem) + 1))
        if a.is_repeatable
        else (a.name,)
        for a in problem.actions
    }
    return _split(problem, names, is_last_repeated=False)


def first_apart(problem: Problem, action: str) -> AttemptProblem:
    """Make the first attempt at an action one of its own, and another of all others."""
    names: dict[str, tuple[str, ...]] = {a.name: (a.name,) for a in problem.actions}
    if problem.action(action).is_repeatable:
        names[action] = _numbered(problem.action(action), problem, (1, 2))
    return _split(problem, names, is_last_repeated=True)


def _split(
    problem: Problem, names: _Names, *, is_last_repeated: bool
) -> AttemptProblem:
    """Make one action of each name; the last maybe for all attempts that are left."""
    actions = [
        attempt
        for action in problem.actions
        for attempt in _attempts(action, names, is_last_repeated=is_last_repeated)
    ]
    written = _Rewording(names, is_last_repeated=is_last_repeated)
    rewards = tuple(replace(r, when=written.of(r.when)) for r in problem.rewards)
    finish = None if problem.finish is None else written.of(problem.finish)
    # Defenses speak of actions that have other names here; no plan depends on them.
    apart = replace(
        problem, actions=tuple(actions), rewards=rewards, finish=finish, defenses=()
    )
    return AttemptProblem(apart, names)


def _numbered(
    action: Action, problem: Problem, numbers: Iterable[int]
) -> tuple[str, ...]:
    """Name attempts as no action of the problem is named."""
    stem, taken = action.name, [other.name for other in problem.actions]
    while any(name.startswith(f"{stem} (attempt ") for name in taken):
        stem += "'"
    return tuple(f"{stem} (attempt {number})" for number in numbers)


def most_attempts(action: Action, problem: Problem) -> int:
    """Count the attempts that budget and counters allow at most; at least one."""
    most = packed.most_attempts(problem, action)
    for resource, limit in problem.budget.items():
        least = min(cost.of(resource) for cost in action.costs())
        if isinstance(limit, Fraction) and least > 0:
            most = min(most, int(limit // least))
    return max(1, most)


def _attempts(action: Action, names: _Names, *, is_last_repeated: bool) -> list[Action]:
    written = _Rewording(names, is_last_repeated=is_last_repeated)
    given = tuple(
        Given(written.of(c.when), outcomes=c.outcomes, cost=c.cost)
        for c in action.given
    )
    requires, precluded = map(written.of, (action.requires, action.precluded_by))
    attempts, before = [], all_of()
    for name in names[action.name]:
        attempt = replace(action, precluded_by=precluded, attempts=1, given=given)
        needs = all_of(requires, before)
        attempts.append(replace(attempt, name=name, requires=needs))
        before = Attempted(name)
    if is_last_repeated:
        others = action.attempts - len(attempts) + 1
        attempts[-1] = replace(attempts[-1], attempts=others)
    return attempts


class _Rewording(NamedTuple):
    """Says of attempts what conditions say of actions."""

    names: _Names
    is_last_repeated: bool  # whether the last one stands for all that are left

    def of(self, condition: Condition) -> Condition:
        """Return a condition on attempts instead of actions."""
        return rebuilt(condition, lambda fact, _: self._of(fact))

    def _of(self, fact: Leaf) -> Condition:
        if isinstance(fact, Comparison):
            if isinstance(fact.quantity, Count):
                return self._compared(fact, fact.quantity)
            return fact
        own = self.names[fact.action]
        if isinstance(fact, Attempted):
            return Attempted(own[0])
        return any_of(*(Happened(name, fact.outcome) for name in own))

    def _compared(self, fact: Comparison, quantity: Count) -> Condition:
        """Return what it means that something has come up so often."""
        events = [
            Happened(name, quantity.event.outcome)
            if isinstance(quantity.event, Happened)
            else Attempted(name)
            for name in self.names[quantity.event.action]
        ]
        least = math.ceil(fact.number)
        more = math.floor(fact.number) + 1
        match fact.sign:
            case ">=":
                return self._often(events, least)
            case ">":
                return self._often(events, more)
            case "<":
                return negation(self._often(events, least))
            case "<=":
                return negation(self._often(events, more))
        if least == more:
            return NEVER
        return all_of(self._often(events, least), negation(self._often(events, more)))

    def _often(self, events: Sequence[Happened | Attempted], times: int) -> Condition:
        """Return the condition that events have come up so often, all together."""
        if not self.is_last_repeated:
            return _so_many(events, times)
        *once, last = events
        return any_of(
            *(
                all_of(_so_many(once, first), count(last) >= times - first)
                for first in range(len(once) + 1)
            )
        )


def _so_many(events: Sequence[Happened | Attempted], times: int) -> Condition:
    if times <= 0:
        return ALWAYS
    return at_least(times, *events) if times <= len(events) else NEVER
