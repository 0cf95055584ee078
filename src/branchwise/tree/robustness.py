"""Robustness: what a robust plan costs, what it saves, and what hurts it most."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.choices.policy import Decision, Policy, children_first
from branchwise.tree.decision_tree import DecisionTree


@dataclass(frozen=True, slots=True)
class Perturbation:
    """
    What it would be worth to know the probabilities of an action.

    Parameters
    ----------
    action
        Its name.
    gain
        How much the worst case would rise if its probabilities were exactly the nominal
        ones.
    deviations
        How often the adversary deviates there on average, in the plan shown; for an
        action that is taken once, how likely that is.
    """

    action: str
    gain: Real
    deviations: Real


@dataclass(frozen=True, slots=True)
class Robustness:
    """
    A robust plan beside the best nominal one, nominally and in the worst case.

    Parameters
    ----------
    worst_case
        What the robust plan is worth in the worst case, if deviations are seen.
    unseen
        What the tree shown is worth in the worst case, if deviations go unseen.
    nominal
        What the tree shown is worth at nominal probabilities.
    nominal_optimum
        What the best nominal plan is worth at nominal probabilities.
    nominal_worst_case
        What the tree of the best nominal plan is worth in the worst case.
    by_gamma
        The worst case against 0, 1, ... deviations, and at last without limit (None).
    perturbations
        The actions whose probabilities are not known exactly, what hurts most first.
    """

    worst_case: Real
    unseen: Real
    nominal: Real
    nominal_optimum: Real
    nominal_worst_case: Real
    by_gamma: tuple[tuple[int | None, Real], ...]
    perturbations: tuple[Perturbation, ...]

    @property
    def price(self) -> Real:
        """The price of robustness: what the plan gives up at nominal probabilities."""
        return self.nominal_optimum - self.nominal


_Charges = Mapping[tuple[str, str], Fraction]
_Values = dict[tuple[Hashable, int | float], Real]


def worst_value(
    tree: DecisionTree, gamma: int | None, problem: Problem | None = None
) -> Real:
    """Work out what a robust solution's tree is worth if deviations go unseen."""
    # What outcomes cost is known to the problem; a state space has no such costs.
    # The tree is carried out as it is, so that only the adversary decides: at each
    # action to leave the probabilities nominal, or to deviate, at most `gamma` times
    # along any path. With 0 it is the value at nominal probabilities.
    layers: Sequence[int | float] = [math.inf]
    if gamma is not None and gamma < tree.depth:  # No path has more than its actions.
        layers = range(gamma + 1)
    worth: _Values = {}
    charges = {} if problem is None else _outcome_charges(problem)
    for state in children_first(tree.policy, tree.root.key):
        decision = tree.policy[state]
        charge = _charge(tree.policy, decision, charges)
        for left in layers:
            least = _least(decision, left, worth, charges)
            worth[state, left] = least - charge
    return worth[tree.root.key, layers[-1]]


def _outcome_charges(problem: Problem) -> _Charges:
    """Return what the objective loses by outcomes, by action and label."""
    return {
        (action.name, outcome.label): problem.charge_weight.times(outcome.cost)
        for action in problem.actions
        for outcome in action.outcomes
        if outcome.cost.named
    }


def _least(
    decision: Decision, deviations: int | float, worth: _Values, charges: _Charges
) -> Real:
    if decision.action is None:
        return decision.reward
    action = decision.action

    def led_to(left: int | float) -> list[Real]:
        return [
            worth[branch.state, left] - charges.get((action, branch.outcome), 0)
            for branch in decision.branches
        ]

    values = led_to(deviations)
    undisturbed = _mean(decision.nominal, values)
    if decision.spread is None or deviations == 0:
        return undisturbed
    values = led_to(deviations - 1)
    return min(undisturbed, _mean(decision.spread.worst(values), values))


def _charge(policy: Policy, decision: Decision, charges: _Charges) -> Real:
    """Return what the action is charged: what its children are worth more than it."""
    action = decision.action
    if action is None:
        return 0
    probabilities = tuple(branch.probability for branch in decision.branches)
    values = [
        policy[branch.state].value - charges.get((action, branch.outcome), 0)
        for branch in decision.branches
    ]
    return _mean(probabilities, values) - decision.value


def _mean(probabilities: tuple[Real, ...], values: list[Real]) -> Real:
    return sum(p * value for p, value in zip(probabilities, values, strict=True))


def deviations_by_action(tree: DecisionTree) -> dict[str, Real]:
    """Return how often the adversary deviates at each action on average, if ever."""
    policy = tree.policy
    reach: dict[Hashable, Real] = {tree.root.key: 1}
    found: dict[str, Real] = {}
    for state in reversed(list(children_first(policy, tree.root.key))):
        decision, here = policy[state], reach[state]
        if decision.action is not None and decision.has_deviation:
            found[decision.action] = found.get(decision.action, 0) + here
        for branch in decision.branches:
            reach[branch.state] = reach.get(branch.state, 0) + here * branch.probability
    return found
