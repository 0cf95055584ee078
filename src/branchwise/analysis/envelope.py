"""The upper envelope of plans: which one is the best, over a range of one number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from branchwise.analysis.parameters import Parameter
from branchwise.analysis.plan_line import PlanLine, bends, is_straight
from branchwise.analysis.what_if import tie_width
from branchwise.model.problem import Problem

__all__ = ["Envelope", "Piece"]

# At 0 and 1 outcomes vanish, and with them what a plan would do after them; at 0 a cost
# is none.
_MARGIN: Final = Fraction(1, 10**9)

# Thresholds are found to this share of the range.
_TOLERANCE: Final = Fraction(1, 10**10)

# Where plans bend, two of them may cross twice: the range is cut into parts first.
_PARTS: Final = 16

# Values closer than so many times a tie are the same: lines are sums of many floats.
_SLACK: Final = 1e3


@dataclass(frozen=True, slots=True)
class Piece:
    """A range over which one plan is the best."""

    low: Fraction
    high: Fraction
    plan: PlanLine


class Envelope:
    """
    The search for the best plan over a range of one number.

    The value is the highest of what finitely many plans are worth. Where the plans
    found at both ends of a range cross, the value is looked up: either no plan is
    better there, and that is a threshold, or there is one, and both sides are searched.

    Parameters
    ----------
    problem
        What is solved.
    parameter
        The number that is varied.
    low, high
        Its range.
    """

    def __init__(
        self, problem: Problem, parameter: Parameter, low: Fraction, high: Fraction
    ) -> None:
        self.is_straight = is_straight(problem, parameter)
        # Costs are counted in whole units, which must not be too fine.
        self._is_counted = parameter.kind == "cost"
        self._low, self._high = low, high
        self._width = high - low
        self._slack = _SLACK * tie_width(problem)
        self._known: dict[Fraction, PlanLine] = {}
        if parameter.kind in {"probability", "cost"}:
            low = max(low, _MARGIN)
        if parameter.kind == "probability":
            high = min(high, 1 - _MARGIN)
        parts = 1 if self.is_straight else _PARTS
        cuts = {low + (high - low) * part / parts for part in range(parts + 1)}
        cuts |= {at for at in bends(problem, parameter) if low < at < high}
        self._open = list(pairwise(sorted(cuts)))
        self._wanted: set[Fraction] = set()
        self._pieces: list[Piece] = []

    def open(self) -> list[Fraction]:
        """Give where the best plan must be known to go on; nothing at the end."""
        while True:
            self._wanted.update(at for ends in self._open for at in ends)
            self._wanted.difference_update(self._known)
            if self._wanted or not self._open:
                return sorted(self._wanted)
            ranges, self._open = self._open, []
            for low, high in ranges:
                self._search(low, high)

    def learn(self, at: Fraction, plan: PlanLine) -> None:
        """Take note of the best plan somewhere."""
        self._known[at] = plan

    def pieces(self) -> Iterator[Piece]:
        """Give the best plans in order; the first and the last reach to the ends."""
        found: list[Piece] = []
        for piece in sorted(self._pieces, key=lambda piece: piece.low):
            if found and self._is_same_plan(found[-1].plan, piece):
                found[-1] = Piece(found[-1].low, piece.high, found[-1].plan)
            else:
                found.append(piece)
        found[0] = Piece(self._low, found[0].high, found[0].plan)
        found[-1] = Piece(found[-1].low, self._high, found[-1].plan)
        yield from found

    def _search(self, low: Fraction, high: Fraction) -> None:
        left, right = self._known[low], self._known[high]
        if self._reaches(left, high, right):
            self._pieces.append(Piece(low, high, left))
        elif self._reaches(right, low, left):
            self._pieces.append(Piece(low, high, right))
        else:
            self._split(low, high)

    def _split(self, low: Fraction, high: Fraction) -> None:
        """Look where two plans cross whether a third one is better."""
        left, right = self._known[low], self._known[high]
        at = self._crossing(low, high)
        if self._is_counted:
            at = round(at / _MARGIN) * _MARGIN
        nearest = min(at - low, high - at)
        best = self._known.get(at)
        if nearest <= _TOLERANCE * self._width or (
            best is not None and self._reaches(left, at, best)
        ):
            self._pieces += [Piece(low, at, left), Piece(at, high, right)]
        elif best is None:
            # What is found there decides; until then the range stays as it is.
            self._wanted.add(at)
            self._open.append((low, high))
        else:
            self._open += [(low, at), (at, high)]

    def _reaches(self, plan: PlanLine, at: Fraction, best: PlanLine) -> bool:
        """Tell whether a plan is the best also where another one was found to be."""
        return plan.worth(at) >= best.reward - self._slack

    def _is_same_plan(self, plan: PlanLine, piece: Piece) -> bool:
        ends = (piece.low, piece.high)
        return all(
            abs(plan.worth(at) - piece.plan.worth(at)) <= self._slack for at in ends
        )

    def _crossing(self, low: Fraction, high: Fraction) -> Fraction:
        """Find where the plans of both ends are worth the same."""
        left, right = self._known[low], self._known[high]

        def lead(at: Fraction) -> float:
            return left.worth(at) - right.worth(at)

        if self.is_straight:
            before, after = lead(low), lead(high)
            share = Fraction(before / (before - after))
            return low + (high - low) * share.limit_denominator(10**12)
        while high - low > _TOLERANCE * self._width:
            middle = (low + high) / 2
            if lead(middle) > 0:
                low = middle
            else:
                high = middle
        return (low + high) / 2
