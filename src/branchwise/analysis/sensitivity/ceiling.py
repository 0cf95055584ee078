"""Ceilings: what no plan can exceed while one probability goes through a range."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from branchwise.analysis.sensitivity.parameters import Parameter
from branchwise.engine.score_graph import canonical_score_graph
from branchwise.model.problem import Problem

__all__ = ["MOST_STATES", "Ceiling", "polynomial"]

MOST_STATES: Final = 3_000
"""With more canonical states than this, a ceiling takes too long to be of use."""

# Somewhere inside of a range, where no other odds are likely to be the same: actions
# that are alike are explored as one.
_ODD_PLACE: Final = Fraction(1_618_034, 2_618_034)

Coefficients = list[float]
"""A polynomial over a range in the Bernstein basis: it lies among its coefficients."""


class Ceiling:
    """
    An upper bound of the value over a range of one probability, as a polynomial.

    At each state the value is the highest of what its options offer. Over a range an
    offer is a polynomial, of a degree as high as the odds can still be met. The
    polynomial that takes the higher one of each pair of coefficients lies above both,
    and is the better of both wherever one leads in every coefficient: so over a range
    that is narrow enough, and without a threshold, the ceiling is the value itself.

    Parameters
    ----------
    problem
        What is solved.
    parameter
        The probability that is varied.
    """

    def __init__(self, problem: Problem, parameter: Parameter) -> None:
        self._problem = problem
        self._parameter = parameter
        explored = parameter.changed(problem, _ODD_PLACE)
        self._graph = canonical_score_graph(explored, num_threads=1)
        action = problem.action(parameter.action)
        self._labels = action.labels
        self._varied = [self._is_varied(n) for n in range(self._graph.num_options)]
        self._degrees = self._remaining_degrees()

    @property
    def degree(self) -> int:
        """The degree of the polynomial: how often a path may meet the odds."""
        return self._degrees[0]

    def over(self, low: Fraction, high: Fraction) -> Coefficients:
        """Give the ceiling over a range."""
        graph = self._graph
        ends = [self._odds(low), self._odds(high)]
        found: list[Coefficients] = [[]] * len(graph)
        for state in reversed(range(len(graph))):
            degree = self._degrees[state]
            best = [graph.rewards[state]] * (degree + 1)
            for option in graph.options(state):
                offer = self._offer(option, degree, found, ends)
                best = [max(one, other) for one, other in zip(best, offer, strict=True)]
            found[state] = best
        return [each + graph.root_gain for each in found[0]]

    def _offer(
        self,
        option: int,
        degree: int,
        found: Sequence[Coefficients],
        ends: Sequence[Sequence[float]],
    ) -> Coefficients:
        """Give what an option offers, at the degree of its state."""
        graph = self._graph
        total = [-graph.charges[option]] * (degree + 1)
        for branch in graph.branches(option):
            gain = graph.gains[branch]
            below = [gain + each for each in found[graph.children[branch]]]
            if self._varied[option]:
                outcome = graph.outcomes[branch]
                below = _raised(below, degree - 1)
                scaled = _times(below, ends[0][outcome], ends[1][outcome])
            else:
                odds = graph.probabilities[branch]
                scaled = [odds * each for each in _raised(below, degree)]
            total = [one + other for one, other in zip(total, scaled, strict=True)]
        return total

    def _odds(self, at: Fraction) -> list[float]:
        changed = self._parameter.odds(self._parameter.changed(self._problem, at))
        odds = {outcome.label: float(outcome.probability) for outcome in changed}
        return [odds.get(label, 0.0) for label in self._labels]

    def _is_varied(self, option: int) -> bool:
        if self._graph.action_name(option) != self._parameter.action:
            return False
        given = self._problem.action(self._parameter.action).given
        clause: int | None = self._graph.variants[option]
        if clause == len(given) or given[clause or 0].outcomes is None:
            clause = None
        return clause == self._parameter.clause

    def _remaining_degrees(self) -> list[int]:
        """Count, from each state on, how often a path may still meet the odds."""
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
    """
    Evaluate a polynomial where a share of its range lies below.

    Examples
    --------
    >>> polynomial([0.0, 0.0, 1.0], 0.5)
    0.25
    """
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
