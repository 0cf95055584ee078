"""
The score program as sparse arrays: a column per state, a row per action considered.

Numpy comes with the extra `program`, so make sure of it before importing this file.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from branchwise.space.score_graph import ScoreGraph

__all__ = ["Floats", "ProgramMatrix"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class ProgramMatrix:
    """
    The rows and bounds of the score program of a graph, and what scores make of them.

    The row of an option says: the score of its state, less the expected score of its
    children, is at least what it is certain to gain less its charge. The bound of a
    column says: a score is at least the reward for stopping.

    Parameters
    ----------
    graph
        What to build it from.
    """

    def __init__(self, graph: ScoreGraph) -> None:
        self._graph = graph
        self.num_columns, self.num_rows = len(graph), graph.num_options
        self.lowest_scores = np.asarray(graph.rewards, dtype=np.float64)
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
        sizes = (np.abs(self.lowest_scores).max(), np.abs(self._gains).max(initial=0.0))
        return float(max(sizes)) or 1.0

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
        earned = taken @ self.certain + stops @ self.lowest_scores
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


def _whole(numbers: object) -> Whole:
    return np.asarray(numbers).astype(np.int64)


def _rows_of(firsts: Whole) -> Whole:
    """Return for each entry the row it is in, from where each row begins."""
    return np.repeat(np.arange(len(firsts) - 1), firsts[1:] - firsts[:-1])


def _totals(places: Whole, amounts: Floats, size: int) -> Floats:
    """Add up the amounts at each place."""
    return np.bincount(places, amounts, size).astype(np.float64)
