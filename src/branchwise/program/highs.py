"""
The score program in HiGHS: solved, checked, and written for other solvers.

HiGHS is asked for every score at once, with the finest tolerances it has. What it says
is checked against the recursion of scores, since its presolve has been wrong before:
where the check fails, it is asked again without presolve. The best basis is then used
again with the root alone in the objective, which takes no further step and has the
visits as its duals.

HiGHS and numpy come with the extra `program`: make sure of it before importing this.
"""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

import highspy
import numpy as np
from numpy.typing import NDArray

from branchwise.errors import LimitError
from branchwise.formats.atomic import cannot_write, write_atomically
from branchwise.space.score_graph import ScoreGraph
from branchwise.tree.deadline import Deadline

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

Method = Literal["simplex", "ipm"]

# In units of the largest reward. HiGHS offers nothing finer.
_FINEST: Final = 1e-10

# What is checked must hold to this. A score is then off by no more than this for each
# action that may still follow, and so exact to 1e-9.
_MOST_OFF: Final = 1e-11

_LAST_LINES: Final = {".mps": b"\nENDATA\n", ".lp": b"\nend\n"}


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """What HiGHS has found, and passed the check."""

    scores: Floats  # by state
    # By option, the dual of its row: how likely an optimal plan is to take it.
    taken: Floats
    # By state, the dual of its bound: how likely this plan is to stop there.
    stops: Floats
    residual: float  # by how much the recursion of scores is missed, at most
    # Of simplex, interior point and crossover together; none where presolve alone did
    # it.
    iterations: int
    is_presolved: bool  # whether presolve was used


def solved(
    matrix: ProgramMatrix, method: Method, *, presolve: bool, deadline: Deadline
) -> Solved:
    """Solve the program."""
    found: Solved | str = ""
    for is_presolved in (True, False) if presolve else (False,):
        found = _attempt(matrix, method, deadline, is_presolved=is_presolved)
        if isinstance(found, Solved):
            return found
    raise RuntimeError(f"HiGHS gave up on the score program: {found}")


def write_model(matrix: ProgramMatrix, file: Path, *, only_root: bool) -> None:
    """Write the program, in the rewards' own units, as the file's name ends."""
    highs = _loaded(matrix, scale=1.0, has_names=True)
    if only_root:
        _weigh_root(highs, matrix.num_columns)
    with TemporaryDirectory() as folder:
        draft = Path(folder) / f"program{file.suffix.lower()}"
        status = highs.writeModel(str(draft))
        # HiGHS does not notice that a disk is full: see whether it came to the end.
        text = draft.read_bytes() if draft.exists() else b""
        is_error = status == highspy.HighsStatus.kError
        if is_error or not text.endswith(_LAST_LINES[draft.suffix]):
            reason = OSError(errno.ENOSPC, "HiGHS could not write all of it")
            raise cannot_write(draft, reason)
    write_atomically(file, text)


def _attempt(
    matrix: ProgramMatrix, method: Method, deadline: Deadline, *, is_presolved: bool
) -> Solved | str:
    """Solve for every score, then for the visits; say what went wrong, if any did."""
    highs = _loaded(matrix, scale=matrix.scale)
    highs.setOptionValue("solver", method)
    highs.setOptionValue("presolve", "on" if is_presolved else "off")
    status, iterations = _run(highs, deadline)
    if status:
        return status
    scores = np.asarray(highs.getSolution().col_value, dtype=np.float64) * matrix.scale
    residual = matrix.residual(scores)
    if residual > _MOST_OFF * matrix.scale:
        return f"it misses the recursion of scores by {residual:g}"
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("presolve", "off")
    _weigh_root(highs, matrix.num_columns)
    status, more = _run(highs, deadline)
    if status:
        return status
    duals = highs.getSolution()
    taken: Floats = np.asarray(duals.row_dual, dtype=np.float64)
    stops: Floats = np.asarray(duals.col_dual, dtype=np.float64)
    error = matrix.flow_error(taken, stops, scores)
    if error > _MOST_OFF:
        return f"its duals are off by {error:g}"
    visits = np.maximum(taken, 0.0), np.maximum(stops, 0.0)
    return Solved(scores, *visits, residual, iterations + more, is_presolved)


def _run(highs: highspy.Highs, deadline: Deadline) -> tuple[str, int]:
    """Let HiGHS work; say what kept it from the optimum, if anything, and its steps."""
    # HiGHS counts the time of all runs together.
    seconds = highs.getRunTime() + max(0.0, deadline.seconds_left)
    highs.setOptionValue("time_limit", seconds)
    highs.run()
    status = highs.getModelStatus().name
    if status == "kTimeLimit" or deadline.is_over:
        raise LimitError("the time limit was met before the program was solved")
    info = highs.getInfo()
    kinds = ("simplex", "ipm", "crossover")
    counts = (getattr(info, f"{kind}_iteration_count") for kind in kinds)
    return "" if status == "kOptimal" else status, sum(max(0, n) for n in counts)


def _loaded(
    matrix: ProgramMatrix, *, scale: float, has_names: bool = False
) -> highspy.Highs:
    """Return the program to HiGHS, with rewards in units of this scale."""
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = matrix.num_columns, matrix.num_rows
    program.col_cost_ = np.ones(matrix.num_columns)
    program.col_lower_ = matrix.lowest_scores / scale
    program.col_upper_ = np.full(matrix.num_columns, np.inf)
    program.row_lower_ = matrix.certain / scale
    program.row_upper_ = np.full(matrix.num_rows, np.inf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = matrix.starts
    program.a_matrix_.index_ = matrix.columns
    program.a_matrix_.value_ = matrix.factors
    if has_names:
        program.col_names_ = [f"s{state}" for state in range(matrix.num_columns)]
        program.row_names_ = matrix.row_names()
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", "off")
    highs.setOptionValue("primal_feasibility_tolerance", _FINEST)
    highs.setOptionValue("dual_feasibility_tolerance", _FINEST)
    highs.passModel(program)
    return highs


def _weigh_root(highs: highspy.Highs, num_columns: int) -> None:
    weights = np.zeros(num_columns)
    weights[0] = 1.0
    highs.changeColsCost(num_columns, np.arange(num_columns, dtype=np.int32), weights)


class ProgramMatrix:
    """
    The rows and bounds of the score program of a graph, and what scores make of them.

    The row of an option says: the score of its state, less the expected score of its
    children, is at least what it is certain to gain less its charge. The bound of a
    column says: a score is at least the reward for stopping, where one may stop.
    """

    def __init__(self, graph: ScoreGraph) -> None:
        self._graph = graph
        self.num_columns, self.num_rows = len(graph), graph.num_options
        stops = np.asarray(graph.rewards, dtype=np.float64)
        self._may_stop = _may_stop(graph)
        self.lowest_scores = np.where(self._may_stop, stops, -np.inf)
        self._probabilities = np.asarray(graph.probabilities, dtype=np.float64)
        self._gains = np.asarray(graph.gains, dtype=np.float64)
        self._children = _whole(graph.children)
        self._state_of = _rows_of(_whole(graph.first_options))
        self._option_of = _rows_of(_whole(graph.first_branches))
        charges = np.asarray(graph.charges, dtype=np.float64)
        self.certain = self._expected(self._gains) - charges
        self.starts, self.columns, self.factors = self._rows()

    @property
    def scale(self) -> float:
        """The largest reward, which scores are counted in while HiGHS works."""
        stops = self.lowest_scores[self._may_stop]
        sizes = (np.abs(stops).max(), np.abs(self._gains).max(initial=0.0))
        # Where nothing is paid, what is spent says how large numbers are.
        return float(max(sizes)) or float(np.abs(self.certain).max(initial=0.0)) or 1.0

    def worth(self, scores: Floats) -> Floats:
        """Return what each option is worth, if its children have these scores."""
        return self.certain + self._expected(scores[self._children])

    def slacks(self, scores: Floats, tolerance: float) -> Floats:
        """
        Return by how much the score of its state exceeds what each option is worth.

        What is within the tolerance is rounding, and no slack.
        """
        slacks: Floats = scores[self._state_of] - self.worth(scores)
        slacks[np.abs(slacks) <= tolerance] = 0.0
        return slacks

    def residual(self, scores: Floats) -> float:
        """
        Return by how much the recursion of scores is missed, at most.

        A score should be the best of the reward for stopping and of what the options
        are worth: neither less, as the program requires, nor more, as its minimum is.
        """
        best = self.lowest_scores.copy()
        np.maximum.at(best, self._state_of, self.worth(scores))
        return float(np.abs(scores - best).max())

    def visits(self, taken: Floats) -> Floats:
        """Return how likely each state is visited, if options are taken so often."""
        followed = taken[self._option_of] * self._probabilities
        visits = _totals(self._children, followed, self.num_columns)
        visits[0] += 1.0
        return visits

    def flow_error(self, taken: Floats, stops: Floats, scores: Floats) -> float:
        """
        Return by how much duals miss being those of an optimal plan from the root.

        What comes into a state goes out of it, by an option or by stopping; nothing is
        below zero; and what is earned on the way is the score of the root.
        """
        left = _totals(self._state_of, taken, self.num_columns) + stops
        unbalanced = np.abs(self.visits(taken) - left).max()
        below = -min(taken.min(initial=0.0), stops.min(initial=0.0))
        paid = np.where(self._may_stop, self.lowest_scores, 0.0)
        earned = taken @ self.certain + stops @ paid
        missed = abs(earned - scores[0]) / self.scale
        return float(max(unbalanced, below, missed))

    def row_names(self) -> list[str]:
        """Name the rows so that every solver can read it: ``s0_drill``."""
        safe: dict[str, None] = {}
        for number, name in enumerate(self._graph.action_names):
            plain = re.sub(r"\W", "_", name, flags=re.ASCII)[:40]
            safe[plain if plain and plain not in safe else f"{plain}_{number}"] = None
        names = list(safe)
        options = zip(self._state_of, self._graph.actions, strict=True)
        return [f"s{state}_{names[action]}" for state, action in options]

    def _expected(self, by_branch: Floats) -> Floats:
        return _totals(self._option_of, self._probabilities * by_branch, self.num_rows)

    def _rows(self) -> tuple[Whole, Whole, Floats]:
        """Return the rows in order; branches to the same state are one entry."""
        rows = np.concatenate([np.arange(self.num_rows), self._option_of])
        columns = np.concatenate([self._state_of, self._children])
        factors = np.concatenate([np.ones(self.num_rows), -self._probabilities])
        places, entries = np.unique(
            rows * self.num_columns + columns, return_inverse=True
        )
        ends = np.arange(self.num_rows + 1) * self.num_columns
        starts = np.searchsorted(places, ends)
        merged = _totals(entries, factors, len(places))
        return _whole(starts), _whole(places % self.num_columns), merged


def _may_stop(graph: ScoreGraph) -> NDArray[np.bool_]:
    """Return for each state whether one may stop there, or can do nothing else."""
    firsts = _whole(graph.first_options)
    is_allowed = np.frombuffer(bytes(graph.may_stop), dtype=np.uint8) != 0
    may_stop: NDArray[np.bool_] = is_allowed | (firsts[1:] == firsts[:-1])
    return may_stop


def _whole(numbers: object) -> Whole:
    return np.asarray(numbers).astype(np.int64)


def _rows_of(firsts: Whole) -> Whole:
    """Return for each entry the row it is in, from where each row begins."""
    return np.repeat(np.arange(len(firsts) - 1), firsts[1:] - firsts[:-1])


def _totals(places: Whole, amounts: Floats, size: int) -> Floats:
    return np.bincount(places, amounts, size).astype(np.float64)
