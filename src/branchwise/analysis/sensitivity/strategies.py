"""Strategy regions: what each first action is worth, as one number changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameter import find_parameter
from branchwise.analysis.sensitivity.ranges import RangeOrigin
from branchwise.analysis.sensitivity.thresholds import OneWay, thresholds_section
from branchwise.analysis.table import Table, Tabular, find
from branchwise.analysis.what_if import WhatIfs
from branchwise.tree.solution import Solution

_STEPS: Final = 16
_MOST_CURVES: Final = 3


class StrategyPoint(NamedTuple):
    """
    What a first action is worth where the number is so much.

    Parameters
    ----------
    value
        The number.
    first_action
        What is done first, with the best plan after it; None to stop at once.
    expected_reward
        What that is worth.
    is_bound
        Whether that is only what it cannot exceed, as the search looked no further.
    """

    value: Fraction
    first_action: str | None
    expected_reward: float
    is_bound: bool


class Region(NamedTuple):
    """A range of a number over which the best plan starts with one action."""

    low: Fraction
    high: Fraction
    first_action: str | None


@dataclass(frozen=True, slots=True)
class StrategyCurve:
    """
    What each first action is worth over the range of one number, all others held.

    Parameters
    ----------
    parameter
        The name of the number.
    value
        What it is now.
    regions
        What the best plan starts with, by rising value of the number.
    points
        What each first action is worth: at equally spaced values, at the ends of
        regions and now.
    range_from
        Who says what the range is.
    """

    parameter: str
    value: Fraction
    regions: tuple[Region, ...]
    points: tuple[StrategyPoint, ...]
    range_from: RangeOrigin = "whole"

    def of(self, first_action: str | None) -> list[StrategyPoint]:
        """Return the points of one first action, by rising value of the number."""
        return [each for each in self.points if each.first_action == first_action]

    @property
    def first_actions(self) -> list[str | None]:
        """The first actions, those that come nearest to the best one first."""
        best = {
            at: max(p.expected_reward for p in points)
            for at, points in groupby(self.points, lambda each: each.value)
        }
        actions = dict.fromkeys(each.first_action for each in self.points)

        def behind(action: str | None) -> float:
            return min(best[p.value] - p.expected_reward for p in self.of(action))

        regions = {each.first_action for each in self.regions}
        return sorted(actions, key=lambda each: (each not in regions, behind(each)))


@dataclass(frozen=True, slots=True)
class Strategies(Tabular):
    """
    What each first action is worth, as the numbers change that come first to another.

    Parameters
    ----------
    expected_reward
        What the best plan is worth as things are.
    curves
        One for each of these numbers, the nearest to another first action first.
    """

    expected_reward: float
    curves: tuple[StrategyCurve, ...]

    def of(self, parameter: str) -> StrategyCurve:
        """Return the curve of a number, by its name."""
        return find(self.curves, "parameter", parameter)

    def tables(self) -> tuple[Table, ...]:
        """Return what each first action is worth, and the regions."""
        names = "parameter", *StrategyPoint._fields
        rows = ((each.parameter, *p) for each in self.curves for p in each.points)
        regions = ((each.parameter, *r) for each in self.curves for r in each.regions)
        return (
            Table.of("points", names, rows),
            Table.of("regions", ("parameter", *Region._fields), regions),
        )


def strategies_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Strategies:
    """
    Work out what each first action is worth over the range of the nearest numbers.

    Costs that use up a budget are left out, as the frontier says more of these.
    """
    found = thresholds_section(what_ifs, options)
    near = [each for each in found.ranked if not each.is_filling][:_MOST_CURVES]
    curves = tuple(_curve(what_ifs, each) for each in near)
    return Strategies(what_ifs.expected_reward, curves)


def _curve(what_ifs: WhatIfs, curve: OneWay) -> StrategyCurve:
    low, high = curve.segments[0].low, curve.segments[-1].high
    places = {low + (high - low) * step / _STEPS for step in range(_STEPS + 1)}
    inside = (each for each in curve.action_thresholds if low < each < high)
    places |= {*inside, min(max(curve.value, low), high)}
    parameter, ordered = (
        find_parameter(what_ifs.problem, curve.parameter),
        sorted(places),
    )
    changed = [parameter.changed(what_ifs.problem, at) for at in ordered]
    worths = what_ifs.map(changed, _all_worths)
    points = (
        StrategyPoint(at, *each)
        for at, here in zip(ordered, worths, strict=True)
        for each in here
    )
    regions = tuple(_regions(curve))
    return StrategyCurve(
        curve.parameter, curve.value, regions, tuple(points), curve.range_from
    )


def _all_worths(solution: Solution) -> list[tuple[str | None, float, bool]]:
    return list(_worths(solution))


def _worths(solution: Solution) -> Iterator[tuple[str | None, float, bool]]:
    """Return what each first action is worth, and whether that is only a bound."""
    root, problem = solution.tree.root, solution.problem
    if root.action is not None:
        yield root.action, float(root.value), False
    for each in root.alternatives:
        yield each.action, float(each.value), each.is_bound
    if problem is None or problem.finish is None or root.action is None:
        yield None, float(root.reward), False


def _regions(curve: OneWay) -> Iterator[Region]:
    """Put segments together that start with the same action."""
    for action, some in groupby(curve.segments, lambda each: each.first_action):
        segments = list(some)
        yield Region(segments[0].low, segments[-1].high, action)
