"""Segments: the best plans over the range of one number, and where they change."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from branchwise.analysis.sensitivity.parameters import Kind, of_parameter
from branchwise.analysis.sensitivity.ranges import RangeOrigin
from branchwise.analysis.table import Table

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["OneWay", "Segment", "Thresholds"]


@dataclass(frozen=True, slots=True)
class Segment:
    """
    A range of a number over which one plan is the best.

    Parameters
    ----------
    low, high
        Where it begins and ends.
    reward_low, reward_high
        What the plan is worth at either end.
    first_action
        What the plan does first; None where it does nothing.
    tree_nodes
        How large its tree is.
    """

    low: Fraction
    high: Fraction
    reward_low: float
    reward_high: float
    first_action: str | None
    tree_nodes: int


@dataclass(frozen=True, slots=True)
class OneWay:
    """
    The value as one number goes through its range, all others held.

    Parameters
    ----------
    parameter
        The name of the number: ``P(a1=ok)``.
    kind
        What it is: ``probability``, ``cost``, ``reward`` or ``cost_weight``.
    value
        What it is now.
    segments
        The best plans, by rising value of the number. Two that follow each other are
        worth the same at the threshold between them; only where a cost fills a limited
        budget, the first one no longer fits past it, and the value may fall.
    points
        The curve: the number, and what the best plan is worth.
    range_from
        Who says what the range is: an ``option``, the ``problem``, or nobody, so that
        the ``whole`` range is looked at.
    is_complete
        Whether no threshold can have been missed.
    is_filling
        Whether it is a cost that fills a limited budget: then the plan up to a
        threshold is the best at the threshold itself, too.
    """

    parameter: str
    kind: Kind
    value: Fraction
    segments: tuple[Segment, ...]
    points: tuple[tuple[Fraction, float], ...]
    range_from: RangeOrigin = "whole"
    is_complete: bool = True
    is_filling: bool = False

    @property
    def tree_thresholds(self) -> tuple[Fraction, ...]:
        """Where another plan becomes the best."""
        return tuple(segment.low for segment in self.segments[1:])

    @property
    def action_thresholds(self) -> tuple[Fraction, ...]:
        """Where the best plan comes to start with another action."""
        return tuple(
            after.low
            for before, after in pairwise(self.segments)
            if after.first_action != before.first_action
        )

    def nearest(self, *, is_above: bool, is_action: bool) -> Fraction | None:
        """
        Give the nearest threshold on one side of what the number is now.

        Parameters
        ----------
        is_above
            Whether to look above, or below.
        is_action
            Whether the plan must start with another action there, or only differ.
        """
        found = self.action_thresholds if is_action else self.tree_thresholds
        if is_above:
            return min((each for each in found if each >= self.value), default=None)
        if self.is_filling:
            found = tuple(each for each in found if each != self.value)
        return max((each for each in found if each <= self.value), default=None)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """
    How wrong each number may be before the plan changes.

    Parameters
    ----------
    expected_reward
        What the best plan is worth as things are.
    curves
        One for each number, in the order of the problem.
    """

    expected_reward: float
    curves: tuple[OneWay, ...]

    def of(self, parameter: str) -> OneWay:
        """Find the curve of a number, by its name."""
        return of_parameter(self.curves, parameter)

    def tables(self) -> tuple[Table, ...]:
        """Give the rows: of thresholds near by, and of all segments."""
        near = ("tree_below", "tree_above", "action_below", "action_above")
        sides = [(up, act) for act in (False, True) for up in (False, True)]
        margins = (
            (
                each.parameter,
                each.kind,
                each.value,
                *(each.nearest(is_above=up, is_action=act) for up, act in sides),
                each.segments[0].low,
                each.segments[-1].high,
                each.range_from,
            )
            for each in self.curves
        )
        segments = Table.of_records(
            "segments", Segment, (s for each in self.curves for s in each.segments)
        )
        names = [each.parameter for each in self.curves for _ in each.segments]
        rows = ((n, *row) for n, row in zip(names, segments.rows, strict=True))
        return (
            Table.of(
                "margins",
                ("parameter", "kind", "value", *near, "low", "high", "range_from"),
                margins,
            ),
            Table.of("segments", ("parameter", *segments.columns), rows),
        )

    def frame(self) -> DataFrame:
        """Give the thresholds near by as a pandas data frame."""
        return self.tables()[0].frame()
