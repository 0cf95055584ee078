"""Sample sizes: how many trials the odds of each action rest on, and who says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from branchwise.analysis.options import AnalysisOptions, read_exact
from branchwise.errors import did_you_mean
from branchwise.model.action import Action
from branchwise.model.number import Number
from branchwise.model.problem import Problem

__all__ = ["SampleSize", "sizes_of"]


@dataclass(frozen=True, slots=True)
class SampleSize:
    """
    How many trials some odds rest on.

    Parameters
    ----------
    action, clause
        Whose odds they are, and in which clause of `given` they stand, from 0 on; None
        for the action's own.
    when
        The condition of the clause; empty for the action's own.
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
    Give the sample size of all odds of a problem.

    What is asked for one action counts first, then what the problem says of the clause
    or the action, then what is asked for all.

    Raises
    ------
    ValueError
        There is no such action, or a size is not above 0.
    """
    names = [action.name for action in problem.actions]
    for name in options.sample_sizes:
        if name not in names:
            hint = did_you_mean(name, names)
            raise ValueError(f"there is no action `{name}`{hint}")
    return tuple(s for a in problem.actions for s in _of_action(a, options))


def _of_action(action: Action, options: AnalysisOptions) -> Iterator[SampleSize]:
    own = action.sample_size
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
        fix = "write how many trials the odds rest on, such as 20"
        raise ValueError(f"a sample size is above 0, not {written}: {fix}")
    return size
