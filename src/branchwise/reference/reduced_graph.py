"""The reduced graph: the union of all optimal trees (the paper's section 4.2)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeVar

from branchwise.reference.full_graph import FullGraph
from branchwise.reference.graph import Graph
from branchwise.reference.score import action_score, tie_tolerance
from branchwise.space.state_space import Real
from branchwise.tree.progress import Listener, Progress, Stage, silent

S = TypeVar("S", bound=Hashable)


@dataclass(slots=True)
class ReducedGraph(Graph[S]):
    """The states S_RG, with all optimal actions R*(s) at each."""

    tolerance: float = 0.0


def reduced_graph(
    graph: FullGraph[S], phi: dict[S, Real], progress: Listener = silent
) -> ReducedGraph[S]:
    """Generate the reduced graph (Algorithm 4)."""
    tolerance = tie_tolerance(graph.rewards.values())
    reduced = ReducedGraph(graph.root, tolerance=tolerance)
    seen = {graph.root}
    queue = [graph.root]
    while queue:
        state = queue.pop()
        reduced.actions[state] = tuple(
            action
            for action in graph.actions[state]
            if phi[state] - action_score(action, phi) <= tolerance
        )
        for action in reduced.actions[state]:
            for transition in action.transitions:
                if transition.state not in seen:
                    seen.add(transition.state)
                    queue.append(transition.state)
        progress(Progress(Stage.REDUCED_GRAPH, len(seen)))
    return reduced
