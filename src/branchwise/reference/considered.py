"""What was considered where the plan goes: every action there, and what it is worth."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

from branchwise.reference.full_graph import FullGraph
from branchwise.reference.score import action_score
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import Alternative, Prospect

__all__ = ["considered_actions"]

S = TypeVar("S", bound=Hashable)


def considered_actions(
    graph: FullGraph[S], phi: dict[S, Real], states: Iterable[S]
) -> dict[S, tuple[Alternative, ...]]:
    """
    Return the actions considered at some states, with their expected scores.

    Only these states are kept, so that the full graph can be forgotten.
    """
    return {
        state: tuple(
            Alternative(
                action.name,
                action_score(action, phi),
                prospects=tuple(
                    Prospect(label, probability, phi[child])
                    for label, probability, child in action.transitions
                ),
            )
            for action in graph.actions[state]
        )
        for state in states
    }
