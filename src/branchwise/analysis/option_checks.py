"""Options of an analysis, held against the problem before any work begins."""

from __future__ import annotations

from fractions import Fraction

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameters import Parameter, find_parameter
from branchwise.errors import did_you_mean
from branchwise.model.budget import UNLIMITED, limit_text
from branchwise.model.number import Number, exact, number_text
from branchwise.model.problem import Problem

__all__ = ["Range", "asked_range", "asked_ranges", "fitting", "trials"]

Range = tuple[Fraction, Fraction]
"""The two ends of a range, the lower one first."""


def fitting(problem: Problem, options: AnalysisOptions) -> AnalysisOptions:
    """Give the options back; refuse those that do not fit the problem."""
    if options.num_draws < 1:
        raise ValueError(f"there must be at least one draw, not {options.num_draws}")
    asked_ranges(problem, options)
    trials(problem, options)
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
    start, end = (_read(end, f"range of `{parameter.name}`") for end in (low, high))
    least, most = parameter.bounds(problem)
    if least <= start < end <= most:
        return start, end
    fix = "write the lower end first, and a higher one after it"
    if start < end:
        fix = f"it is {_between(least, most)}"
    ends = f"{number_text(start)} to {number_text(end)}"
    raise ValueError(f"`{parameter.name}` cannot range from {ends}: {fix}")


def trials(problem: Problem, options: AnalysisOptions) -> dict[str, float]:
    """Give how many trials the odds of each action rest on."""
    names = [action.name for action in problem.actions]
    for name in options.sample_sizes:
        if name not in names:
            hint = did_you_mean(name, names)
            raise ValueError(f"there is no action `{name}`{hint}")
    sizes = dict.fromkeys(names, options.sample_size) | dict(options.sample_sizes)
    return {name: _size(written) for name, written in sizes.items()}


def _size(written: Number) -> float:
    size = _read(written, "sample size")
    if size <= 0:
        fix = "write how many trials the odds rest on, such as 20"
        raise ValueError(f"a sample size is above 0, not {written}: {fix}")
    return float(size)


def _read(written: Number, what: str) -> Fraction:
    try:
        return exact(written)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def _between(least: Fraction | float, most: Fraction | float) -> str:
    if most == UNLIMITED:
        return f"at least {limit_text(least)}"
    return f"from {limit_text(least)} to {limit_text(most)}"
