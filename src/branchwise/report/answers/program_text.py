"""Score programs as text: the value, the size, the root and the visited states."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from branchwise.program.program_solution import ProgramSolution, ScoredState
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look, Paint, uncolored
from branchwise.report.text.label import told
from branchwise.report.text.title_line import title_line
from branchwise.report.text.wording import chance, count, plural, seconds, value

__all__ = ["program_lines"]

_LISTED: Final = 10
_STOP: Final = "stop"


def program_lines(
    solution: ProgramSolution,
    *,
    limit: int | None = _LISTED,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Tell the solution of a score program line by line.

    Parameters
    ----------
    solution
        What to tell.
    limit
        How many visited states to list, the likeliest first; None for all.
    width
        Cut lines that are longer; None lets them be.
    is_ascii
        Write without the marks that only Unicode has.
    paint
        Colors a piece of text, given what it is.
    """
    look = Look(width, is_ascii, paint)
    yield from _head(solution, look)
    yield ""
    yield from _root(solution.root, look)
    yield ""
    yield from _visited(solution, limit, look)


def _head(solution: ProgramSolution, look: Look) -> Iterator[str]:
    if solution.problem is not None:
        yield title_line(solution.problem, look)
    answer = value(solution.expected_reward)
    yield look.line([("expected reward ", "plain"), (answer, "reward")])
    size = (
        f"program: {plural(solution.num_columns, 'column')} (states), "
        f"{plural(solution.num_rows, 'row')} (actions considered), "
        f"{plural(solution.num_nonzeros, 'nonzero')}"
    )
    yield look.line([(size, "plain")])
    steps = f"{solution.method}, {plural(solution.iterations, 'iteration')}"
    by = steps if solution.iterations else "presolve alone"
    took = f"solved in {seconds(solution.seconds)} by HiGHS: {by}"
    yield look.line([(took, "plain")])


def _root(root: ScoredState, look: Look) -> Iterator[str]:
    """Show what can be done first: without slack is optimal."""
    rows = [
        [
            look.name(action.name, 0.4),
            value(action.value),
            value(action.slack),
            chance(action.probability),
        ]
        for action in root.actions
    ]
    stopping = max(0.0, root.score - root.reward)
    rows.append([f"({_STOP})", value(root.reward), value(stopping), chance(root.stops)])
    titles = ["first", "value", "slack", "taken"]
    yield from aligned(titles, rows, look, words=0, inks={0: "action", 1: "reward"})


def _visited(solution: ProgramSolution, limit: int | None, look: Look) -> Iterator[str]:
    # Where rewards add up, ways to one canonical state differ in what is secured.
    adds_up = solution.graph.is_canonical and any(solution.graph.gains)
    rows = [
        [
            chance(state.probability),
            value(state.score - state.gained if adds_up else state.score),
            _next(state, look),
            _where(state),
        ]
        for state in islice(solution.visited(), limit)
    ]
    after = "after, for example" if solution.graph.is_canonical else "after"
    titles = ["visited", "still to gain" if adds_up else "score", "then", after]
    yield from aligned(titles, rows, look, words=3, inks={2: "action"})
    if len(rows) < solution.num_visited:
        words = f"{count(len(rows))} of {plural(solution.num_visited, 'visited state')}"
        yield look.line([(words, "faint")])


def _next(state: ScoredState, look: Look) -> str:
    """Say what the plan does at a state: mostly one thing."""
    names = [
        look.name(action.name, 0.3) for action in state.actions if action.probability
    ]
    return " or ".join([*names, *([_STOP] if state.stops else [])])


def _where(state: ScoredState) -> str:
    return told(state.path) or "nothing yet"
