"""The score: the highest expected reward from each state (Equation 7)."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import TypeVar

from branchwise.model.number import TIE
from branchwise.reference.full_graph import FullGraph
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.progress import Listener, Progress, Stage, silent

S = TypeVar("S", bound=Hashable)


def scores(graph: FullGraph[S], progress: Listener = silent) -> dict[S, Real]:
    """
    Compute Phi(s) for every state of the full graph.

    The paper stops only where no action is left. We may stop anywhere, which is the
    same where rewards never fall: Phi(s) is the best of rho(s) and of the actions.
    """
    phi: dict[S, Real] = {}
    for state in graph.children_first():
        options = [action_score(action, phi) for action in graph.actions[state]]
        phi[state] = max([graph.rewards[state], *options])
        progress(Progress(Stage.REDUCED_GRAPH, len(phi)))
    return phi


def action_score(action: AvailableAction[S], phi: dict[S, Real]) -> Real:
    """Compute the expected score of the children, less what the action is charged."""
    expected: Real = 0
    for _, probability, state in action.transitions:
        expected += probability * phi[state]
    return expected - action.charge


def tie_tolerance(rewards: Collection[Real]) -> float:
    """Return the difference below which two scores are tied: none for fractions."""
    highest, lowest = max(rewards), min(rewards)
    largest = max(highest, -lowest)
    return TIE * largest if isinstance(largest, float) else 0
