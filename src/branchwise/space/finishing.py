"""Score graphs of problems in which one must finish, without what may get stuck."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.stuck import stuck_error
from branchwise.space.score_graph import ScoreGraph


def only_finishing(graph: ScoreGraph) -> ScoreGraph:
    """
    Leave out states from which no plan is sure to finish, and options that lead there.

    Raises
    ------
    ProblemError
        Every plan may get stuck.
    """
    if min(graph.rewards) > -math.inf:
        return graph
    safe = _safe_options(graph)
    if safe[0] is None:
        raise stuck_error(_way_to_get_stuck(graph, safe))
    kept = sorted(graph.ways(lambda option: _is_safe(graph, safe, option)))
    return _cut(graph, kept, [safe[state] or [] for state in kept])


def _safe_options(graph: ScoreGraph) -> list[list[int] | None]:
    """Return the options after which a plan can finish; None where none ever will."""
    safe: list[list[int] | None] = [None] * len(graph)
    for state in reversed(range(len(graph))):
        options = graph.options(state)
        good = [option for option in options if _is_safe(graph, safe, option)]
        may_stop = graph.may_stop[state] or not options
        if good or (may_stop and graph.rewards[state] > -math.inf):
            safe[state] = good
    return safe


def _is_safe(graph: ScoreGraph, safe: Sequence[list[int] | None], option: int) -> bool:
    """Whether a plan can finish whatever comes of an option."""
    branches = graph.branches(option)
    return all(safe[graph.children[branch]] is not None for branch in branches)


def _way_to_get_stuck(
    graph: ScoreGraph, safe: Sequence[list[int] | None]
) -> list[Happened]:
    way, state = [], 0
    while options := graph.options(state):
        # Whatever is done at such a state, some outcome leads to another one.
        branches = graph.branches(options[0])
        branch = next(b for b in branches if safe[graph.children[b]] is None)
        way.append(graph.event(options[0], branch))
        state = graph.children[branch]
    return way


def _cut(
    graph: ScoreGraph, states: Sequence[int], options: Sequence[Sequence[int]]
) -> ScoreGraph:
    """Return the graph with some of its states and of their options, renumbered."""
    numbers = {state: number for number, state in enumerate(states)}
    taken = [option for some in options for option in some]
    branches = [branch for option in taken for branch in graph.branches(option)]
    spans = (len(graph.branches(option)) for option in taken)
    variants = [graph.variants[option] for option in taken] if graph.variants else ()
    return replace(
        graph,
        rewards=array("d", [graph.rewards[state] for state in states]),
        may_stop=bytes(graph.may_stop[state] for state in states),
        first_options=array("Q", accumulate(map(len, options), initial=0)),
        actions=array("I", [graph.actions[option] for option in taken]),
        variants=variants,
        charges=array("d", [graph.charges[option] for option in taken]),
        first_branches=array("Q", accumulate(spans, initial=0)),
        outcomes=array("I", [graph.outcomes[branch] for branch in branches]),
        children=array("I", [numbers[graph.children[b]] for b in branches]),
        probabilities=array("d", [graph.probabilities[b] for b in branches]),
        gains=array("d", [graph.gains[branch] for branch in branches]),
    )
