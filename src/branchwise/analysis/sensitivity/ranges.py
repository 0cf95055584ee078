"""Ranges: from where to where an analysis moves a number, and who says so."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from branchwise.analysis.sensitivity.parameters import Parameter
from branchwise.model.problem import Problem

__all__ = ["Range", "RangeOrigin", "share_range", "stated_range"]

RangeOrigin = Literal["option", "problem", "share", "whole"]
"""Who says what a range is: who asks, or the problem by an interval, whichever comes
first; else it is a share of the number either way, or all that comes into question."""


class Range(NamedTuple):
    """
    From where to where a number is moved.

    Parameters
    ----------
    low, high
        Its ends.
    origin
        Who says so.
    """

    low: Fraction
    high: Fraction
    origin: RangeOrigin

    @property
    def is_point(self) -> bool:
        """Whether there is nowhere to move to: the number is known exactly."""
        return self.low == self.high


def stated_range(problem: Problem, parameter: Parameter) -> Range | None:
    """
    Give the interval that a problem states for a number; None where it is silent.

    Examples
    --------
    >>> from branchwise.analysis.sensitivity.parameters import find_parameter
    >>> from branchwise.model.action import Action
    >>> drill = Action("drill", outcomes={"oil": 1}, cost="70 [60, 90]")
    >>> problem = Problem([drill])
    >>> stated_range(problem, find_parameter(problem, "cost of drill")).high
    Fraction(90, 1)
    """
    ends = parameter.interval(problem)
    return None if ends is None else Range(*ends, "problem")


def share_range(problem: Problem, parameter: Parameter, share: Fraction) -> Range:
    """Let a number be off by a share of itself, as far as it may be."""
    value = parameter.value(problem)
    least, most = parameter.bounds(problem)
    low, high = sorted((value * (1 - share), value * (1 + share)))
    return Range(Fraction(max(low, least)), Fraction(min(high, most)), "share")
