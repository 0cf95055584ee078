"""Thresholds, shown: how wrong each number may be, the most delicate first."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from branchwise.analysis.sensitivity.thresholds import OneWay, Segment, Thresholds
from branchwise.report.charts.canvas import HALF, for_screens, side_by_side
from branchwise.report.charts.curve_chart import (
    STYLES,
    Axis,
    Curve,
    Dot,
    Upright,
    curve_chart,
    line_chart,
)
from branchwise.report.column import MOST, Column, number_name, table_html, table_lines
from branchwise.report.text.ink import Look
from branchwise.report.text.label import as_read
from branchwise.report.text.wording import plural, rounded, value

TITLE: Final = "Thresholds"
NOTE: Final = "from where to where the plan stays the best, and where its start changes"

_MOST_CURVES: Final = 6
_MOST_ROWS: Final = 15  # in view; further ones are folded
_SPIDER: Final = 0.5  # how far numbers go in the spider chart, as a share of themselves


def _looked_at(each: OneWay) -> str:
    """Return between what was looked, and who says so."""
    ends = f"{rounded(each.segments[0].low)} to {rounded(each.segments[-1].high)}"
    return ends if each.range_from == "whole" else f"{ends} ({each.range_from})"


def _start_column(side: str, *, up: bool) -> Column:
    """Return the column that says where the plan starts otherwise, and how."""
    return Column(
        f"action_{side}",
        f"start {side}",
        "name",
        lambda each: _start(each, up=up),
        is_optional=True,
    )


_COLUMNS: Final = (
    Column("parameter", "number", "name", html=number_name),
    Column("value", "now", "value", ink="reward"),
    Column("tree_below", "plan from", "rounded", lambda each: _plan(each, up=False)),
    Column("tree_above", "to", "rounded", lambda each: _plan(each, up=True)),
    _start_column("below", up=False),
    _start_column("above", up=True),
    Column("range_from", "looked at", get=_looked_at),
)


def lines(found: Thresholds, look: Look) -> Iterator[str]:
    """Return thresholds as text."""
    delicate = _delicate(found)
    shown = delicate[:MOST]
    # Where the whole range is looked at, as is usual, nothing need be said of it.
    has_ranges = any(each.range_from != "whole" for each in shown)
    yield from table_lines(_COLUMNS if has_ranges else _COLUMNS[:-1], shown, look)
    if not found.curves:
        yield look.line("there is no number to vary")
    elif others := _others(found, len(shown)):
        yield look.line((others, "faint"))


def fragment(found: Thresholds) -> str:
    """Return thresholds for a page: curves of the most delicate numbers, a table."""
    delicate = _delicate(found)
    shown = delicate[:_MOST_CURVES]
    curves = side_by_side((number_name(each), _chart(each)) for each in shown)
    others = _others(found, len(delicate))
    rest = f'<p class="hint">{others[0].upper()}{others[1:]}.</p>' if others else ""
    table = table_html(_COLUMNS, delicate[:_MOST_ROWS], "Thresholds")
    if more := delicate[_MOST_ROWS:]:
        folded = table_html(_COLUMNS, more, "Further thresholds")
        number = plural(len(more), "more number")
        table += f"\n<details>\n<summary>{number}</summary>\n{folded}\n</details>"
    return f"""<p class="hint">How wrong each number may be before another plan is the
best, all others held. First come those that change what to do first, then those that
change the plan later on, the nearest first.</p>
{table if delicate else ""}
{rest}
{_spider(found)}
{_CURVES_HINT + curves if shown else ""}"""


_CURVES_HINT: Final = """<p class="hint">The curves show the value over the range of the
most delicate numbers. From a dashed line on, the plan starts with the action named
above it; the dot is where we are. Ranges that were asked for (option), or that the
problem states, are marked in the table.</p>
"""


def _delicate(found: Thresholds) -> list[OneWay]:
    """Return the numbers with thresholds, first those that change the first action."""
    return [each for each in found.ranked if each.tree_thresholds]


def _others(found: Thresholds, num_shown: int) -> str:
    """Return in words how many numbers are not shown, and why; nothing for none."""
    number = len(found.curves) - num_shown
    if not number:
        return ""
    is_cut = num_shown < len(_delicate(found))
    none = "nothing changes within the range"
    text = "further from a change, or without one" if is_cut else none
    return f"{plural(number, 'other number')}: {text}"


def _spider(found: Thresholds) -> str:
    """Draw what the worth comes to as numbers change by the same share, up to half."""
    known = [each for each in found.curves if each.value]
    spans = {each.parameter: _relative(each) for each in known}
    widest = sorted(known, key=lambda each: -_swing(spans[each.parameter]))
    moving = [each for each in widest if _swing(spans[each.parameter])]
    if len(moving) < 2:
        return ""
    curves = [
        Curve(spans[each.parameter], as_read(each.parameter), style)
        for each, style in zip(moving, STYLES, strict=False)
    ]
    across = Axis("change of the number", _percent, (-_SPIDER, _SPIDER))
    title = "What the best plan is worth as each number changes by the same share"
    chart = for_screens(
        lambda width: line_chart(
            curves, across, Axis("expected reward"), title, width=width
        ),
        "Spider chart",
    )
    return f"""<h3>All by the same share</h3>
<p class="hint">A spider chart: what the best plan is worth as one number at a time
changes by so much of itself, of the {len(curves)} that move it most. The steeper, the
more it matters.</p>
{chart}"""


def _percent(share: float) -> str:
    return f"{100 * share:+.0f} %" if share else "now"


def _swing(points: Sequence[tuple[float, float]]) -> float:
    worths = [worth for _, worth in points]
    return max(worths, default=0.0) - min(worths, default=0.0)


def _relative(each: OneWay) -> list[tuple[float, float]]:
    """Return the curve by the share of the number, within what the spider shows."""
    now = float(each.value)
    ends = sorted(now * (1 + share) for share in (-_SPIDER, _SPIDER))
    low = max(ends[0], float(each.points[0][0]))
    high = min(ends[1], float(each.points[-1][0]))
    inside = [float(x) for x, _ in each.points if low < x < high]
    places = sorted({low, *inside, high}, key=lambda x: x / now)
    return [(x / now - 1, _worth_at(each, x)) for x in places]


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
    here = Dot(
        float(each.value),
        _worth_at(each, float(each.value)),
        f"now {value(each.value)}",
    )
    title = f"What the best plan is worth as {as_read(each.parameter)} changes"
    curve = Curve(points, dots=[here], uprights=uprights)
    return for_screens(
        lambda width: curve_chart(curve, as_read(each.parameter), title, width=width),
        "One-way curve",
        wide=HALF,
    )


def _worth_at(each: OneWay, place: float) -> float:
    """Return what the curve is where the number is so much."""
    for (left, low), (right, high) in pairwise(each.points):
        if left <= place <= right and left < right:
            return low + (high - low) * float((place - left) / (right - left))
    return each.points[0][1]


def _upright(before: Segment, after: Segment) -> Upright:
    start, now = before.first_action or "nothing", after.first_action or "nothing"
    note = f"at {rounded(after.low)}: from {start} to {now}"
    return Upright(float(after.low), now, note)
