"""Alternatives: what else could be done at a state, and what it would be worth."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from typing import Final, NamedTuple

from branchwise.model.action import Action
from branchwise.model.budget import DEFAULT_RESOURCE, limit_text
from branchwise.model.conditions.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Condition,
    all_of,
    any_of,
    at_least,
)
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import turn_of
from branchwise.model.numbers.number import number_text
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.space.state_space import Real

ALREADY_DONE: Final = "already done"
"""The objection to an action that has no attempts left."""

OF_NO_USE: Final = "cannot help here"
"""The objection to an action that could be taken, but that no reward waits for."""

ENDED: Final = "everything has ended"
"""The objection to any action after an outcome that ends everything."""

_Outcomes = Mapping[str, Collection[str]]


def objections(problem: Problem, state: State) -> dict[str, str]:
    """
    Return why actions cannot be taken at a state, in the order of the problem.

    Examples
    --------
    >>> from branchwise.model.budget import Budget
    >>> from branchwise.model.conditions.condition import Happened
    >>> from branchwise.model.problem import Reward
    >>> test = Action("test", outcomes={"good": 0.5, "bad": 0.5})
    >>> drill = Action("drill", outcomes={"oil": 1}, requires=test["good"])
    >>> problem = Problem([test, drill], [Reward(drill["oil"], 10)], budget=2)
    >>> objections(problem, State(((Happened("test", "bad"), 1),), Budget(1)))
    {'test': 'already done', 'drill': 'needs test=good'}
    """
    if state.ended is not None:
        return dict.fromkeys((a.name for a in problem.actions), ENDED)
    found = ((a.name, _objection(problem, a, state)) for a in problem.actions)
    return {name: objection for name, objection in found if objection}


def _objection(problem: Problem, action: Action, state: State) -> str | None:
    outcomes = state.facts
    times = state.count(action.name)
    if times >= action.attempts:
        return ALREADY_DONE if times == 1 else f"{ALREADY_DONE} {times} times"
    if action.precluded_by.holds(outcomes):
        return f"precluded by {_holding(action.precluded_by, outcomes)}"
    if not action.requires.holds(outcomes):
        return f"needs {_missing(action.requires, outcomes)}"
    turn, dearest = turn_of(problem, action, state), action.dearest
    for resource, amount in turn.cost.plus(dearest).items():
        left = state.left.get(resource, 0)
        if amount > left:
            of_what = "" if resource == DEFAULT_RESOURCE else f" {resource}"
            up_to = "up to " if dearest.of(resource) else ""
            most = f"{up_to}{number_text(amount)}{of_what}"
            return f"costs {most}, only {limit_text(left)} left"
    return None


def _missing(condition: Condition, outcomes: _Outcomes) -> Condition:
    """Return the part of a condition that keeps it from holding."""
    if isinstance(condition, AllOf):
        parts = [p for p in condition.parts() if not p.holds(outcomes)]
        return all_of(*(_missing(part, outcomes) for part in parts))
    if isinstance(condition, AtLeast):
        parts = [p for p in condition.parts() if not p.holds(outcomes)]
        num_held = len(condition.conditions) - len(parts)
        return at_least(condition.count - num_held, *parts)
    return condition


def _holding(condition: Condition, outcomes: _Outcomes) -> Condition:
    """Return the part of a condition by which it holds."""
    if isinstance(condition, AtLeast):
        parts = [p for p in condition.parts() if p.holds(outcomes)]
        return at_least(condition.count, *parts)
    if isinstance(condition, AnyOf):
        parts = [p for p in condition.parts() if p.holds(outcomes)]
        return any_of(*(_holding(part, outcomes) for part in parts))
    return condition


class Prospect(NamedTuple):
    """
    What an outcome of an alternative would lead to.

    Parameters
    ----------
    outcome
        Its name.
    probability
        How likely it is.
    value
        The expected reward from there on, if one goes on as well as possible.
    """

    outcome: str
    probability: Real
    value: Real


@dataclass(frozen=True, slots=True)
class Alternative:
    """
    Another action that could be taken where the plan takes its own, or stops.

    Parameters
    ----------
    action
        Its name.
    value
        The expected reward of taking it here and going on as well as possible.
    is_bound
        Whether `value` is only what it cannot exceed, as the engine looked no further.
    prospects
        Why it is worth that: what each outcome would lead to.
    """

    action: str
    value: Real
    is_bound: bool = False
    prospects: tuple[Prospect, ...] = field(default=(), repr=False)


def alternatives(
    considered: Iterable[Alternative], taken: str | None
) -> tuple[Alternative, ...]:
    """
    Return what was considered besides the action taken, best first.

    Examples
    --------
    >>> considered = (Alternative("a", 3), Alternative("b", 5), Alternative("c", 4))
    >>> [alternative.action for alternative in alternatives(considered, "b")]
    ['c', 'a']
    """
    others = (option for option in considered if option.action != taken)
    return tuple(sorted(others, key=lambda option: -option.value))
