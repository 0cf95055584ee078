"""The full graph: every state a plan could come to (the paper's section 4.1)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from branchwise.reference.graph import Graph
from branchwise.space.state_space import Real, StateSpace
from branchwise.tree.progress import Listener, Progress, Stage, silent

S = TypeVar("S", bound=Hashable)
S_contra = TypeVar("S_contra", contravariant=True)
P = TypeVar("P")


@dataclass(slots=True)
class FullGraph(Graph[S]):
    """The states S_FG, with the actions considered and the reward at each."""

    rewards: dict[S, Real] = field(default_factory=dict)


class Pruning(Protocol[S_contra, P]):
    """Reward-based pruning: what Algorithm 3 carries along with each state."""

    def root(self) -> P:
        """Return the rewarding sets at the root: P(s_root)."""

    def child(self, sets: P, action: str, outcome: str, child: S_contra) -> P:
        """Return the rewarding sets at a child, from its parent's (Algorithm 2)."""

    def keeps(self, sets: P, action: str) -> bool:
        """Whether an action is part of a rewarding set (Equation 6)."""


def naive_full_graph(space: StateSpace[S], progress: Listener = silent) -> FullGraph[S]:
    """Generate the naive full graph (Algorithm 1, Equation 2)."""
    graph = FullGraph(space.root)
    graph.rewards[space.root] = space.reward(space.root)
    queue = [space.root]
    while queue:
        state = queue.pop()
        graph.actions[state] = tuple(space.actions(state))
        for child in graph.children(state):
            if child in graph.rewards:
                continue
            graph.rewards[child] = space.reward(child)
            queue.append(child)
        progress(Progress(Stage.FULL_GRAPH, len(graph.rewards)))
    return graph


def accelerated_full_graph(
    space: StateSpace[S], pruning: Pruning[S, P], progress: Listener = silent
) -> FullGraph[S]:
    """
    Generate the accelerated full graph (Algorithm 3).

    The search is depth-first and forgets the rewarding sets of a state once its
    children have theirs, as the paper advises to save memory.
    """
    graph = FullGraph(space.root)
    graph.rewards[space.root] = space.reward(space.root)
    queue = [(space.root, pruning.root())]
    while queue:
        state, sets = queue.pop()
        graph.actions[state] = tuple(
            action
            for action in space.actions(state)
            if pruning.keeps(sets, action.name)
        )
        for action in graph.actions[state]:
            for outcome, _, child in action.transitions:
                if child in graph.rewards:
                    continue
                graph.rewards[child] = space.reward(child)
                queue.append((child, pruning.child(sets, action.name, outcome, child)))
        progress(Progress(Stage.FULL_GRAPH, len(graph.rewards)))
    return graph
