"""The states that a score program is about: explored, and not too many."""

from __future__ import annotations

from typing import Any

from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.space.score_graph import ScoreGraph
from branchwise.space.state_space import StateSpace
from branchwise.tree.progress import Listener, Progress

__all__ = ["program_graph", "too_many", "up_to"]


def program_graph(
    problem: Problem | StateSpace[Any], graph: str, *, naive: bool, progress: Listener
) -> ScoreGraph:
    """
    Explore the states that a program is to be built from.

    Parameters
    ----------
    problem
        A problem, which is checked, or any state space.
    graph
        ``canonical``, ``full`` or ``auto``, as for `score_program`.
    naive
        Whether to take the naive full graph.
    progress
        Told how far it has come; what it raises ends the run.
    """
    # Start-up is felt, so an engine is loaded when it is used.
    from branchwise.engine.lower import Lowered  # noqa: PLC0415
    from branchwise.engine.score_graph import (  # noqa: PLC0415
        canonical_score_graph,
        paper_score_graph,
    )

    if not isinstance(problem, Problem):
        return _slow_graph(problem, naive=True, progress=progress)
    checked(problem)
    is_full = graph == "full" or naive
    try:
        Lowered(problem, every_resource=is_full)
    except LimitError:  # The costs are too fine for the core, but not for fractions.
        if graph == "canonical":
            raise
        return _slow_graph(problem, naive=naive, progress=progress)
    if is_full:
        return paper_score_graph(problem, naive=naive, progress=progress)
    return canonical_score_graph(problem, progress=progress)


def _slow_graph(
    problem: Problem | StateSpace[Any], *, naive: bool, progress: Listener
) -> ScoreGraph:
    """Generate the full graph in Python: for whatever there is."""
    from branchwise.reference.score_graph import full_score_graph  # noqa: PLC0415

    return full_score_graph(problem, naive=naive, progress=progress)


def up_to(most_states: int, progress: Listener) -> Listener:
    """Return a listener that ends the run when there are more states than this."""

    def listen(report: Progress) -> None:
        progress(report)
        if report.num_states > most_states:
            raise too_many(most_states)

    return listen


def too_many(most_states: int) -> LimitError:
    """Return the error that says so."""
    return LimitError(
        f"there are more than {most_states:,} states, which is too much for a program"
    )
