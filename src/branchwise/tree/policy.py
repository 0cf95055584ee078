"""Policies: what to do at each state that a plan can come to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

from branchwise.model.spread import Spread
from branchwise.space.state_space import Real
from branchwise.tree.deadline import watch

__all__ = ["Branch", "Decision", "Policy", "Shape", "children_first", "shape"]


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
    spread
        All odds that the branches may have, where an adversary chooses among them;
        None where there is no choice.
    """

    action: str | None
    branches: tuple[Branch, ...]
    value: Real
    reward: Real
    spread: Spread | None = None

    @property
    def nominal(self) -> tuple[Real, ...]:
        """The nominal odds of the branches."""
        if self.spread is not None:
            return self.spread.nominal
        return tuple(branch.probability for branch in self.branches)

    @property
    def is_struck(self) -> bool:
        """Whether the adversary chooses other odds here than the nominal ones."""
        return self.nominal != tuple(branch.probability for branch in self.branches)


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


def children_first(policy: Policy, root: Hashable) -> Iterator[Hashable]:
    """
    Return every state of a policy once, after the states it leads to.

    Raises
    ------
    LimitError
        A `deadline` has passed.
    """
    # The first one may come only after all others were met.
    look = watch()
    entered: set[Hashable] = {root}
    pending = [(root, iter(policy[root].branches))]
    while pending:
        state, branches = pending[-1]
        for branch in branches:
            if branch.state not in entered:
                look()
                entered.add(branch.state)
                pending.append((branch.state, iter(policy[branch.state].branches)))
                break
        else:
            pending.pop()
            yield state


def shape(policy: Policy, root: Hashable) -> Shape:
    """Measure the tree of a policy without unrolling it."""
    shapes: dict[Hashable, Shape] = {}
    for state in children_first(policy, root):
        shapes[state] = _joined([shapes[b.state] for b in policy[state].branches])
    return shapes[root]


def _joined(children: list[Shape]) -> Shape:
    if not children:
        return Shape(nodes=1, leaves=1, depth=0)
    return Shape(
        nodes=1 + sum(child.nodes for child in children),
        leaves=sum(child.leaves for child in children),
        depth=1 + max(child.depth for child in children),
    )
