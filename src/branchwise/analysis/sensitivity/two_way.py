"""Two-way maps: the value and the first action, as two numbers change at once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Unpack

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameter import Parameter, find_parameter, parameters
from branchwise.analysis.sensitivity.plan_value import curve_of, slope_of
from branchwise.analysis.sensitivity.ranges import (
    Range,
    RangeOrigin,
    asked_range,
    asked_ranges,
    stated_range,
)
from branchwise.analysis.sensitivity.thresholds import OneWay, thresholds_section
from branchwise.analysis.sensitivity.tornado import leading_parameters
from branchwise.analysis.table import Columns, Table, Tabular, own_columns
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.errors import LimitError
from branchwise.model.features import features_of
from branchwise.model.numbers.number import Number
from branchwise.model.problem import Problem

_STEPS: Final = 12
_STEP: Final = Fraction(1, _STEPS + 1)


@dataclass(frozen=True, slots=True)
class MapCell:
    """
    The best plan where two numbers are these.

    Parameters
    ----------
    x, y
        The two numbers.
    expected_reward
        What the best plan is worth there.
    first_action
        What it does first; None where it does nothing. Where what the problem itself
        starts with is as good, it is that.
    """

    x: Fraction
    y: Fraction
    expected_reward: float
    first_action: str | None


@dataclass(frozen=True, slots=True)
class TwoWay(Tabular):
    """
    The value and the first action over the ranges of two numbers.

    Parameters
    ----------
    x_parameter, y_parameter
        The names of the numbers; empty where there are no two to vary.
    x_value, y_value
        What they are now.
    cells
        Every combination of equally spaced values, ends included; by rising y, then x.
    x_range_from, y_range_from
        Who says what the ranges are: an ``option``, the ``problem``, or else the
        ``whole`` range is looked at.
    is_nearest
        Whether these are the numbers whose thresholds for another first action are the
        nearest, but for costs that fill a budget and for the ends of ranges.
    """

    x_parameter: str
    y_parameter: str
    x_value: Fraction
    y_value: Fraction
    cells: tuple[MapCell, ...]
    x_range_from: RangeOrigin = "whole"
    y_range_from: RangeOrigin = "whole"
    is_nearest: bool = False

    def tables(self) -> tuple[Table, ...]:
        """Return the rows."""
        columns: Columns = {
            "x_parameter": lambda _: self.x_parameter,
            "y_parameter": lambda _: self.y_parameter,
            **own_columns("x", "y", "expected_reward", "first_action"),
            "x_range_from": lambda _: self.x_range_from,
            "y_range_from": lambda _: self.y_range_from,
        }
        return (Table.of_columns("cells", columns, self.cells),)


def two_way(
    problem: Problem,
    x: tuple[str, Number, Number],
    y: tuple[str, Number, Number],
    *,
    num_steps: int = _STEPS,
    **limits: Unpack[WhatIfLimits],
) -> TwoWay:
    """
    Map the value and the first action over the ranges of two numbers.

    Parameters
    ----------
    problem
        What to look into.
    x, y
        The name of a number, as `parameters` tells it, and the ends of its range.
    num_steps
        Into how many steps each range is cut.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> risky = Action("risky", outcomes={"ok": 0.4, "no": 0.6})
    >>> safe = Action("safe", outcomes={"ok": 1})
    >>> rewards = [Reward(risky["ok"], 10), Reward(safe["ok"], 3)]
    >>> problem = Problem([risky, safe], rewards, budget=1)
    >>> ranges = ("P(risky=ok)", 0.1, 0.5), ("reward of safe=ok", 2, 4)
    >>> found = two_way(problem, *ranges, num_steps=1)
    >>> [each.first_action for each in found.cells]
    ['safe', 'risky', 'safe', 'risky']
    """
    if num_steps < 1:
        raise ValueError(f"there must be at least one step, not {num_steps}")
    across, upward = (
        ((each := find_parameter(problem, name)), asked_range(problem, each, *ends))
        for name, *ends in (x, y)
    )
    if _is_tied(across[0], upward[0]):
        raise ValueError(
            f"`{x[0]}` and `{y[0]}` cannot be varied at once: as one changes, so does "
            "the other"
        )
    return _map(WhatIfs(problem, **limits), across, upward, num_steps)


def two_way_section(what_ifs: WhatIfs, options: AnalysisOptions) -> TwoWay:
    """
    Map the first numbers whose ranges are given, or those nearest to a change.

    The latter are those whose thresholds come first: where the plan starts with another
    action, over a twelfth of the range or more, so that the map shows more than one;
    then costs that fill a budget, then thresholds at the very end of a range. Where no
    number has any, it is the probabilities of which one percent does most, 0 and 1 left
    out. Ranges are the intervals that the problem states, or what thresholds are looked
    for in. Of numbers that change each other only the first is taken.
    """
    chosen: list[tuple[Parameter, Range]] = []
    num_nearest = 0
    for each, ends, is_nearest in _candidates(what_ifs, options):
        if not (ends.is_point or any(_is_tied(each, other) for other, _ in chosen)):
            chosen.append((each, ends))
            num_nearest += is_nearest
        if len(chosen) == 2:
            found = _map(what_ifs, chosen[0], chosen[1], _STEPS)
            return replace(found, is_nearest=num_nearest == 2)
    return TwoWay("", "", Fraction(0), Fraction(0), ())


def _candidates(
    what_ifs: WhatIfs, options: AnalysisOptions
) -> Iterator[tuple[Parameter, Range, bool]]:
    """Return numbers to map, the best first, and whether thresholds say so."""
    for each, ends in asked_ranges(what_ifs.problem, options).items():
        yield each, ends, False
    yield from _delicate(what_ifs, options)
    for each in parameters(what_ifs.problem):
        stated = stated_range(what_ifs.problem, each)
        if each.kind == "parameter" and stated is not None:
            yield each, stated, False
    # An outcome that is impossible or certain makes ties, of which any may come up.
    inside = Range(_STEP / 2, 1 - _STEP / 2, "whole")
    for each in _weightiest(what_ifs):
        yield each, stated_range(what_ifs.problem, each) or inside, False


def _delicate(
    what_ifs: WhatIfs, options: AnalysisOptions
) -> Iterator[tuple[Parameter, Range, bool]]:
    """
    Return the numbers that change the first action alone, what shows most first.

    With each comes its range, and whether it is among the nearest.
    """
    try:
        found = thresholds_section(what_ifs, options)
    except LimitError:
        return  # Where there is no time for thresholds, there is for a map.
    first = what_ifs.solution.first_action
    curves = [each for each in found.ranked if each.action_thresholds]
    # Costs that fill a budget change its steps; the frontier says more of those.
    curves.sort(key=lambda each: (not _has_room(each, first), each.is_filling))
    for curve in curves:
        ends = curve.segments[0].low, curve.segments[-1].high
        each = find_parameter(what_ifs.problem, curve.parameter)
        is_nearest = _has_room(curve, first) and not curve.is_filling
        yield each, Range(*ends, curve.range_from), is_nearest


def _has_room(curve: OneWay, first_action: str | None) -> bool:
    """Whether other starts have an area on a map, and not only its edge."""
    length = curve.segments[-1].high - curve.segments[0].low
    others = (each for each in curve.segments if each.first_action != first_action)
    return sum(each.high - each.low for each in others) * _STEPS >= length


def _is_tied(one: Parameter, other: Parameter) -> bool:
    """Whether a change of one number changes the other, too."""
    are_probabilities = one.kind == other.kind == "probability"
    are_together = (one.action, one.clause) == (other.action, other.clause)
    return one == other or (are_probabilities and are_together)


def _weightiest(what_ifs: WhatIfs) -> list[Parameter]:
    problem = what_ifs.problem
    probabilities = [e for e in leading_parameters(what_ifs) if e.kind == "probability"]
    if features_of(problem):
        return probabilities  # Plans have no curve by which to compare them.
    curve = curve_of(problem, what_ifs.solution)
    slopes = {each: slope_of(problem, each, curve) for each in probabilities}
    probabilities.sort(key=lambda each: -abs(slopes[each] * float(each.value(problem))))
    return probabilities


def _map(
    what_ifs: WhatIfs,
    across: tuple[Parameter, Range],
    upward: tuple[Parameter, Range],
    num_steps: int,
) -> TwoWay:
    problem = what_ifs.problem
    (x, x_ends), (y, y_ends) = across, upward
    columns, rows = (
        [low + (high - low) * i / num_steps for i in range(num_steps + 1)]
        for low, high, _ in (x_ends, y_ends)
    )
    places = [(across_at, up_at) for up_at in rows for across_at in columns]
    found = what_ifs.kept_starts(y.changed(x.changed(problem, a), b) for a, b in places)
    cells = (MapCell(*at, *kept) for at, kept in zip(places, found, strict=True))
    now = x.value(problem), y.value(problem)
    return TwoWay(x.name, y.name, *now, tuple(cells), x_ends.origin, y_ends.origin)
