"""All optimal plans at once: the reduced graph, with every action that is optimal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked
from branchwise.model.numbers.number import TIE
from branchwise.model.problem import Problem
from branchwise.program.linear_program import program_graph
from branchwise.space.score_graph import ScoreGraph
from branchwise.tree.progress import Progress

_MOST_EXPLORED: Final = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class OptimalPlans:
    """
    Every optimal plan of a problem, as one graph of canonical states.

    Parameters
    ----------
    problem
        The problem.
    graph
        Its canonical states, numbered; the root is 0.
    scores
        What the best plan is worth from each state on.
    options
        By state that some optimal plan comes to: the options of the graph that are
        optimal there; none where every plan stops.
    """

    problem: Problem
    graph: ScoreGraph
    scores: tuple[float, ...]
    options: Mapping[int, tuple[int, ...]]

    def may_stop(self, state: int) -> bool:
        """Whether stopping is optimal at a state."""
        reward = self.graph.rewards[state]
        is_allowed = self.graph.may_stop[state] or not self.options[state]
        return bool(is_allowed) and reward >= self.scores[state]


def optimal_plans(problem: Problem, *, most_states: int = 200) -> OptimalPlans:
    """
    Find every optimal plan of a problem, to be drawn as one graph.

    Where stopping is as good as an action, a plan stops; here, the action is kept.

    Parameters
    ----------
    problem
        What to look into.
    most_states
        How many states all optimal plans may have together.

    Raises
    ------
    LimitError
        There are more states than this, or too many to be explored.
    """
    graph = program_graph(checked(problem), "canonical", naive=False, progress=_watch)
    scores, best = _scored(graph)
    kept = {0: best[0]}
    # Every state comes after those that lead to it.
    for state in range(len(graph)):
        for option in kept.get(state, ()):
            for branch in graph.branches(option):
                child = graph.children[branch]
                kept[child] = best[child]
    if len(kept) > most_states:
        room = f"a picture has room for {most_states:,}"
        raise _too_many(f"they have {len(kept):,} states, and {room}")
    return OptimalPlans(problem, graph, tuple(scores), dict(sorted(kept.items())))


def _watch(report: Progress) -> None:
    """End a run that comes to more states than could ever be drawn."""
    if report.num_states > _MOST_EXPLORED:
        raise _too_many(f"more than {_MOST_EXPLORED:,} states are to be explored")


def _too_many(what: str) -> LimitError:
    return LimitError(f"all optimal plans are too large for a picture: {what}")


def _scored(graph: ScoreGraph) -> tuple[list[float], list[tuple[int, ...]]]:
    """Return the score of every state, and its optimal options."""
    scores = [0.0] * len(graph)
    best: list[tuple[int, ...]] = [()] * len(graph)
    sizes = (*graph.rewards, *graph.gains, *graph.charges)
    slack = TIE * max((abs(each) for each in sizes if math.isfinite(each)), default=0)
    for state in reversed(range(len(graph))):
        worth = {
            option: sum(
                graph.probabilities[b] * (graph.gains[b] + scores[graph.children[b]])
                for b in graph.branches(option)
            )
            - graph.charges[option]
            for option in graph.options(state)
        }
        values = [*worth.values()]
        if not worth or graph.may_stop[state]:
            values.append(graph.rewards[state])
        most = scores[state] = max(values)
        best[state] = tuple(o for o, each in worth.items() if each >= most - slack)
    return scores, best
