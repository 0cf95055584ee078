"""Narrower problems: those in which less can happen than in another one."""

from __future__ import annotations

from branchwise.model.action import Action, Outcome
from branchwise.model.condition import NEVER
from branchwise.model.problem import Problem

__all__ = ["is_narrower"]


def is_narrower(problem: Problem, wider: Problem) -> bool:
    """
    Tell whether a problem is another one in which at most less can happen.

    Probabilities and cost weights may differ, outcomes may have become impossible, and
    actions may require what never holds; the budget is not looked at.

    Examples
    --------
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    >>> trick = Action("toss", outcomes={"heads": 1, "tails": 0})
    >>> is_narrower(Problem([trick]), Problem([toss]))
    True
    >>> is_narrower(Problem([toss]), Problem([trick]))
    False
    """
    return (
        problem.rewards == wider.rewards
        and problem.combine == wider.combine
        and len(problem.actions) == len(wider.actions)
        and all(map(_is_narrower, problem.actions, wider.actions))
    )


def _is_narrower(action: Action, wider: Action) -> bool:
    if action is wider:
        return True
    return (
        (action.requires in {NEVER, wider.requires})
        and action.name == wider.name
        and action.cost == wider.cost
        and action.precluded_by == wider.precluded_by
        and action.attempts == wider.attempts
        and action.labels == wider.labels
        and _is_within(action.outcomes, wider.outcomes)
        and [(clause.when, clause.cost) for clause in action.given]
        == [(clause.when, clause.cost) for clause in wider.given]
        and all(
            _is_within(clause.outcomes, other.outcomes)
            for clause, other in zip(action.given, wider.given, strict=True)
        )
    )


def _is_within(
    outcomes: tuple[Outcome, ...] | None, wider: tuple[Outcome, ...] | None
) -> bool:
    if outcomes is None or wider is None:
        return outcomes is wider
    possible = {outcome.label for outcome in wider if outcome.probability}
    return all(o.label in possible for o in outcomes if o.probability)
