"""Flows: how often a plan takes each action, and what it earns on these ways."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.policy import children_first

__all__ = ["Flow", "flows", "visits"]


class Flow(NamedTuple):
    """What goes through an action when a plan is carried out."""

    probability: Real  # how likely the plan takes it at all
    num_uses: Real  # how often it takes it, on average
    # What is earned on the ways that take it: the reward of each ending, times how
    # likely it is. Weighted cost is left out.
    reward: Real


def visits(tree: DecisionTree) -> dict[Hashable, Real]:
    """Return how likely a plan comes to each of its states."""
    policy, root = tree.policy, tree.root.key
    reached: dict[Hashable, Real] = {root: 1}
    for state in reversed(list(children_first(policy, root))):
        for _, probability, child in policy[state].branches:
            reached[child] = reached.get(child, 0) + reached[state] * probability
    return reached


def flows(tree: DecisionTree) -> Mapping[str, Flow]:
    """
    Return the flow through every action that a plan may take.

    The policy is walked as a graph, each state once.
    """
    policy = tree.policy
    num_uses: dict[str, Real] = {}
    for state, probability in visits(tree).items():
        action = policy[state].action
        if action is not None:
            num_uses[action] = num_uses.get(action, 0) + probability
    found = _ahead(tree)
    return {
        name: Flow(found[name][0], uses, found[name][1])
        for name, uses in num_uses.items()
    }


def _ahead(tree: DecisionTree) -> Mapping[str, tuple[Real, Real]]:
    """
    Give, of each action, how likely it is taken and what is earned if so.

    Seen from the end: where an action is taken, all that follows counts for it; before
    that, what its children know of it.
    """
    policy, root = tree.policy, tree.root.key
    earned: dict[Hashable, Real] = {}
    known: dict[Hashable, dict[str, tuple[Real, Real]]] = {}
    for state in children_first(policy, root):
        decision = policy[state]
        if decision.action is None:
            earned[state], known[state] = decision.reward, {}
            continue
        total: Real = 0
        sums: dict[str, tuple[Real, Real]] = {}
        for _, share, child in decision.branches:
            total += share * earned[child]
            for name, (probability, reward) in known[child].items():
                had = sums.get(name, (0, 0))
                sums[name] = had[0] + share * probability, had[1] + share * reward
        sums[decision.action] = 1, total
        earned[state], known[state] = total, sums
    return known[root]
