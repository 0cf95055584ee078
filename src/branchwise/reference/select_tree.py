"""Tree selection: one of the optimal trees, by a secondary objective (Algorithm 5)."""

import math
from collections.abc import Hashable
from typing import TypeVar

from branchwise.reference.full_graph import FullGraph
from branchwise.reference.reduced_graph import ReducedGraph
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.choices.policy import Branch, Decision, Policy
from branchwise.tree.choices.preference import Preference, Rank
from branchwise.tree.progress import Listener, Progress, Stage, silent

S = TypeVar("S", bound=Hashable)


def select_tree(
    graph: FullGraph[S],
    phi: dict[S, Real],
    reduced: ReducedGraph[S],
    preference: Preference,
    progress: Listener = silent,
) -> Policy:
    """Choose one optimal action for every state of an optimal tree (Algorithm 5)."""
    choices = _choices(graph, phi, reduced, preference, progress)
    policy: dict[Hashable, Decision] = {}
    queue = [graph.root]
    while queue:
        state = queue.pop()
        if state in policy:
            continue
        action = choices[state]
        name, spread = (action.name, action.spread) if action else (None, None)
        transitions = action.transitions if action else ()
        branches = tuple(Branch(*transition) for transition in transitions)
        reward = graph.rewards[state]
        if reward == -math.inf:
            reward = 0 * phi[state]  # One must go on here, so nothing is paid.
        policy[state] = Decision(name, branches, phi[state], reward, spread)
        queue.extend(transition.state for transition in transitions)
    return policy


def _choices(
    graph: FullGraph[S],
    phi: dict[S, Real],
    reduced: ReducedGraph[S],
    preference: Preference,
    progress: Listener,
) -> dict[S, AvailableAction[S] | None]:
    """Compute f(s) for every state of the reduced graph, and its best action."""
    best: dict[S, Rank] = {}
    choices: dict[S, AvailableAction[S] | None] = {}
    for state in reduced.children_first():
        may_stop = state not in graph.unfinished
        if may_stop and phi[state] - graph.rewards[state] <= reduced.tolerance:
            # Stopping beats acting when both are optimal.
            choices[state], best[state] = None, preference.rank(state, None, ())
            continue
        for action in reduced.actions[state]:
            children = [(t.probability, best[t.state]) for t in action.transitions]
            rank = preference.rank(state, action, children)
            if state not in best or preference.is_better(rank, best[state]):
                choices[state], best[state] = action, rank
        if preference.leader is not None:
            differing = _differing(state, phi, reduced)
            if differing:
                choices[state] = differing[preference.leader([*differing])]
        progress(Progress(Stage.TREE, len(best)))
    return choices


def _differing(
    state: S, phi: dict[S, Real], reduced: ReducedGraph[S]
) -> dict[str, AvailableAction[S]]:
    """Find the actions that make a difference: an outcome changes the score."""
    differing = {}
    for action in reduced.actions[state]:
        for _, probability, child in action.transitions:
            change: Real = phi[child] - phi[state]
            if probability and max(change, -change) > reduced.tolerance:
                differing[action.name] = action
    return differing
