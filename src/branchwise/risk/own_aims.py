"""Plans for aims in state spaces of one's own, told by expected rewards."""

from collections.abc import Hashable
from typing import Any

from branchwise.model.numbers.number import exact
from branchwise.risk.net_space import NetState
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.state_space import Real
from branchwise.tree.choices.policy import Decision, children_first
from branchwise.tree.decision_tree import DecisionTree


def own_tree(tree: DecisionTree, space: OwnSpace) -> DecisionTree:
    """
    Return a plan that was found by utilities, with expected rewards for values.

    Its states know what was charged by then, since what to do may depend on that.
    """
    whole, is_float = own_space(space, naive=True), False
    found: dict[Hashable, Decision] = {}
    for key in children_first(tree.policy, tree.root.key):
        assert isinstance(key, NetState)
        decision = tree.policy[key]
        reward = whole.reward(key.state)
        value: Real = reward
        if decision.action is not None:
            is_float = any(isinstance(b.probability, float) for b in decision.branches)
            below = (
                b.probability * (found[b.state].value - _charge(key, b.state, is_float))
                for b in decision.branches
            )
            value = sum(below)
        found[key] = decision._replace(value=value, reward=reward)
    return DecisionTree(found, tree.root.key, _bare)


def _charge(before: NetState, after: Any, is_float: bool) -> Real:  # noqa: FBT001
    charge = after.charged - before.charged
    return float(charge) if is_float else charge


def stopping_tree(space: OwnSpace) -> DecisionTree:
    """Return the plan that does nothing."""
    whole = own_space(space, naive=True)
    root, reward = NetState(whole.root, exact(0)), whole.reward(whole.root)
    stop = Decision(None, (), value=reward, reward=reward)
    return DecisionTree({root: stop}, root, _bare)


def _bare(key: Any, path: object) -> Any:
    del path
    return key.state
