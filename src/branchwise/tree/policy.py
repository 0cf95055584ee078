"""Policies: what to do at each state that a plan can come to."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from branchwise.model.state_space import Real

__all__ = ["Branch", "Decision", "Policy", "Shape", "shape"]


class Branch(NamedTuple):
    """One outcome of the action decided on, and the state it leads to."""

    outcome: str
    probability: Real
    state: Hashable


class Decision(NamedTuple):
    """
    What a plan does at a state.

    Parameters
    ----------
    action
        The action to take, or None to stop here.
    branches
        Where its outcomes lead; none where the plan stops.
    value
        The expected reward from here on.
    reward
        The reward for stopping here.
    """

    action: str | None
    branches: tuple[Branch, ...]
    value: Real
    reward: Real


Policy = Mapping[Hashable, Decision]
"""
A decision for every state the plan can come to.

States that are reached in several ways stand here once, so that a policy stays small
where its tree is huge.
"""


class Shape(NamedTuple):
    """How large the tree of a policy is when it is unrolled."""

    nodes: int
    leaves: int
    depth: int


def shape(policy: Policy, root: Hashable) -> Shape:
    """Measure the tree of a policy without unrolling it."""
    shapes: dict[Hashable, Shape] = {}
    pending = [root]
    while pending:
        state = pending[-1]
        children = [branch.state for branch in policy[state].branches]
        missing = [child for child in children if child not in shapes]
        if missing:
            pending.extend(missing)
            continue
        pending.pop()
        shapes[state] = _joined([shapes[child] for child in children])
    return shapes[root]


def _joined(children: list[Shape]) -> Shape:
    if not children:
        return Shape(nodes=1, leaves=1, depth=0)
    return Shape(
        nodes=1 + sum(child.nodes for child in children),
        leaves=sum(child.leaves for child in children),
        depth=1 + max(child.depth for child in children),
    )
