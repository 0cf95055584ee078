"""Plan curves: what a plan, once chosen, is worth as probabilities and costs change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import branchwise._core as core
from branchwise.engine.canonical_policy import CanonicalPolicy
from branchwise.model.action import Action, Given
from branchwise.model.budget import Amounts
from branchwise.model.condition import ALWAYS
from branchwise.model.problem import Problem
from branchwise.tree.policy import Policy

_OTHERWISE = Given(ALWAYS)

_Terms = tuple[list[float], float]
"""The probabilities of an action, by outcome, and what it is charged."""


class Drift(NamedTuple):
    """How fast the terms of an action change while one of its clauses counts."""

    action: int  # Its number in the problem
    variant: int  # The number of the clause; where none counts, how many there are
    # By outcome; these add up to nothing. Empty where no probabilities change.
    probabilities: list[float]
    charge: float  # What it is charged


class PlanCurve:
    """
    A plan as a function of the probabilities and costs of its problem.

    The plan stays as it is, whatever the engine ``canonical`` solves later.
    """

    def __init__(self, problem: Problem, policy: Policy) -> None:
        assert isinstance(policy, CanonicalPolicy)
        self._problem = problem
        terms = [
            list(_terms(action, problem.cost_weight)) for action in problem.actions
        ]
        self._core = core.PlanCurve(policy.plan, terms)

    def value(self, problem: Problem) -> float:
        """Return what the plan is worth where some actions have other probabilities."""
        changed = [
            (number, variant, probabilities, charge)
            for number, action in enumerate(problem.actions)
            if action is not self._problem.actions[number]
            for variant, (probabilities, charge) in enumerate(
                _terms(action, problem.cost_weight)
            )
        ]
        return self._core.value(changed)

    def slope(self, drifts: Iterable[Drift]) -> float:
        """Return how fast the plan gains worth where the terms of actions drift."""
        return self._core.slope(list(drifts))


def _terms(action: Action, weights: Amounts) -> Iterator[_Terms]:
    """Return the terms of an action, by its clauses, and last where none counts."""
    for clause in (*action.given, _OTHERWISE):
        outcomes = action.outcomes if clause.outcomes is None else clause.outcomes
        probabilities = {
            outcome.label: float(outcome.probability) for outcome in outcomes
        }
        cost = action.cost if clause.cost is None else clause.cost
        yield (
            [probabilities.get(label, 0.0) for label in action.labels],
            float(weights.times(cost)),
        )
