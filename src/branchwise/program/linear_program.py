"""The score program: the recursion of scores as a linear program, with its duals."""

from __future__ import annotations

import os
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from branchwise.engine.limits import Limits, watched
from branchwise.model.features import features_of
from branchwise.model.numbers.number import TIE
from branchwise.model.problem import Problem
from branchwise.program.program_solution import OfGraph, ProgramSolution
from branchwise.space.finishing import only_finishing
from branchwise.space.own_space import OwnSpace
from branchwise.space.score_graph import ScoreGraph
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, Progress, Stage, silent

if TYPE_CHECKING:
    from branchwise.program.highs import ProgramMatrix, Solved

from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked

PROGRAM_GRAPHS: Final = ("auto", "canonical", "full")
"""What a score program can be built from; the first, which chooses, is the default."""

PROGRAM_METHODS: Final = ("simplex", "ipm")
"""How HiGHS can solve a score program; the first one is the default."""

# Past this the program takes more memory than most machines have.
_MOST_STATES: Final = 2_000_000

_SUFFIXES: Final = (".mps", ".lp")


def score_program(
    problem: Problem | OwnSpace,
    *,
    graph: Literal["auto", "canonical", "full"] = "auto",
    naive: bool = False,
    most_states: int = _MOST_STATES,
    time_limit_seconds: float | None = None,
    progress: Listener = silent,
) -> ScoreProgram:
    """
    Build the score program of a problem: the paper's linear program.

    It looks for the lowest score of every state such that none is less than the reward
    for stopping there, nor than what any action considered there is worth. The engines
    are faster; the program is for checking them, and for its duals.

    Parameters
    ----------
    problem
        A problem, or any state space of your own.
    graph
        ``canonical``: one state per distinct future. ``full``: the states of the full
        graph, as in the paper. ``auto``: the first for a problem, the second for a
        state space.
    naive
        Take the naive full graph, without pruning by rewarding sets.
    most_states
        Give up when there are more states than this.
    time_limit_seconds
        Give up when finding the states takes longer than this.
    progress
        Called with how far it has come.

    Raises
    ------
    ProblemError
        The problem contradicts itself; the error lists every issue.
    LimitError
        There are too many states, or it took too long.
    ImportError
        HiGHS is not installed.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)
    >>> program = score_program(Problem([toss], [Reward(toss["heads"], 10)]))
    >>> solution = program.solve()
    >>> solution.expected_reward, solution.root.optimal_actions
    (7.5, ('toss',))
    """
    _check_known("graph", graph, PROGRAM_GRAPHS)
    if graph == "canonical" and naive:
        raise ValueError("canonical states are never naive; the full graph may be")
    _make_sure_of_highs()
    limits = Limits(time_limit_seconds=time_limit_seconds)
    listener = watched(up_to(most_states, progress), limits)
    if graph == "canonical" and not isinstance(problem, Problem):
        raise ValueError("a state space of your own has no canonical states")
    found = program_graph(problem, graph, naive=naive, progress=listener)
    if len(found) > most_states:
        raise too_many(most_states)
    return ScoreProgram(found, problem if isinstance(problem, Problem) else None)


class ScoreProgram(OfGraph):
    """
    A linear program whose columns are the scores of states.

    Parameters
    ----------
    graph
        The states, options and branches to build it from.
    problem
        What it is about; None for a state space of your own.
    """

    def __init__(self, graph: ScoreGraph, problem: Problem | None) -> None:
        self.graph = graph
        self.problem = problem

    def solve(
        self,
        *,
        method: Literal["simplex", "ipm"] = "simplex",
        presolve: bool = True,
        time_limit_seconds: float | None = None,
        progress: Listener = silent,
    ) -> ProgramSolution:
        """
        Solve the program with HiGHS.

        Parameters
        ----------
        method
            What to use where presolve leaves something to do: ``simplex``, or ``ipm``,
            an interior point method that ends in a corner, too.
        presolve
            Whether HiGHS may simplify the program first. It then mostly needs nothing
            else.
        time_limit_seconds
            Give up after this time.
        progress
            Told once that it begins.

        Raises
        ------
        LimitError
            The time did not suffice.
        ImportError
            HiGHS is not installed.
        """
        _check_known("method", method, PROGRAM_METHODS)
        limits = Limits(time_limit_seconds=time_limit_seconds)
        start = time.monotonic()
        deadline = Deadline.after(limits.time_limit_seconds)
        progress(Progress(Stage.PROGRAM, len(self.graph)))
        matrix = self._matrix
        from branchwise.program.highs import solved  # noqa: PLC0415

        found = solved(matrix, method, presolve=presolve, deadline=deadline)
        return self._answer(found, method, seconds=time.monotonic() - start)

    def write(self, file: str | os.PathLike[str], *, only_root: bool = False) -> None:
        """
        Write the program to a file for other solvers.

        Column ``s0`` is the score of the root; row ``s3_drill`` says that the score of
        state 3 is at least what drilling is worth there.

        Parameters
        ----------
        file
            Where to; the name ends in ``.mps`` or ``.lp``.
        only_root
            Let the score of the root alone be minimized. The optimum is then the
            expected reward, and the duals of the rows are the visits; the scores of
            states that the plan does not visit may be anything that is allowed.

        Raises
        ------
        ImportError
            HiGHS is not installed.
        FormatError
            The file cannot be written.
        """
        path = Path(file)
        if path.suffix.lower() not in _SUFFIXES:
            known = " or ".join(_SUFFIXES)
            raise ValueError(f"`{path}` must end in {known}")
        matrix = self._matrix
        from branchwise.program.highs import write_model  # noqa: PLC0415

        write_model(matrix, path, only_root=only_root)

    def _answer(self, found: Solved, method: str, *, seconds: float) -> ProgramSolution:
        matrix = self._matrix
        tolerance = max(TIE * matrix.scale, 2 * found.residual)
        return ProgramSolution(
            graph=self.graph,
            problem=self.problem,
            scores=found.scores.tolist(),
            slacks=matrix.slacks(found.scores, tolerance).tolist(),
            visits=matrix.visits(found.taken).tolist(),
            taken=found.taken.tolist(),
            stops=found.stops.tolist(),
            tolerance=tolerance,
            residual=found.residual,
            num_nonzeros=len(matrix.factors),
            method=method,
            iterations=found.iterations,
            is_presolved=found.is_presolved,
            seconds=seconds,
        )

    @cached_property
    def _matrix(self) -> ProgramMatrix:
        _make_sure_of_highs()
        from branchwise.program.highs import ProgramMatrix  # noqa: PLC0415

        return ProgramMatrix(self.graph)


def _check_known(kind: str, name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        raise ValueError(f"there is no {kind} `{name}`; there are {', '.join(names)}")


def _make_sure_of_highs() -> None:
    """Return what to install if HiGHS is missing, or numpy, which comes with it."""
    try:
        import highspy  # noqa: F401, PLC0415
    except ImportError:
        fix = "pip install highspy"
        raise ImportError(f"the score program needs HiGHS: {fix}") from None


def program_graph(
    problem: Problem | OwnSpace, graph: str, *, naive: bool, progress: Listener
) -> ScoreGraph:
    """Explore the states that a program is to be built from."""
    # Start-up is felt, so an engine is loaded when it is used.
    from branchwise.engine.lower import Lowered  # noqa: PLC0415
    from branchwise.engine.score_graph import canonical_score_graph, paper_score_graph  # noqa: PLC0415

    if not isinstance(problem, Problem):
        return _slow_graph(problem, naive=naive, progress=progress)
    is_full = graph == "full" or naive
    if features_of(checked(problem)) and is_full:
        # Every state is listed: what may be pruned is not known for these.
        return only_finishing(_slow_graph(problem, naive=True, progress=progress))
    try:
        Lowered(problem, every_resource=is_full)
    except LimitError:  # The costs are too fine for the core, but not for fractions.
        if graph == "canonical":
            raise
        naive |= bool(features_of(problem))
        return only_finishing(_slow_graph(problem, naive=naive, progress=progress))
    if is_full:
        return paper_score_graph(problem, naive=naive, progress=progress)
    return only_finishing(canonical_score_graph(problem, progress=progress))


def _slow_graph(
    problem: Problem | OwnSpace, *, naive: bool, progress: Listener
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
