"""The tree of a policy: what comes of always choosing by the same rule."""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter
from typing import NamedTuple

from branchwise.analysis.simulation.choosers import Chooser, taken
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import SpaceStates
from branchwise.tree.policy import Branch, Decision, Policy, children_first
from branchwise.tree.progress import Listener, Progress, Stage

__all__ = ["policy_tree"]


class _Key(NamedTuple):
    """A state of the policy: what the chooser has in mind, and what has happened."""

    mind: Hashable
    state: PackedState


def policy_tree(
    space: ProblemSpace, chooser: Chooser, most_states: int, progress: Listener
) -> DecisionTree | None:
    """
    Give the tree of a policy that leaves nothing to chance.

    Parameters
    ----------
    space
        The problem as a state space.
    chooser
        Decides on the actions; the likeliest choice counts.
    most_states
        Give up, with None, when there are more.
    progress
        Told how many states there are so far.
    """
    root = _Key(chooser.start, space.root)
    taken_at: dict[Hashable, AvailableAction[PackedState] | None] = {}
    policy: dict[Hashable, Decision] = {}
    pending = [root]
    while pending:
        key = pending.pop()
        if key in policy:
            continue
        if len(policy) >= most_states:
            return None
        progress(Progress(Stage.SIMULATING, len(policy)))
        name = max(chooser.choices(*key), key=lambda choice: choice[0])[1]
        action = None if name is None else taken(space, key.state, name)
        children = _branches(chooser, key, action)
        taken_at[key] = action
        reward = space.reward(key.state)
        policy[key] = Decision(name, tuple(map(Branch._make, children)), reward, reward)
        pending.extend(child for _, _, child in children)
    for state in children_first(policy, root):
        policy[state] = _valued(policy, state, taken_at[state])
    return DecisionTree(policy, root, SpaceStates(space, attrgetter("state")))


def _branches(
    chooser: Chooser, key: _Key, action: AvailableAction[PackedState] | None
) -> list[tuple[str, Real, _Key]]:
    if action is None:
        return []
    return [
        (outcome, odds, _Key(chooser.after(key.mind, action.name, outcome), at))
        for outcome, odds, at in action.transitions
    ]


def _valued(
    policy: Policy, state: Hashable, action: AvailableAction[PackedState] | None
) -> Decision:
    """Give a decision its value, once those of its children are known."""
    decision = policy[state]
    if action is None:
        return decision
    following = (b.probability * policy[b.state].value for b in decision.branches)
    return decision._replace(value=sum(following) - action.charge)
