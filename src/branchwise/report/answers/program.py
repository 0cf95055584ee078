"""Score programs, shown: the value, the size, the root and the visited states."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import ClassVar, Final

from branchwise.program.program_solution import ProgramSolution, ScoredState
from branchwise.report.answer import Answer, Detail
from branchwise.report.fields import (
    BOOLEAN,
    COUNT,
    EVENTS,
    NUMBER,
    SECONDS,
    TEXT,
    Field,
    array,
    document,
    nullable,
    one_of,
    record,
)
from branchwise.report.json_text import Object
from branchwise.report.text.ink import Look, aligned, title_line
from branchwise.report.text.label import history_text
from branchwise.report.text.wording import chance, count, plural, seconds, value

_LISTED: Final = 10
_STOP: Final = "stop"


_ACTION: Final = record(
    Field("name", TEXT),
    Field("value", NUMBER),
    Field("slack", NUMBER, note="0 if it is optimal."),
    Field("is_optimal", BOOLEAN),
    Field("probability", NUMBER, note="That the plan takes it."),
)
_STATE: Final = record(
    Field("column", TEXT, lambda state: f"s{state.number}").about(
        "Its name in written programs."
    ),
    Field("path", EVENTS, note="A shortest way there, in order."),
    Field("state", TEXT, note="What has happened and what is left."),
    Field("score", NUMBER),
    Field("reward", nullable(NUMBER), note="For stopping; null where it must go on."),
    Field("gained", NUMBER, note="The column has the score without it."),
    Field("probability", NUMBER, note="That the plan visits it."),
    Field("stops", NUMBER, note="That the plan ends there."),
    Field("actions", array(_ACTION)),
)


class ProgramAnswer(Answer[ProgramSolution]):
    """
    The solution of a score program.

    Parameters
    ----------
    solution
        What to show.
    limit
        How many states to list, the likeliest first. Unless given, the document has
        all, and text a few of them, or with full detail all.
    is_complete
        Whether the document lists every state, the root first, and not only those that
        the plan visits, the likeliest first.
    """

    layout: ClassVar = document(
        "branchwise-score-program",
        "Scores, slacks and visits of states, from a linear program.",
        Field(
            "problem",
            TEXT,
            lambda solution: solution.problem.name if solution.problem else "",
        ).about("Its name."),
        Field("expected_reward", NUMBER),
        Field("num_columns", COUNT, note="States."),
        Field("num_rows", COUNT, note="Actions considered."),
        Field("num_nonzeros", COUNT),
        Field("num_visited", COUNT, note="States that the plan visits."),
        Field("method", one_of("simplex", "ipm")),
        Field("is_presolved", BOOLEAN),
        Field("iterations", COUNT),
        Field("seconds", SECONDS),
        Field("residual", NUMBER, note="What scores are off by."),
        Field("states", array(_STATE), lambda _: ()),
    )

    def __init__(
        self,
        solution: ProgramSolution,
        *,
        limit: int | None = None,
        is_complete: bool = False,
    ) -> None:
        super().__init__(solution)
        self._limit = limit
        self._is_complete = is_complete

    def document(self) -> Object:
        """Return the solution as plain data, with as many states as are wanted."""
        solution = self.result
        listed = solution.states() if self._is_complete else solution.visited()
        states = [_STATE.plain(state) for state in islice(listed, self._limit)]
        return {**super().document(), "states": states}

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return the value, the size, and unless short the root and visited states."""
        yield from _head(self.result, look)
        if detail == "answer":
            return
        usual = None if detail == "full" else _LISTED
        limit = usual if self._limit is None else self._limit
        yield ""
        yield from _root(self.result, look)
        yield ""
        yield from _visited(self.result, limit, look)


def _head(solution: ProgramSolution, look: Look) -> Iterator[str]:
    if solution.problem is not None:
        yield title_line(solution.problem, look)
    worth = _shown(solution)(solution.expected_reward)
    what = "expected cost " if _is_cost(solution) else "expected reward "
    yield look.line(what, (worth, "reward"))
    yield look.line(
        f"program: {plural(solution.num_columns, 'column')} (states), "
        f"{plural(solution.num_rows, 'row')} (actions considered), "
        f"{plural(solution.num_nonzeros, 'nonzero')}"
    )
    steps = f"{solution.method}, {plural(solution.iterations, 'iteration')}"
    by = steps if solution.iterations else "presolve alone"
    yield look.line(f"solved in {seconds(solution.seconds)} by HiGHS: {by}")


def _is_cost(solution: ProgramSolution) -> bool:
    return solution.problem is not None and solution.problem.is_least_cost


def _shown(solution: ProgramSolution) -> Callable[[float], str]:
    """Return how to show what a state or an action is worth: as a cost, maybe."""
    is_cost = _is_cost(solution)
    return lambda worth: value(0 - worth if is_cost else worth)


def _root(solution: ProgramSolution, look: Look) -> Iterator[str]:
    """Show what can be done first: without slack is optimal."""
    root, shown = solution.root, _shown(solution)
    rows = [
        [look.name(a.name, 0.4), shown(a.value), value(a.slack), chance(a.probability)]
        for a in root.actions
    ]
    if root.reward is not None:
        slack = max(0.0, root.score - root.reward)
        rows.append(
            [f"({_STOP})", shown(root.reward), value(slack), chance(root.stops)]
        )
    titles = ["first", "cost" if _is_cost(solution) else "value", "slack", "taken"]
    yield from aligned(titles, rows, look, words=0, inks={0: "action", 1: "reward"})


def _visited(solution: ProgramSolution, limit: int | None, look: Look) -> Iterator[str]:
    # Where rewards add up, ways to one canonical state differ in what is secured.
    adds_up = solution.graph.is_canonical and any(solution.graph.gains)
    shown = _shown(solution)
    rows = [
        [
            chance(state.probability),
            shown(state.score - state.gained if adds_up else state.score),
            _next(state, look),
            history_text(state.path) or "nothing yet",
        ]
        for state in islice(solution.visited(), limit)
    ]
    after = "after, for example" if solution.graph.is_canonical else "after"
    score = "cost" if _is_cost(solution) else "score"
    titles = ["visited", "still to gain" if adds_up else score, "then", after]
    yield from aligned(titles, rows, look, words=3, inks={2: "action"})
    if len(rows) < solution.num_visited:
        words = f"{count(len(rows))} of {plural(solution.num_visited, 'visited state')}"
        yield look.line((words, "faint"))


def _next(state: ScoredState, look: Look) -> str:
    """Return in words what the plan does at a state: mostly one thing."""
    names = [look.name(a.name, 0.3) for a in state.actions if a.probability]
    return " or ".join([*names, *([_STOP] if state.stops else [])])
