"""Score programs, shown: the value, the size, the root and the visited states."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar, Final, NamedTuple

from branchwise.program.program_solution import ProgramSolution, ScoredState
from branchwise.report.answer import Answer, Detail
from branchwise.report.column import Column, table_lines
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
from branchwise.report.markup import happened
from branchwise.report.text.ink import Look, title_line
from branchwise.report.text.label import history_text
from branchwise.report.text.wording import count, plural, seconds, value

_LISTED: Final = 10
_STOP: Final = "stop"
_NOTHING_YET: Final = "nothing yet"


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

    page = "page.program.program_page"
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
        yield from table_lines(choice_columns(self.result), choices(self.result), look)
        yield ""
        yield from _visited(self.result, limit, look)


class Choice(NamedTuple):
    """What can be done first: an action, or to stop."""

    name: str
    value: float
    slack: float
    probability: float


def _head(solution: ProgramSolution, look: Look) -> Iterator[str]:
    if solution.problem is not None:
        yield title_line(solution.problem, look)
    worth = value(worth_in(solution, solution.expected_reward))
    what = "expected cost " if is_cost(solution) else "expected reward "
    yield look.line(what, (worth, "reward"))
    yield look.line(
        f"program: {plural(solution.num_columns, 'column')} (states), "
        f"{plural(solution.num_rows, 'row')} (actions considered), "
        f"{plural(solution.num_nonzeros, 'nonzero')}"
    )
    yield look.line(
        f"solved in {seconds(solution.seconds)} by HiGHS: {steps(solution)}"
    )


def steps(solution: ProgramSolution) -> str:
    """Return in words how the program was solved."""
    taken = f"{solution.method}, {plural(solution.iterations, 'iteration')}"
    return taken if solution.iterations else "presolve alone"


def is_cost(solution: ProgramSolution) -> bool:
    """Whether the least cost was wanted."""
    return solution.problem is not None and solution.problem.is_least_cost


def worth_in(solution: ProgramSolution, worth: float) -> float:
    """Return what a state or an action is worth, as it is shown: as a cost, maybe."""
    return 0 - worth if is_cost(solution) else worth


def adds_up(solution: ProgramSolution) -> bool:
    """Whether ways to one canonical state differ in what is secured."""
    return solution.graph.is_canonical and any(solution.graph.gains)


def choices(solution: ProgramSolution) -> list[Choice]:
    """Return what can be done first: without slack is optimal."""
    root = solution.root
    found = [Choice(a.name, a.value, a.slack, a.probability) for a in root.actions]
    if root.reward is not None:
        slack = max(0.0, root.score - root.reward)
        found.append(Choice(f"({_STOP})", root.reward, slack, root.stops))
    return found


def choice_columns(solution: ProgramSolution) -> Sequence[Column]:
    """Return the columns of what can be done first."""

    def worth(choice: Choice) -> float:
        return worth_in(solution, choice.value)

    title = "cost" if is_cost(solution) else "value"
    return (
        Column("first", "first", "name", "name", ink="action"),
        Column("worth", title, "value", worth, ink="reward"),
        Column("slack", "slack", "value"),
        Column("probability", "taken", "chance"),
    )


def visit_columns(solution: ProgramSolution) -> Sequence[Column]:
    """Return the columns of the states that the plan visits."""

    def score(state: ScoredState) -> float:
        gained = state.gained if adds_up(solution) else 0
        return worth_in(solution, state.score - gained)

    usual = "cost" if is_cost(solution) else "score"
    after = "after, for example" if solution.graph.is_canonical else "after"
    return (
        Column("probability", "visited", "chance"),
        Column(
            "score", "still to gain" if adds_up(solution) else usual, "value", score
        ),
        Column("then", "then", "name", _next, ink="action"),
        Column("after", after, "text", _after, html=_after_on_page),
    )


def _visited(solution: ProgramSolution, limit: int | None, look: Look) -> Iterator[str]:
    states = list(islice(solution.visited(), limit))
    yield from table_lines(visit_columns(solution), states, look)
    if len(states) < solution.num_visited:
        shown = count(len(states))
        words = f"{shown} of {plural(solution.num_visited, 'visited state')}"
        yield look.line((words, "faint"))


def _next(state: ScoredState) -> str:
    """Return in words what the plan does at a state: mostly one thing."""
    names = [action.name for action in state.actions if action.probability]
    return " or ".join([*names, *([_STOP] if state.stops else [])])


def _after(state: ScoredState) -> str:
    return history_text(state.path) or _NOTHING_YET


def _after_on_page(state: ScoredState) -> str:
    return happened(state.path, _NOTHING_YET)
