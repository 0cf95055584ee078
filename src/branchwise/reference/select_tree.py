"""Tree selection: one of the optimal trees, by a secondary objective (Algorithm 5)."""

from collections.abc import Hashable
from typing import Any, NamedTuple, TypeVar

from branchwise.model.number import TIE
from branchwise.reference.full_graph import FullGraph
from branchwise.reference.objective import (
    Children,
    Considered,
    Objective,
    fewest_nodes,
    is_named,
    order,
)
from branchwise.reference.reduced_graph import ReducedGraph
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.policy import Branch, Decision, Policy
from branchwise.tree.progress import Listener, Progress, Stage, silent

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
        name, spread = (action.name, action.spread) if action else (None, None)
        transitions = action.transitions if action else ()
        branches = tuple(Branch(*transition) for transition in transitions)
        reward = graph.rewards[state]
        policy[state] = Decision(name, branches, phi[state], reward, spread)
        queue.extend(transition.state for transition in transitions)
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


class Rank(NamedTuple):
    """How good a tree is by a preference; less is better."""

    worth: Any  # What the objective says
    nodes: int  # The number of nodes of the tree; 0 where they do not count


class Preference:
    """A secondary objective with what breaks its ties."""

    # Of trees that are the same by a named objective, one with the fewest nodes is
    # preferred, and then the first action in the order of the problem. So an action
    # that changes nothing, which another engine may leave out, is never taken: without
    # it the tree has fewer nodes and is as good in all else. A function of yours
    # decides alone.

    def __init__(self, objective: Objective) -> None:
        self.goes_by_order = objective is order
        """Whether the first action that makes a difference goes before the rest."""
        self._objective = fewest_nodes if self.goes_by_order else objective
        self._counts_nodes = (
            is_named(self._objective) and self._objective is not fewest_nodes
        )

    def rank(self, state: Any, action: Considered, children: Children) -> Rank:
        """Return the rank of a tree from the ranks of its children."""
        worths = [(probability, rank.worth) for probability, rank in children]
        nodes = 0
        if self._counts_nodes:
            below = [(probability, rank.nodes) for probability, rank in children]
            nodes = fewest_nodes(state, action, below)
        return Rank(self._objective(state, action, worths), nodes)

    @staticmethod
    def is_better(rank: Rank, other: Rank) -> bool:
        """Whether a tree is preferred to another."""
        if _is_less(rank.worth, other.worth):
            return True
        return not _is_less(other.worth, rank.worth) and rank.nodes < other.nodes


def _is_less(value: Any, other: Any) -> bool:
    """Compare values of an objective; rounding does not make a float smaller."""
    if isinstance(value, float) and isinstance(other, float):
        return value < other - TIE * max(abs(value), abs(other))
    return bool(value < other)
