"""Plan curves: what a plan, once chosen, is worth as probabilities and costs change."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import branchwise._core as core
from branchwise.engine.canonical_policy import CanonicalPolicy
from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.features import FEATURES, HIDDEN, refuse_features
from branchwise.model.problem import Problem
from branchwise.space.problem_space import clauses
from branchwise.tree.choices.policy import Policy

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
    """A plan as a function of the probabilities and costs of its problem."""

    # The plan stays as it is, whatever the engine ``canonical`` solves later.

    def __init__(self, problem: Problem, policy: Policy) -> None:
        known = [feature for feature in FEATURES if feature != HIDDEN]
        refuse_features(problem, "a plan by other probabilities", known=known)
        assert isinstance(policy, CanonicalPolicy)
        self._problem = problem
        weights = problem.charge_weight
        terms = [list(_terms(action, weights)) for action in problem.actions]
        self._core = core.PlanCurve(policy.plan, terms)

    def value(self, problem: Problem) -> float:
        """Return what the plan is worth where some actions have other probabilities."""
        weights = problem.charge_weight
        changed = [
            (number, variant, *terms)
            for number, action in enumerate(problem.actions)
            if action is not self._problem.actions[number]
            for variant, terms in enumerate(_terms(action, weights))
        ]
        return self._core.value(changed)

    def slope(self, drifts: Iterable[Drift]) -> float:
        """Return how fast the plan gains worth where the terms of actions drift."""
        return self._core.slope(list(drifts))


def _terms(action: Action, weights: Amounts) -> Iterator[_Terms]:
    """Return the terms of an action, by its clauses, and last where none counts."""
    for _, cost, outcomes in clauses(action):
        chances = {o.label: float(o.probability) for o in outcomes}
        listed = [chances.get(label, 0.0) for label in action.labels]
        yield listed, float(weights.times(cost))
