"""Tree selection: one of the optimal trees, by a secondary objective (Algorithm 5)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from branchwise.reference.full_graph import FullGraph
from branchwise.reference.objective import Objective
from branchwise.reference.preference import Preference, Rank
from branchwise.reference.reduced_graph import ReducedGraph
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.policy import Branch, Decision, Policy
from branchwise.tree.progress import Listener, Progress, Stage, silent

__all__ = ["select_tree"]

S = TypeVar("S", bound=Hashable)


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
    preference = Preference(objective)
    best: dict[S, Rank] = {}
    choices: dict[S, AvailableAction[S] | None] = {}
    for state in reduced.children_first():
        if phi[state] - graph.rewards[state] <= reduced.tolerance:
            # Stopping beats acting when both are optimal.
            choices[state], best[state] = None, preference.rank(state, None, ())
            continue
        for action in reduced.actions[state]:
            children = [(t.probability, best[t.state]) for t in action.transitions]
            rank = preference.rank(state, action, children)
            if state not in best or preference.is_better(rank, best[state]):
                choices[state], best[state] = action, rank
        if preference.goes_by_order:
            choices[state] = _first(state, phi, reduced) or choices[state]
        progress(Progress(Stage.TREE, len(best)))
    return choices


def _first(
    state: S, phi: dict[S, Real], reduced: ReducedGraph[S]
) -> AvailableAction[S] | None:
    """Find the first action that makes a difference: an outcome changes the score."""
    for action in reduced.actions[state]:
        for _, probability, child in action.transitions:
            change: Real = phi[child] - phi[state]
            if probability and max(change, -change) > reduced.tolerance:
                return action
    return None
