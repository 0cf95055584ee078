"""Policies: what to do at each state that a plan can come to."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from branchwise.model.spread import Spread
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import Alternative
from branchwise.tree.deadline import watch

K = TypeVar("K", bound=Hashable)


class Branch(NamedTuple):
    """One outcome of the action decided on, and the state it leads to."""

    outcome: str
    probability: Real
    state: Hashable


class Decision(NamedTuple):
    """What a plan does at a state."""

    action: str | None  # The action to take, or None to stop here
    branches: tuple[Branch, ...]  # Where its outcomes lead; none where the plan stops
    value: Real  # The expected reward from here on
    reward: Real  # The reward for stopping here
    # All probabilities that the branches may have, where an adversary chooses among
    # them; None where there is no choice.
    spread: Spread | None = None

    @property
    def nominal(self) -> tuple[Real, ...]:
        """The nominal probabilities of the branches."""
        if self.spread is not None:
            return self.spread.nominal
        return tuple(branch.probability for branch in self.branches)

    @property
    def has_deviation(self) -> bool:
        """Whether the adversary deviates from the nominal probabilities here."""
        return self.nominal != tuple(branch.probability for branch in self.branches)


Policy = Mapping[Hashable, Decision]
"""
A decision for every state the plan can come to.

States that are reached in several ways stand here once, so that a policy stays small
where its tree is huge.
"""


@runtime_checkable
class Weighing(Protocol):
    """A policy that knows what was weighed at its states."""

    def considered(self, state: Hashable) -> tuple[Alternative, ...] | None:
        """Return all actions weighed at a state, the one taken included, if known."""


class KnownPolicy(dict[Hashable, Decision]):
    """A policy in which everything is at hand, also what was weighed."""

    def __init__(
        self,
        decisions: Policy,
        weighed: Mapping[Hashable, tuple[Alternative, ...] | None],
    ) -> None:
        super().__init__(decisions)
        self._weighed = weighed

    def considered(self, state: Hashable) -> tuple[Alternative, ...] | None:
        """Return all actions weighed at a state, the one taken included, if known."""
        return self._weighed.get(state)

    def __reduce__(self) -> tuple[type[KnownPolicy], tuple[object, ...]]:
        return KnownPolicy, (dict(self), self._weighed)


class PolicyOnDemand(ABC, Mapping[Hashable, Decision]):
    """A policy whose decisions are looked up as they are asked for."""

    root: Hashable

    def __iter__(self) -> Iterator[Hashable]:
        met = {self.root}
        pending = [self.root]
        while pending:
            state = pending.pop()
            yield state
            for branch in self[state].branches:
                if branch.state not in met:
                    met.add(branch.state)
                    pending.append(branch.state)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Step(NamedTuple):
    """One of the actions that were weighed against each other at a state."""

    action: str
    # The clause of `given` that counts there, from 0 on; None where none does.
    clause: int | None
    branches: tuple[Branch, ...]  # Where its outcomes lead
    value: Real  # The expected reward if it is taken


@runtime_checkable
class OptimalSteps(Protocol):
    """A policy over canonical states, which knows every optimal step, taken or not."""

    # One decision stands for all states with the same future. So the steps from a state
    # lead to states of the same kind, whether the plan comes there or not.

    @property
    def root(self) -> Hashable:
        """The state to start from."""

    def __getitem__(self, state: Hashable) -> Decision: ...

    def steps(self, state: Hashable) -> Iterator[Step]:
        """Return the actions whose value at a state is known, and where they lead."""

    def step_taken(self, state: Hashable) -> Step | None:
        """Return what the plan does at a state, as a step; None where it stops."""


def steps_of(policy: Policy) -> OptimalSteps:
    """Return a policy of the engine ``canonical`` as what knows its steps."""
    assert isinstance(policy, OptimalSteps)
    return policy


class Shape(NamedTuple):
    """How large the tree of a policy is when it is unrolled."""

    nodes: int
    leaves: int
    depth: int


def children_first(policy: Policy, root: Hashable) -> Iterator[Hashable]:
    """Return every state of a policy once, after those it leads to, in time."""
    # The first one may come only after all others were met.
    return last_first(root, lambda s: [b.state for b in policy[s].branches], watch())


def last_first(
    root: K, children: Callable[[K], Iterable[K]], look: Callable[[], object] = int
) -> Iterator[K]:
    """Yield all that a root leads to, each after its children; look at every one."""
    entered = {root}
    pending = [(root, iter(children(root)))]
    while pending:
        state, below = pending[-1]
        for child in below:
            if child not in entered:
                look()
                entered.add(child)
                pending.append((child, iter(children(child))))
                break
        else:
            pending.pop()
            yield state


def shape(policy: Policy, root: Hashable) -> Shape:
    """Measure the tree of a policy without unrolling it."""
    shapes: dict[Hashable, Shape] = {}
    for state in children_first(policy, root):
        shapes[state] = joined([shapes[b.state] for b in policy[state].branches])
    return shapes[root]


def joined(children: Sequence[Shape]) -> Shape:
    """Return the shape of a tree by those of the trees below its root."""
    if not children:
        return Shape(nodes=1, leaves=1, depth=0)
    return Shape(
        nodes=1 + sum(child.nodes for child in children),
        leaves=sum(child.leaves for child in children),
        depth=1 + max(child.depth for child in children),
    )
