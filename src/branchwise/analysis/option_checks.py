"""Options of an analysis, held against the problem before any work begins."""

from __future__ import annotations

from fractions import Fraction

from branchwise.analysis.options import AnalysisOptions, read_exact
from branchwise.analysis.sensitivity.parameters import Parameter, find_parameter
from branchwise.analysis.sensitivity.ranges import Range
from branchwise.analysis.sensitivity.sample_sizes import sizes_of
from branchwise.model.budget import UNLIMITED, limit_text
from branchwise.model.number import Number, number_text
from branchwise.model.problem import Problem

__all__ = ["asked_range", "asked_ranges", "fitting"]


def fitting(problem: Problem, options: AnalysisOptions) -> AnalysisOptions:
    """Give the options back; refuse those that do not fit the problem."""
    if options.num_draws < 1:
        raise ValueError(f"there must be at least one draw, not {options.num_draws}")
    asked_ranges(problem, options)
    sizes_of(problem, options)
    return options


def asked_ranges(problem: Problem, options: AnalysisOptions) -> dict[Parameter, Range]:
    """Give the ranges that were asked for, by the number that is varied."""
    return {
        (each := find_parameter(problem, name)): asked_range(problem, each, *ends)
        for name, ends in options.ranges.items()
    }


def asked_range(
    problem: Problem, parameter: Parameter, low: Number, high: Number
) -> Range:
    """Read the ends of a range; refuse what the number cannot be."""
    start, end = (
        read_exact(end, f"range of `{parameter.name}`") for end in (low, high)
    )
    least, most = parameter.bounds(problem)
    is_endless = start == 0 and parameter.ends_attempts(problem)
    if least <= start < end <= most and not is_endless:
        return Range(start, end, "option")
    fix = "write the lower end first, and a higher one after it"
    if start < end:
        fix = f"it is {_between(least, most)}"
    if is_endless:
        fix = "for nothing, the action could be tried without end"
    ends = f"{number_text(start)} to {number_text(end)}"
    raise ValueError(f"`{parameter.name}` cannot range from {ends}: {fix}")


def _between(least: Fraction | float, most: Fraction | float) -> str:
    if most == UNLIMITED:
        return f"at least {limit_text(least)}"
    return f"from {limit_text(least)} to {limit_text(most)}"
