"""The worst case of a given tree: what it guarantees whatever the adversary does."""

from __future__ import annotations

import math
from collections.abc import Hashable

from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.policy import Decision, Policy, children_first

__all__ = ["strikes_by_action", "worst_value"]

_Values = dict[tuple[Hashable, int | float], Real]


def worst_value(tree: DecisionTree, gamma: int | None) -> Real:
    """
    Work out what a tree is worth against an adversary whose strikes it does not see.

    The tree is carried out as it is, so that only the adversary decides: at each
    action to leave the odds nominal, or to strike, at most `gamma` times along any
    path. With 0 it is the value at nominal odds.

    Parameters
    ----------
    tree
        The tree of a robust solution, whose decisions know their spreads.
    gamma
        How many strikes there may be; None is unlimited.
    """
    # No path has more strikes than actions.
    is_enough = gamma is None or gamma >= tree.depth
    strikes = math.inf if gamma is None or is_enough else gamma
    layers = [strikes] if gamma is None or is_enough else range(gamma + 1)
    worth: _Values = {}
    for state in children_first(tree.policy, tree.root.key):
        decision = tree.policy[state]
        charge = _charge(tree.policy, decision)
        for left in layers:
            worth[state, left] = _least(decision, left, worth) - charge
    return worth[tree.root.key, strikes]


def _least(decision: Decision, strikes: int | float, worth: _Values) -> Real:
    if decision.action is None:
        return decision.reward
    values = [worth[branch.state, strikes] for branch in decision.branches]
    undisturbed = _mean(decision.nominal, values)
    if decision.spread is None or strikes == 0:
        return undisturbed
    values = [worth[branch.state, strikes - 1] for branch in decision.branches]
    return min(undisturbed, _mean(decision.spread.worst(values), values))


def _charge(policy: Policy, decision: Decision) -> Real:
    """Give what the action is charged: what its children are worth more than it."""
    if decision.action is None:
        return 0
    odds = tuple(branch.probability for branch in decision.branches)
    values = [policy[branch.state].value for branch in decision.branches]
    return _mean(odds, values) - decision.value


def _mean(odds: tuple[Real, ...], values: list[Real]) -> Real:
    total: Real = 0
    for probability, value in zip(odds, values, strict=True):
        total += probability * value
    return total


def strikes_by_action(tree: DecisionTree) -> dict[str, Real]:
    """Give how often each action is struck on average, if it ever is."""
    policy = tree.policy
    reach: dict[Hashable, Real] = {tree.root.key: 1}
    found: dict[str, Real] = {}
    for state in reversed(list(children_first(policy, tree.root.key))):
        decision, here = policy[state], reach[state]
        if decision.action is not None and decision.is_struck:
            found[decision.action] = found.get(decision.action, 0) + here
        for branch in decision.branches:
            reach[branch.state] = reach.get(branch.state, 0) + here * branch.probability
    return found
