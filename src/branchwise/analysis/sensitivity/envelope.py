"""The upper envelope of plans: which is best over a range, and what none exceeds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from branchwise.analysis.parameter import Parameter, own_clause
from branchwise.analysis.sensitivity.plan_value import PlanLine, bends, is_straight
from branchwise.analysis.what_if import tie_width
from branchwise.engine.score_graph import canonical_score_graph
from branchwise.model.problem import Problem

MOST_STATES: Final = 3_000
"""With more canonical states than this, a ceiling takes too long to be of use."""

# Somewhere inside of a range, where no other probabilities are likely to be the same:
# actions that are alike are explored as one.
_ODD_PLACE: Final = Fraction(1_618_034, 2_618_034)

# At 0 and 1 outcomes vanish, and with them what a plan would do after them; at 0 a cost
# is none.
_MARGIN: Final = Fraction(1, 10**9)

# Thresholds are found to this share of the range.
_TOLERANCE: Final = Fraction(1, 10**10)

# Where plans bend and nothing proves that none is missed, the range is cut first.
_PARTS: Final = 16

# Values closer than so many times a tie are the same: lines are sums of many floats.
_SLACK: Final = 1e3

Coefficients = list[float]
"""A polynomial over a range in the Bernstein basis: it lies among its coefficients."""


class Ceiling:
    """
    An upper bound of the value over a range of one probability, as a polynomial.

    At each state the value is the highest of what its options offer. Over a range an
    offer is a polynomial, of a degree as high as the number can still be met. The
    polynomial that takes the higher one of each pair of coefficients lies above both,
    and is the better of both wherever one leads in every coefficient: so over a range
    that is narrow enough, and without a threshold, the ceiling is the value itself.
    """

    def __init__(self, problem: Problem, probability: Parameter) -> None:
        self._problem = problem
        self._parameter = probability
        self._action = problem.action(probability.action)
        explored = probability.changed(problem, _ODD_PLACE)
        self._graph = canonical_score_graph(explored, num_threads=1)
        self._varied = [self._is_varied(n) for n in range(self._graph.num_options)]
        self._degrees = self._remaining_degrees()

    @property
    def degree(self) -> int:
        """The degree of the polynomial: how often a path may meet the number."""
        return self._degrees[0]

    def over(self, low: Fraction, high: Fraction) -> Coefficients:
        """Return the ceiling over a range."""
        graph = self._graph
        ends = [self._probabilities(low), self._probabilities(high)]
        found: list[Coefficients] = [[]] * len(graph)
        for state in reversed(range(len(graph))):
            degree = self._degrees[state]
            best = [graph.rewards[state]] * (degree + 1)
            for option in graph.options(state):
                offer = self._offer(option, degree, found, ends)
                best = [max(pair) for pair in zip(best, offer, strict=True)]
            found[state] = best
        return [each + graph.root_gain for each in found[0]]

    def _offer(
        self,
        option: int,
        degree: int,
        found: Sequence[Coefficients],
        ends: Sequence[Sequence[float]],
    ) -> Coefficients:
        """Return what an option offers, at the degree of its state."""
        graph = self._graph
        total = [-graph.charges[option]] * (degree + 1)
        for branch in graph.branches(option):
            gain = graph.gains[branch]
            below = [gain + each for each in found[graph.children[branch]]]
            if self._varied[option]:
                start, end = (
                    probabilities[graph.outcomes[branch]] for probabilities in ends
                )
                scaled = _times(_raised(below, degree - 1), start, end)
            else:
                share = graph.probabilities[branch]
                scaled = [share * each for each in _raised(below, degree)]
            total = [a + b for a, b in zip(total, scaled, strict=True)]
        return total

    def _probabilities(self, at: Fraction) -> list[float]:
        changed = self._parameter.outcomes(self._parameter.changed(self._problem, at))
        known = {outcome.label: float(outcome.probability) for outcome in changed}
        return [known.get(label, 0.0) for label in self._action.labels]

    def _is_varied(self, option: int) -> bool:
        if self._graph.action_name(option) != self._action.name:
            return False
        variant = self._graph.variants[option]
        clause = None if variant == len(self._action.given) else variant
        return own_clause(self._action, clause, "outcomes") == self._parameter.clause

    def _remaining_degrees(self) -> list[int]:
        """Count, from each state on, how often a path may still meet the number."""
        graph, degrees = self._graph, [0] * len(self._graph)
        for state in reversed(range(len(graph))):
            degrees[state] = max(
                (
                    degrees[graph.children[branch]] + self._varied[option]
                    for option in graph.options(state)
                    for branch in graph.branches(option)
                ),
                default=0,
            )
        return degrees


def polynomial(coefficients: Coefficients, share: float) -> float:
    """Evaluate a polynomial where a share of its range lies below."""
    rest = 1 - share
    while len(coefficients) > 1:
        coefficients = [
            rest * one + share * other for one, other in pairwise(coefficients)
        ]
    return coefficients[0]


def _raised(coefficients: Coefficients, degree: int) -> Coefficients:
    """Write a polynomial as one of a higher degree."""
    while len(coefficients) <= degree:
        coefficients = _times(coefficients, 1.0, 1.0)
    return coefficients


def _times(coefficients: Coefficients, start: float, end: float) -> Coefficients:
    """Multiply by a straight line, given at both ends of the range."""
    top = len(coefficients)
    return [
        ((top - i) * start * coefficients[i] if i < top else 0.0) / top
        + (i * end * coefficients[i - 1] if i else 0.0) / top
        for i in range(top + 1)
    ]


class Piece(NamedTuple):
    """A range over which one plan is the best."""

    low: Fraction
    high: Fraction
    plan: PlanLine

    def is_worth_as_much(self, plan: PlanLine, slack: float) -> bool:
        """Whether another plan is worth the same at both ends."""
        ends = self.low, self.high
        return all(abs(plan.worth(at) - self.plan.worth(at)) <= slack for at in ends)


class Envelope:
    """
    The search for the best plan over a range of one number.

    The value is the highest of what finitely many plans are worth. Where the plans
    found at both ends of a range cross, the value is looked up: either no plan is
    better there, and that is a threshold, or there is one, and both sides are searched.
    A ceiling proves, where plans bend, that none is missed.
    """

    def __init__(
        self,
        problem: Problem,
        parameter: Parameter,
        low: Fraction,
        high: Fraction,
        ceiling: Ceiling | None = None,
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
        self._ceiling = ceiling
        self.is_complete = self.is_straight or ceiling is not None
        """Whether no threshold can be missed."""
        parts = 1 if self.is_complete else _PARTS
        cuts = {low + (high - low) * part / parts for part in range(parts + 1)}
        cuts |= {at for at in bends(problem, parameter) if low < at < high}
        self._open = list(pairwise(sorted(cuts)))
        self._wanted: set[Fraction] = set()
        self._pieces: list[Piece] = []

    def open(self) -> list[Fraction]:
        """Return where the best plan must be known to go on; nothing at the end."""
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
        """Return the best plans in order; the first and the last reach to the ends."""
        found: list[Piece] = []
        for piece in sorted(self._pieces, key=lambda piece: piece.low):
            if found and piece.is_worth_as_much(found[-1].plan, self._slack):
                found[-1] = found[-1]._replace(high=piece.high)
            else:
                found.append(piece)
        found[0] = found[0]._replace(low=self._low)
        found[-1] = found[-1]._replace(high=self._high)
        yield from found

    def _search(self, low: Fraction, high: Fraction) -> None:
        left, right = self._known[low], self._known[high]
        for plan, end, best in ((left, high, right), (right, low, left)):
            if self._reaches(plan, end, best):
                if self._is_best(plan, low, high):
                    self._pieces.append(Piece(low, high, plan))
                else:
                    self._look((low, high), (low + high) / 2)
                return
        (self._split if self._ceiling is None else self._divide)(low, high)

    def _look(self, ends: tuple[Fraction, Fraction], at: Fraction) -> None:
        """Search both sides of a place, once the best plan there is known."""
        if at in self._known:
            self._open += [(ends[0], at), (at, ends[1])]
        else:
            self._wanted.add(at)
            self._open.append(ends)

    def _is_best(self, plan: PlanLine, low: Fraction, high: Fraction) -> bool:
        """
        Whether a plan that is the best at both ends is the best between them.

        Straight lines cannot come and go in between. Curves can: then the ceiling, a
        polynomial that no plan exceeds, must be no higher than the plan. It is not if
        that is so at one place more than its degree.
        """
        if self._ceiling is None or high - low <= _TOLERANCE * self._width:
            return True
        bound, degree = self._ceiling.over(low, high), self._ceiling.degree
        for number in range(degree + 1):
            share = (1 - math.cos(math.pi * (number + 0.5) / (degree + 1))) / 2
            at = low + (high - low) * Fraction(share)
            if polynomial(bound, share) > plan.worth(at) + self._slack:
                return False
        return True

    def _divide(self, low: Fraction, high: Fraction) -> None:
        """Go on at both sides of where the plans cross, until that is near an end."""
        at, tolerance = self._crossing(low, high), _TOLERANCE * self._width
        if high - low <= 4 * tolerance:
            left, right = self._known[low], self._known[high]
            self._pieces += [Piece(low, at, left), Piece(at, high, right)]
        elif min(at - low, high - at) <= tolerance:
            self._look((low, high), (low + high) / 2)
        else:
            self._look((low, high), at)

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
        else:
            # What is found there decides; until then the range stays as it is.
            self._look((low, high), at)

    def _reaches(self, plan: PlanLine, at: Fraction, best: PlanLine) -> bool:
        """Whether a plan is the best also where another one was found to be."""
        return plan.worth(at) >= best.reward - self._slack

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
            low, high = (middle, high) if lead(middle) > 0 else (low, middle)
        return (low + high) / 2
