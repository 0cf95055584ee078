"""Tree selection: one of the optimal trees, by a secondary objective (Algorithm 5)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

from branchwise.model.state_space import AvailableAction, Real
from branchwise.reference.full_graph import FullGraph
from branchwise.reference.objective import Objective
from branchwise.reference.reduced_graph import ReducedGraph
from branchwise.tree.policy import Branch, Decision, Policy
from branchwise.tree.progress import Listener, Progress, Stage, silent

__all__ = ["select_tree"]

S = TypeVar("S", bound=Hashable)

_TIE = 1e-12


def select_tree(
    graph: FullGraph[S],
    phi: dict[S, Real],
    reduced: ReducedGraph[S],
    objective: Objective,
    progress: Listener = silent,
) -> Policy:
    """Choose one optimal action for every state of an optimal tree (Algorithm 5)."""
    choices = _choices(graph, phi, reduced, objective, progress)
    policy: dict[Hashable, Decision] = {}
    queue = [graph.root]
    while queue:
        state = queue.pop()
        if state in policy:
            continue
        action = choices[state]
        branches = tuple(Branch(*t) for t in action.transitions) if action else ()
        policy[state] = Decision(
            action.name if action else None,
            branches,
            phi[state],
            graph.rewards[state],
            action.spread if action else None,
        )
        if action:
            queue.extend(transition.state for transition in action.transitions)
    return policy


def _choices(
    graph: FullGraph[S],
    phi: dict[S, Real],
    reduced: ReducedGraph[S],
    objective: Objective,
    progress: Listener,
) -> dict[S, AvailableAction[S] | None]:
    """Compute f(s) for every state of the reduced graph, and its best action."""
    best: dict[S, Any] = {}
    choices: dict[S, AvailableAction[S] | None] = {}
    for state in reduced.children_first():
        if phi[state] - graph.rewards[state] <= reduced.tolerance:
            # Stopping beats acting when both are optimal.
            choices[state], best[state] = None, objective(state, None, ())
            continue
        for action in reduced.actions[state]:
            children = [(t.probability, best[t.state]) for t in action.transitions]
            value = objective(state, action, children)
            if state not in best or _is_less(value, best[state]):
                choices[state], best[state] = action, value
        progress(Progress(Stage.TREE, len(best)))
    return choices


def _is_less(value: Any, other: Any) -> bool:
    """Compare values of the objective; rounding does not make a float smaller."""
    if isinstance(value, float) and isinstance(other, float):
        return value < other - _TIE * max(abs(value), abs(other))
    return bool(value < other)
