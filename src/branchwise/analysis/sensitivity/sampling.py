"""Thresholds of a named parameter, which may do anything: looked for point by point."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Final

from branchwise.analysis.sensitivity.envelope import Piece
from branchwise.analysis.sensitivity.plan_value import PlanLine
from branchwise.analysis.what_if import tie_width
from branchwise.model.problem import Problem

_PARTS: Final = 16  # how many ranges of equal width are looked at first
_FINEST: Final = 1024  # a threshold is found to within such a part of the range
_SLACK: Final = (
    1e3  # so many ties is what a plan may be worth less and still be as good
)


class Sampling:
    """
    The search for the best plan over the range of a named parameter.

    Many numbers may be computed from it, in any way, and a plan may come to fit the
    budget or no longer fit it; so nothing is known between two points. Where the plan
    of one is not as good at the other, what lies between is halved until it is narrow:
    that is a threshold. Others may be missed.
    """

    is_straight = False
    is_complete = False

    def __init__(
        self, problem: Problem, low: Fraction, high: Fraction, now: Fraction
    ) -> None:
        self._width = high - low
        self._slack = _SLACK * tie_width(problem)
        cuts = [low + self._width * part / _PARTS for part in range(_PARTS + 1)]
        # A budget may be used up to the last by what things cost now.
        cuts = sorted({*cuts, now} if low < now < high else cuts)
        self._known: dict[Fraction, PlanLine] = {}
        self._worths: dict[bytes, Callable[[Fraction], float]] = {}
        self._open = list(pairwise(cuts)) if low < high else [(low, high)]

    def open(self) -> list[Fraction]:
        """Return where the best plan must be known to go on; nothing at the end."""
        while self._open:
            missing = {at for ends in self._open for at in ends} - self._known.keys()
            if missing:
                return sorted(missing)
            ranges, self._open = self._open, []
            for low, high in ranges:
                self._look_between(low, high)
        return []

    def learn(self, at: Fraction, plan: PlanLine) -> None:
        """Take note of the best plan somewhere."""
        # One that does the same as another remembers what that was worth where.
        same = self._worths.setdefault(plan.deeds, plan.worth) if plan.deeds else None
        self._known[at] = plan if same is None else plan._replace(worth=same)

    @property
    def looked_at(self) -> tuple[Fraction, ...]:
        """Where the best plan is known, in order."""
        return tuple(sorted(self._known))

    def pieces(self) -> Iterator[Piece]:
        """Return the best plans in order."""
        points = sorted(self._known)
        worth = _between(points, [self._known[at].reward for at in points])
        start, plan = points[0], self._known[points[0]]
        for before, at in pairwise(points):
            if self._is_as_good(plan, at):
                continue
            end, following = self._change(before, at)
            if start < end:
                yield Piece(start, end, plan._replace(worth=worth))
            start, plan = end, following
        if start < points[-1] or len(points) == 1:
            yield Piece(start, points[-1], plan._replace(worth=worth))

    def _change(self, before: Fraction, at: Fraction) -> tuple[Fraction, PlanLine]:
        """Return where another plan takes over, and which: where both are as good."""
        for plan in (self._known[before], self._known[at]):
            if self._is_as_good(plan, before) and self._is_as_good(plan, at):
                return before, plan
        return _roundest(before, at), self._known[at]

    def _look_between(self, low: Fraction, high: Fraction) -> None:
        left, right = self._known[low], self._known[high]
        if self._is_as_good(left, high) or self._is_as_good(right, low):
            return
        if (high - low) * _FINEST <= self._width:
            return
        middle = (low + high) / 2
        self._open += [(low, middle), (middle, high)]

    def _is_as_good(self, plan: PlanLine, at: Fraction) -> bool:
        """Whether a plan is worth what the best is somewhere."""
        # To carry it out takes long, and the best one there often is the same.
        if plan.deeds and plan.deeds == self._known[at].deeds:
            return True
        return plan.worth(at) >= self._known[at].reward - self._slack


def _roundest(low: Fraction, high: Fraction) -> Fraction:
    """Return the number of fewest digits between two: no more of them are known."""
    digits = 0
    while True:
        ten = 10**digits
        found = Fraction(ceil(low * ten), ten)
        if found <= high:
            return found
        digits += 1


def _between(
    points: list[Fraction], rewards: list[float]
) -> Callable[[Fraction], float]:
    """Return straight lines from point to point."""

    def worth(at: Fraction) -> float:
        after = min(max(bisect_right(points, at), 1), len(points) - 1)
        low, high = points[after - 1], points[after]
        share = float((at - low) / (high - low)) if low < high else 0.0
        return rewards[after - 1] + share * (rewards[after] - rewards[after - 1])

    return worth
