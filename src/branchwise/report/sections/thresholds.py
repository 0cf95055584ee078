"""Thresholds, shown: how wrong each number may be, the most delicate first."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Final

from branchwise.analysis.sensitivity.thresholds import OneWay, Segment, Thresholds
from branchwise.report.charts.curve_chart import Curve, Dot, Upright, curve_chart
from branchwise.report.column import MOST, Column, table_html, table_lines
from branchwise.report.markup import name, scrollable
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import plural, rounded, value

TITLE: Final = "Thresholds"
NOTE: Final = "from where to where the plan stays the best, and where its start changes"

_MOST_CURVES: Final = 6


def _looked_at(each: OneWay) -> str:
    """Return between what was looked, and who says so."""
    ends = f"{rounded(each.segments[0].low)} to {rounded(each.segments[-1].high)}"
    return ends if each.range_from == "whole" else f"{ends} ({each.range_from})"


_COLUMNS: Final = (
    Column("parameter", "number", "name"),
    Column("value", "now", "value", ink="reward"),
    Column("tree_below", "plan from", "rounded", lambda each: _plan(each, up=False)),
    Column("tree_above", "to", "rounded", lambda each: _plan(each, up=True)),
    Column("action_below", "start below", "name", lambda each: _start(each, up=False)),
    Column("action_above", "start above", "name", lambda each: _start(each, up=True)),
    Column("range_from", "looked at", get=_looked_at),
)


def lines(found: Thresholds, look: Look) -> Iterator[str]:
    """Return thresholds as text."""
    delicate = [each for each in _ranked(found) if each.tree_thresholds]
    shown = delicate[:MOST]
    # Where the whole range is looked at, as is usual, nothing need be said of it.
    has_ranges = any(each.range_from != "whole" for each in shown)
    yield from table_lines(_COLUMNS if has_ranges else _COLUMNS[:-1], shown, look)
    if not found.curves:
        yield look.line("there is no number to vary")
    num_others = len(found.curves) - len(shown)
    if num_others:
        text = "nothing changes within the range"
        if len(delicate) > len(shown):
            text = "further from a change, or without one"
        yield look.line((f"{plural(num_others, 'other number')}: {text}", "faint"))


def fragment(found: Thresholds) -> str:
    """Return thresholds for a page: curves of the most delicate numbers, a table."""
    ranked = _ranked(found)
    curves = "\n".join(
        f"<h3>{name(each.parameter)}</h3>\n{scrollable(_chart(each), 'One-way curve')}"
        for each in ranked[:_MOST_CURVES]
        if each.tree_thresholds
    )
    return f"""<p class="hint">How wrong each number may be before another plan is the
best, all others held: the most delicate number first. The start changes where the best
plan comes to begin with another action. The curves show the value over the range of the
most delicate numbers. From a dashed line on, the plan starts with the action named
above it; the dot is where we are. Ranges that were asked for (option), or that the
problem states, are marked.</p>
{curves}
<h3>All numbers</h3>
{table_html(_COLUMNS, ranked, "Thresholds")}"""


def _ranked(found: Thresholds) -> list[OneWay]:
    return sorted(found.curves, key=_distance)


def _distance(each: OneWay) -> float:
    """Return how far the nearest threshold is, as a share of the number."""
    sides = (_plan(each, up=up) for up in (False, True))
    near = [abs(float(side - each.value)) for side in sides if side is not None]
    return min(near, default=math.inf) / (abs(float(each.value)) or 1.0)


def _plan(each: OneWay, *, up: bool) -> Fraction | None:
    return each.nearest(is_above=up, is_action=False)


def _start(each: OneWay, *, up: bool) -> str | None:
    at = each.nearest(is_above=up, is_action=True)
    if at is None:
        return None
    lows = [segment.low for segment in each.segments]
    there = each.segments[lows.index(at) - (0 if up else 1)]
    return f"{rounded(at)}: {there.first_action or 'nothing'}"


def _chart(each: OneWay) -> str:
    points = [(float(x), y) for x, y in each.points]
    uprights = [
        _upright(before, after)
        for before, after in pairwise(each.segments)
        if before.first_action != after.first_action
    ]
    here = Dot(float(each.value), _worth(each), f"now {value(each.value)}")
    title = f"What the best plan is worth as {each.parameter} changes"
    curve = Curve(points, dots=[here], uprights=uprights)
    return curve_chart(curve, each.parameter, title)


def _worth(each: OneWay) -> float:
    """Return what the curve is where the number is now."""
    for (left, low), (right, high) in pairwise(each.points):
        if left <= each.value <= right and left < right:
            return low + (high - low) * float((each.value - left) / (right - left))
    return each.points[0][1]


def _upright(before: Segment, after: Segment) -> Upright:
    start, now = before.first_action or "nothing", after.first_action or "nothing"
    note = f"at {rounded(after.low)}: from {start} to {now}"
    return Upright(float(after.low), now, note)
