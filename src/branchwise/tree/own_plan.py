"""A plan in a state space of one's own: what it is worth, and what may come of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any, Final, NamedTuple

from branchwise.errors import PlanError
from branchwise.model.numbers.number import exact
from branchwise.space.checked_space import place
from branchwise.space.own_space import action_at, own_space
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.choices.policy import last_first
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.prospects.distribution import Distribution, accumulated, total_of

COST: Final = "cost"
"""What the one thing is called that actions of a state space of one's own cost."""


class _Position(NamedTuple):
    """Where a plan stands: by itself, and in the space."""

    key: Hashable
    state: Any


class OwnPlan:
    """A plan, carried out step by step in a state space of one's own."""

    # Nothing is taken from the plan but its actions, and where it goes on.

    def __init__(self, tree: DecisionTree, space: Any) -> None:
        self._policy, self._space = tree.policy, own_space(space, naive=True)
        # A plan from a later state starts there.
        start = tree.describe(tree.root.key, ())
        self._root = _Position(tree.root.key, start)
        self._prices: dict[Hashable, AvailableAction[Any]] = {}

    def value(self, watch: Callable[[int], object]) -> Fraction:
        """Return what it is worth, exactly."""
        values: dict[_Position, Fraction] = {}

        def children(position: _Position) -> list[_Position]:
            watch(len(values) + 1)
            return [child for _, child in self._steps(position)]

        for position in last_first(self._root, children):
            values[position] = self._worth(position, values)
        return values[self._root]

    def action(self, position: _Position) -> AvailableAction[Any] | None:
        """Return what the plan does, as the space has it; it must be available."""
        name = self._policy[position.key].action
        if name is None:
            return None
        found = action_at(self._space, position.state, name)
        if found is None:
            at = place(position.state)
            raise PlanError(f"`{name}` is not available where the plan takes it: {at}")
        return found

    def _steps(self, position: _Position) -> Iterator[tuple[Fraction, _Position]]:
        action = self.action(position)
        if action is None:
            return
        branches = self._policy[position.key].branches
        keys = {branch.outcome: branch.state for branch in branches}
        shares = [exact(each.probability) for each in action.transitions]
        for share, (label, _, state) in zip(shares, action.transitions, strict=True):
            if not share:
                continue
            if label not in keys:
                what = f"the plan does not go on after `{action.name}={label}`"
                raise PlanError(what)
            # Floats that sum to one but for rounding are shares of what they sum to.
            yield share / sum(shares), _Position(keys[label], state)

    def _worth(
        self, position: _Position, values: dict[_Position, Fraction]
    ) -> Fraction:
        action = self.action(position)
        if action is None:
            return exact(self._space.reward(position.state))
        below = (share * values[child] for share, child in self._steps(position))
        return sum(below, Fraction(0)) - exact(action.charge)

    def terms(self, key: Hashable, state: Any) -> AvailableAction[Any]:
        """Return the action that the plan takes at a state of its own."""
        if key not in self._prices:
            action = self.action(_Position(key, state))
            assert action is not None
            self._prices[key] = action
        return self._prices[key]


def own_distributions(
    tree: DecisionTree, space: Any
) -> tuple[Distribution, Distribution, Distribution, Distribution]:
    """Return net reward, reward, cost and number of actions of a plan."""
    plan, policy = OwnPlan(tree, space), tree.policy

    def terms(key: Hashable) -> AvailableAction[Any]:
        return plan.terms(key, tree.describe(key, ()))

    def charge(key: Hashable) -> Real:
        return terms(key).charge

    net = accumulated(tree, charge, lambda key, total: policy[key].reward - total)
    rewards = accumulated(tree, lambda _: 0, lambda key, _: policy[key].reward)
    costs = total_of(tree, lambda key: terms(key).cost)
    return net, rewards, costs, total_of(tree, lambda _: 1)
