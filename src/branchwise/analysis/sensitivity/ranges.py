"""Ranges and sample sizes: how far numbers may be off, and who says so."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from branchwise.analysis.options import AnalysisOptions, read_exact
from branchwise.analysis.parameter import Owner, Parameter, find_parameter
from branchwise.errors import did_you_mean
from branchwise.model.action import Action
from branchwise.model.budget import UNLIMITED, limit_text
from branchwise.model.numbers.number import Number, number_text
from branchwise.model.problem import Problem

RangeOrigin = Literal["option", "problem", "share", "whole"]
"""Who says what a range is: who asks, or the problem by an interval, whichever comes
first; else it is a share of the number either way, or all that comes into question."""


class Range(NamedTuple):
    """From where to where a number is moved."""

    # Its ends.
    low: Fraction
    high: Fraction
    origin: RangeOrigin  # who says so

    @property
    def is_point(self) -> bool:
        """Whether there is nowhere to move to: the number is known exactly."""
        return self.low == self.high


def stated_range(problem: Problem, parameter: Parameter) -> Range | None:
    """Return the interval that the problem states for a number; None without one."""
    ends = parameter.interval(problem)
    return None if ends is None else Range(*ends, "problem")


def share_range(problem: Problem, parameter: Parameter, share: Fraction) -> Range:
    """Return the range of a number that is off by a share of itself at most."""
    value = parameter.value(problem)
    least, most = parameter.bounds(problem)
    low, high = sorted((value * (1 - share), value * (1 + share)))
    if parameter.kind == "parameter":
        low, high = (parameter.nearest_fitting(problem, end) for end in (low, high))
    return Range(Fraction(max(low, least)), Fraction(min(high, most)), "share")


@dataclass(frozen=True, slots=True)
class SampleSize:
    """
    How many trials some probabilities rest on.

    Parameters
    ----------
    action, clause
        Whose probabilities they are, an action's or a hidden fact's, and in which
        clause of `given` they stand, from 0 on; None for its own.
    when
        The condition of the clause; empty without one.
    sample_size
        How many trials.
    size_from
        Who says so: an ``option`` for this action, the ``problem``, or the option for
        ``all`` actions.
    """

    action: str
    clause: int | None
    when: str
    sample_size: Fraction
    size_from: Literal["option", "problem", "all"]


def sizes_of(problem: Problem, options: AnalysisOptions) -> tuple[SampleSize, ...]:
    """
    Return the sample sizes of all probabilities of a problem.

    What is asked for one action counts first, then what the problem says of the clause
    or the action, then what is asked for all.
    """
    owners: tuple[Owner, ...] = (*problem.hidden, *problem.actions)
    names = [own.name for own in owners]
    for name in options.sample_sizes:
        if name not in names:
            hint = did_you_mean(name, names)
            kinds = "action or hidden fact" if problem.hidden else "action"
            raise ValueError(f"there is no {kinds} `{name}`{hint}")
    return tuple(size for own in owners for size in _of_owner(own, options))


def _of_owner(action: Owner, options: AnalysisOptions) -> Iterator[SampleSize]:
    own = action.sample_size if isinstance(action, Action) else None
    places: list[tuple[int | None, str, Fraction | None]] = [(None, "", own)]
    places += (
        (number, str(clause.when), clause.sample_size or own)
        for number, clause in enumerate(action.given)
        if clause.outcomes
    )
    asked = options.sample_sizes.get(action.name)
    for number, when, stated in places:
        if asked is not None:
            yield SampleSize(action.name, number, when, _size(asked), "option")
        elif stated is not None:
            yield SampleSize(action.name, number, when, stated, "problem")
        else:
            size = _size(options.sample_size)
            yield SampleSize(action.name, number, when, size, "all")


def _size(written: Number) -> Fraction:
    size = read_exact(written, "sample size")
    if size <= 0:
        fix = "write how many trials the probabilities rest on, such as 20"
        raise ValueError(f"a sample size is above 0, not {written}: {fix}")
    return size


def fitting(problem: Problem, options: AnalysisOptions) -> AnalysisOptions:
    """Return the options; refuse those that do not fit the problem."""
    if options.num_draws < 1:
        raise ValueError(f"there must be at least one draw, not {options.num_draws}")
    asked_ranges(problem, options)
    sizes_of(problem, options)
    return options


def asked_ranges(problem: Problem, options: AnalysisOptions) -> dict[Parameter, Range]:
    """Return the ranges that were asked for, by the number that is varied."""
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
    do_fit = all(parameter.fits(problem, at) for at in (start, end))
    if least <= start < end <= most and do_fit and not is_endless:
        return Range(start, end, "option")
    fix = "write the lower end first, and a higher one after it"
    if start < end:
        fix = f"it is {_between(least, most)}"
    if start < end and parameter.kind == "parameter":
        fix = "with one of these numbers the problem contradicts itself"
    if is_endless:
        fix = "for nothing, the action could be tried without end"
    ends = f"{number_text(start)} to {number_text(end)}"
    raise ValueError(f"`{parameter.name}` cannot range from {ends}: {fix}")


def _between(least: Fraction | float, most: Fraction | float) -> str:
    if most == UNLIMITED:
        return f"at least {limit_text(least)}"
    return f"from {limit_text(least)} to {limit_text(most)}"
