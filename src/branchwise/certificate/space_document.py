"""A state space of one's own as the checker reads it: every state written out."""

from __future__ import annotations

from typing import Any

from branchwise.certificate.proof_rows import Watch
from branchwise.model.numbers.number import exact, ratio_text
from branchwise.reference.full_graph import naive_full_graph
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.state_space import AvailableAction
from branchwise.tree.progress import Progress


def space_document(space: OwnSpace, watch: Watch = lambda _: None) -> dict[str, Any]:
    """Write every state out: what stopping pays, and where all actions lead."""
    # Each state comes before those it leads to. `watch` is called with how many there
    # are, and raises to end the work.

    def listen(progress: Progress) -> None:
        watch(progress.num_states)

    graph = naive_full_graph(own_space(space, naive=True), listen)
    states = list(graph.children_first())[::-1]
    places = {state: place for place, state in enumerate(states)}
    rows = [
        [
            ratio_text(exact(graph.rewards[state])),
            [_step(action, places) for action in graph.actions[state]],
        ]
        for state in states
    ]
    return {"states": rows}


def _step(action: AvailableAction[Any], places: dict[Any, int]) -> list[Any]:
    shares = [exact(transition.probability) for transition in action.transitions]
    # Floats that sum to one but for rounding are shares of what they sum to.
    branches = [
        [label, ratio_text(share / sum(shares)), places[state]]
        for share, (label, _, state) in zip(shares, action.transitions, strict=True)
    ]
    return [action.name, ratio_text(exact(action.charge)), branches]
