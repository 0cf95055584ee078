"""Thresholds, told: how wrong each number may be, the most delicate first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Final

from branchwise.analysis.sensitivity.segments import OneWay, Segment, Thresholds
from branchwise.report.charts.curve_chart import Curve, Dot, Upright, curve_chart
from branchwise.report.page.markup import NONE, Column, listing, name, scrollable
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import plural, rounded, value

__all__ = ["thresholds_fragment", "thresholds_lines"]

_MOST_LINES: Final = 30
_MOST_CURVES: Final = 6


def thresholds_lines(found: Thresholds, look: Look) -> Iterator[str]:
    """Tell thresholds as text."""
    delicate = [each for each in _ranked(found) if each.tree_thresholds]
    shown = delicate[:_MOST_LINES]
    # Where the whole range is looked at, as is usual, nothing need be said of it.
    has_ranges = any(each.range_from != "whole" for each in shown)
    rows = [
        [
            look.name(each.parameter, 0.4),
            value(each.value),
            *_margins(each, look),
            *([_looked_at(each)] if has_ranges else []),
        ]
        for each in shown
    ]
    titles = ["number", "now", "plan from", "to", "start below", "start above"]
    titles += ["looked at"] if has_ranges else []
    if rows:
        yield from aligned(titles, rows, look, words=0, inks={1: "reward"})
    if not found.curves:
        yield look.line([("there is no number to vary", "plain")])
    num_others = len(found.curves) - len(rows)
    if num_others:
        text = "nothing changes within the range"
        if len(delicate) > len(rows):
            text = "further from a change, or without one"
        yield look.line([(f"{plural(num_others, 'other number')}: {text}", "faint")])


def thresholds_fragment(found: Thresholds) -> str:
    """Tell thresholds in a page: curves of the most delicate numbers, and a table."""
    ranked = _ranked(found)
    curves = "\n".join(
        f"<h3>{name(each.parameter)}</h3>\n{scrollable(_chart(each), 'One-way curve')}"
        for each in ranked[:_MOST_CURVES]
        if each.tree_thresholds
    )
    columns = [
        Column("Number", is_head=True),
        Column("Now", "number"),
        Column("Plan holds from", "number"),
        Column("To", "number"),
        Column("Start changes below"),
        Column("Start changes above"),
        Column("Looked at"),
    ]
    rows = [
        [
            name(each.parameter),
            value(each.value),
            *(name(text) if text else NONE for text in _margins(each, Look())),
            _looked_at(each),
        ]
        for each in ranked
    ]
    return f"""<p class="hint">How wrong each number may be before another plan is the
best, all others held: the most delicate number first. The start changes where the best
plan comes to begin with another action. The curves show the value over the range of the
most delicate numbers. From a dashed line on, the plan starts with the action named
above it; the dot is where we are. Ranges that were asked for (option), or that the
problem states, are marked.</p>
{curves}
<h3>All numbers</h3>
{listing(columns, rows, "Thresholds")}"""


def _ranked(found: Thresholds) -> list[OneWay]:
    return sorted(found.curves, key=_distance)


def _distance(each: OneWay) -> float:
    """Tell how far the nearest threshold is, as a share of the number."""
    sides = (each.nearest(is_above=up, is_action=False) for up in (False, True))
    near = [abs(float(side - each.value)) for side in sides if side is not None]
    return min(near, default=math.inf) / (abs(float(each.value)) or 1.0)


def _margins(each: OneWay, look: Look) -> list[str]:
    plan = [each.nearest(is_above=up, is_action=False) for up in (False, True)]
    start = [each.nearest(is_above=up, is_action=True) for up in (False, True)]
    return [
        *("" if at is None else rounded(at) for at in plan),
        *(_start(each, at, look, is_above=up) for up, at in enumerate(start)),
    ]


def _start(each: OneWay, at: Fraction | None, look: Look, *, is_above: int) -> str:
    """Say where the plan comes to start with what."""
    if at is None:
        return ""
    lows = [segment.low for segment in each.segments]
    there = each.segments[lows.index(at) - (0 if is_above else 1)]
    first = there.first_action
    does = "nothing" if first is None else look.name(first, 0.2)
    return f"{rounded(at)}: {does}"


def _looked_at(each: OneWay) -> str:
    """Say between what was looked, and who says so."""
    ends = f"{rounded(each.segments[0].low)} to {rounded(each.segments[-1].high)}"
    return ends if each.range_from == "whole" else f"{ends} ({each.range_from})"


def _chart(each: OneWay) -> str:
    points = [(float(x), y) for x, y in each.points]
    uprights = [
        Upright(float(after.low), _starts(after), _crossing(before, after))
        for before, after in pairwise(each.segments)
        if before.first_action != after.first_action
    ]
    here = Dot(float(each.value), _worth(each), f"now {value(each.value)}")
    title = f"What the best plan is worth as {each.parameter} changes"
    curve = Curve(points, dots=[here], uprights=uprights)
    return curve_chart(curve, each.parameter, title)


def _worth(each: OneWay) -> float:
    """Read the curve where the number is now."""
    for (left, low), (right, high) in pairwise(each.points):
        if left <= each.value <= right and left < right:
            return low + (high - low) * float((each.value - left) / (right - left))
    return each.points[0][1]


def _starts(segment: Segment) -> str:
    return "nothing" if segment.first_action is None else segment.first_action


def _crossing(before: Segment, after: Segment) -> str:
    return f"at {rounded(after.low)}: from {_starts(before)} to {_starts(after)}"
