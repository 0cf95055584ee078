"""Scores, and the reduced graph: the union of all optimal trees (section 4.2)."""

import math
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from branchwise.model.numbers.number import TIE
from branchwise.reference.full_graph import FullGraph, Graph
from branchwise.reference.stuck import check_finish
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.progress import Listener, Progress, Stage, silent

S = TypeVar("S", bound=Hashable)


def scores(graph: FullGraph[S], progress: Listener = silent) -> dict[S, Real]:
    """Compute Phi(s) for every state of the full graph."""
    # The paper stops only where no action is left. We may stop anywhere, which is the
    # same where rewards never fall: Phi(s) is the best of rho(s) and of the actions.
    phi: dict[S, Real] = {}
    for state in graph.children_first():
        options = [action_score(action, phi) for action in graph.actions[state]]
        phi[state] = max(graph.choices(state, options))
        progress(Progress(Stage.REDUCED_GRAPH, len(phi)))
    check_finish(graph, phi)
    return phi


def action_score(action: AvailableAction[S], phi: dict[S, Real]) -> Real:
    """Compute the expected score of the children, less what the action is charged."""
    expected: Real = 0
    for _, probability, state in action.transitions:
        expected += probability * phi[state]
    return expected - action.charge


def tie_tolerance(rewards: Collection[Real], scores: Iterable[Real] = ()) -> float:
    """Return the difference below which two scores are tied: none for fractions."""
    # What no plan may end with counts for nothing.
    bounded = [each for each in rewards if each > -math.inf] or [0]
    highest, lowest = max(bounded), min(bounded)
    # Rewards may be whole numbers where probabilities are floats, and scores, too.
    largest = max(highest, -lowest)
    is_rounded = any(
        isinstance(score, float) and score > -math.inf for score in (largest, *scores)
    )
    return TIE * float(largest) if is_rounded else 0


@dataclass(slots=True)
class ReducedGraph(Graph[S]):
    """The states S_RG, with all optimal actions R*(s) at each."""

    tolerance: float = 0.0


def reduced_graph(
    graph: FullGraph[S], phi: dict[S, Real], progress: Listener = silent
) -> ReducedGraph[S]:
    """Generate the reduced graph (Algorithm 4)."""
    sizes = list(graph.rewards.values())
    if graph.unfinished:
        # There may be nothing but costs.
        every = (action for actions in graph.actions.values() for action in actions)
        sizes += [action.charge for action in every]
    tolerance = tie_tolerance(sizes, phi.values())
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
        for child in reduced.children(state):
            if child not in seen:
                seen.add(child)
                queue.append(child)
        progress(Progress(Stage.REDUCED_GRAPH, len(seen)))
    return reduced
