"""The best plans as a cost fills the budget: they come to an end one by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from branchwise.analysis.envelope import Envelope, Piece
from branchwise.analysis.filled_budget import fits
from branchwise.analysis.parameters import Parameter
from branchwise.analysis.plan_line import PlanLine
from branchwise.analysis.what_if import tie_width
from branchwise.model.problem import Problem

__all__ = ["Descent", "Steps"]


class Steps:
    """
    The search for the best plan over a range of a cost that acts by the budget alone.

    The dearer it is, the fewer plans fit, and what a plan is worth does not change. So
    the value falls in steps: between two places where it is the same nothing happens,
    and the plan that is the best at the upper one is the best everywhere between.

    Parameters
    ----------
    problem
        What is solved.
    parameter
        The cost that is varied.
    low, high
        Its range.
    """

    is_straight = True

    def __init__(
        self, problem: Problem, parameter: Parameter, low: Fraction, high: Fraction
    ) -> None:
        found = fits(problem, parameter, low, high)
        self.is_complete = found.is_complete
        self._low = low
        self._ends = (*found.places, high)
        self._known: dict[Fraction, PlanLine] = {}
        self._tie = tie_width(problem)
        self._open = [(0, len(self._ends) - 1)]

    def open(self) -> list[Fraction]:
        """Give where the best plan must be known to go on; nothing at the end."""
        while self._open:
            wanted = {self._ends[i] for pair in self._open for i in pair}
            missing = wanted - self._known.keys()
            if missing:
                return sorted(missing)
            self._open = [half for pair in self._open for half in self._halves(*pair)]
        return []

    def learn(self, at: Fraction, plan: PlanLine) -> None:
        """Take note of the best plan somewhere."""
        self._known[at] = plan

    def learn_now(self, plan: PlanLine, room: Fraction | None) -> None:
        """Take note of the plan as things are, and by how much the cost may rise."""
        most = self._ends[-1] if room is None else plan.at + room
        reached = [at for at in self._ends if plan.at <= at <= most]
        for at in (*reached[:1], *reached[-1:]):
            self._known[at] = plan

    def pieces(self) -> Iterator[Piece]:
        """Give the best plans in order, each up to where it no longer fits."""
        ends = [at for at in self._ends if at in self._known]
        low = self._low
        for at, after in pairwise(ends):
            if not self._is_same(self._known[at], self._known[after]):
                yield Piece(low, at, self._known[at])
                low = at
        yield Piece(low, ends[-1], self._known[ends[-1]])

    def _halves(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Look closer where the value has fallen between two places."""
        low, high = self._known[self._ends[first]], self._known[self._ends[last]]
        if last - first > 1 and not self._is_same(low, high):
            middle = (first + last) // 2
            yield first, middle
            yield middle, last

    def _is_same(self, one: PlanLine, other: PlanLine) -> bool:
        return abs(one.reward - other.reward) <= self._tie


class Descent:
    """
    The search where a cost also counts against the reward.

    Between two places at which plans stop to fit, the same plans fit and each is worth
    what a straight line says: an envelope. At such a place the value may fall.

    Parameters
    ----------
    problem, parameter, low, high
        As for `Steps`.
    """

    is_straight = True

    def __init__(
        self, problem: Problem, parameter: Parameter, low: Fraction, high: Fraction
    ) -> None:
        found = fits(problem, parameter, low, high)
        self.is_complete = found.is_complete
        ends = (low, *found.places, high)
        self._slack = tie_width(problem) * 1e3
        self._parts = [
            Envelope(problem, parameter, at + (found.step if number else 0), end)
            for number, (at, end) in enumerate(pairwise(ends))
        ]
        self._starts = ends[:-1]

    def open(self) -> list[Fraction]:
        """Give where the best plan must be known to go on; nothing at the end."""
        return sorted(at for part in self._parts for at in part.open())

    def learn(self, at: Fraction, plan: PlanLine) -> None:
        """Take note of the best plan somewhere."""
        for part in self._parts:
            part.learn(at, plan)

    def pieces(self) -> Iterator[Piece]:
        """Give the best plans in order; a dearer one that is as good goes further."""
        found: list[Piece] = []
        for start, part in zip(self._starts, self._parts, strict=True):
            for number, piece in enumerate(part.pieces()):
                low = piece.low if number else start
                if found and self._is_as_good(found[-1], piece.plan):
                    low = found.pop().low
                found.append(Piece(low, piece.high, piece.plan))
        yield from found

    def _is_as_good(self, piece: Piece, plan: PlanLine) -> bool:
        """Tell whether a plan that still fits later was as good all along."""
        return all(
            abs(plan.worth(at) - piece.plan.worth(at)) <= self._slack
            for at in (piece.low, piece.high)
        )
