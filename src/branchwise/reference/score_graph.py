"""The full graph as a score graph: its states in numbers, for programs."""

from array import array
from collections.abc import Hashable
from itertools import accumulate
from typing import TypeVar

from branchwise.model.problem import Problem
from branchwise.reference.full_graph import FullGraph
from branchwise.reference.pipeline import full_graph
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.score_graph import ScoreGraph
from branchwise.tree.progress import Listener, silent

S = TypeVar("S", bound=Hashable)


def full_score_graph(
    problem: Problem | OwnSpace,
    *,
    naive: bool = False,
    progress: Listener = silent,
) -> ScoreGraph:
    """Generate the full graph, and number it."""
    # Naive means every state, without rewarding sets, or without what a state space of
    # your own says cannot help. That may contradict itself, or reach a state from
    # itself, which is a `ProblemError`.
    if not isinstance(problem, Problem):
        own = own_space(problem, naive=naive)
        return numbered(full_graph(own, own, None, progress))
    space = ProblemSpace(problem)
    found = None if naive else list_sets(space)
    return numbered(full_graph(space, space, found, progress), problem)


def numbered(graph: FullGraph[S], problem: Problem | None = None) -> ScoreGraph:
    """Number the states of a full graph: the root first, each before its children."""
    states = list(graph.children_first())[::-1]
    numbers = {state: number for number, state in enumerate(states)}
    options = [action for state in states for action in graph.actions[state]]
    branches = [(o.name, each) for o in options for each in o.transitions]
    labels: dict[str, dict[str, None]] = {}
    for action in problem.actions if problem else ():
        labels[action.name] = dict.fromkeys(action.labels)
    for name, branch in branches:
        labels.setdefault(name, {})[branch.outcome] = None
    actions = {name: number for number, name in enumerate(labels)}
    outcomes = {
        (name, label): number
        for name, own in labels.items()
        for number, label in enumerate(own)
    }
    widths = (len(graph.actions[state]) for state in states)
    spans = (len(action.transitions) for action in options)
    return ScoreGraph(
        rewards=array("d", [float(graph.rewards[state]) for state in states]),
        may_stop=bytes(state not in graph.unfinished for state in states),
        first_options=array("q", accumulate(widths, initial=0)),
        actions=array("q", [actions[action.name] for action in options]),
        variants=(),
        charges=array("d", [float(action.charge) for action in options]),
        first_branches=array("q", accumulate(spans, initial=0)),
        outcomes=array("q", [outcomes[name, each.outcome] for name, each in branches]),
        children=array("q", [numbers[branch.state] for _, branch in branches]),
        probabilities=array("d", [float(each.probability) for _, each in branches]),
        gains=array("d", bytes(8 * len(branches))),
        action_names=tuple(labels),
        labels=tuple(tuple(own) for own in labels.values()),
        states=() if problem else states,
    )
