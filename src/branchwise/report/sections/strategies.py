"""Strategy regions, shown: what each first action is worth against one number."""

from collections.abc import Iterator, Mapping
from typing import Final

from branchwise.analysis.sensitivity.strategies import (
    Region,
    Strategies,
    StrategyCurve,
)
from branchwise.report.charts.canvas import HALF, for_screens, side_by_side
from branchwise.report.charts.curve_chart import (
    STYLES,
    Axis,
    Curve,
    Upright,
    line_chart,
)
from branchwise.report.column import Column, number_name, table_html, table_lines
from branchwise.report.text.ink import Look
from branchwise.report.text.label import as_read
from branchwise.report.text.wording import rounded, short

TITLE: Final = "Strategy regions"
NOTE: Final = "which first action is the best, and by how much, as one number changes"

_NONE: Final = "there is no number to vary"
_STOP: Final = "stop at once"


def _called(action: str | None) -> str:
    return _STOP if action is None else action


_COLUMNS: Final = (
    Column(
        "parameter",
        "number",
        "name",
        lambda row: row[0].parameter,
        html=lambda row: number_name(row[0]),
    ),
    Column("low", "from", "rounded", lambda row: row[1].low),
    Column("high", "to", "rounded", lambda row: row[1].high),
    Column("first_action", "best to start with", "name", lambda r: _start(r[1])),
    Column("now", "now", "rounded", lambda row: _now(*row)),
    Column("lead", "ahead by, now", "rounded", lambda row: _lead(*row), ink="reward"),
)


def _start(region: Region) -> str:
    return _called(region.first_action)


def _now(curve: StrategyCurve, region: Region) -> float | None:
    """Return what the number is, in the region that it is in."""
    is_here = region.low <= curve.value <= region.high
    return float(curve.value) if is_here else None


def _lead(curve: StrategyCurve, region: Region) -> float | None:
    """Return how much better the best first action is now than the next one."""
    if _now(curve, region) is None:
        return None
    here = {p.first_action: p for p in curve.points if p.value == curve.value}
    mine = here.pop(region.first_action, None)
    if mine is None:
        return None
    leads = [mine.expected_reward - point.expected_reward for point in here.values()]
    # Of costs, the best is less than the others.
    return min(map(abs, leads), default=None)


def _rows(found: Strategies) -> list[tuple[StrategyCurve, Region]]:
    return [(curve, region) for curve in found.curves for region in curve.regions]


def lines(found: Strategies, look: Look) -> Iterator[str]:
    """Return the regions as text, and how far the best first action is ahead."""
    if not found.curves:
        yield look.line(_NONE)
    yield from table_lines(_COLUMNS, _rows(found), look)


def fragment(found: Strategies) -> str:
    """Return strategy regions for a page: a chart for each number, and a table."""
    if not found.curves:
        return f'<p class="hint">{_NONE[0].upper()}{_NONE[1:]}.</p>'
    has_bounds = any(p.is_bound for curve in found.curves for p in curve.points)
    bound = " Where the search looked no further, a line is what the action cannot "
    bound += "exceed." if has_bounds else ""
    # An action looks the same in every chart.
    ranked = (action for curve in found.curves for action in curve.first_actions)
    styles = dict(zip(dict.fromkeys(ranked), STYLES, strict=False))
    charts = side_by_side(
        (number_name(curve), _chart(curve, styles)) for curve in found.curves
    )
    return f"""<p class="hint">What each action is worth as the first one, with the best
plan after it, as one number changes: the highest line is the best start, and the
distance to the next one says how much depends on it. At a dashed line another action
takes over. These are the numbers that come first to that.{bound if has_bounds else ""}
</p>
{charts}
{table_html(_COLUMNS, _rows(found), "Strategy regions")}"""


def _chart(curve: StrategyCurve, styles: Mapping[str | None, str]) -> str:
    shown = [action for action in styles if curve.of(action)]
    uprights = [
        Upright(float(region.low), _start(region), _note(curve, region))
        for region in curve.regions[1:]
    ]
    curves = [
        Curve(
            [(float(p.value), p.expected_reward) for p in curve.of(action)],
            _called(action),
            styles[action],
            uprights=() if number else uprights,
        )
        for number, action in enumerate(shown)
    ]
    title = f"What each first action is worth as {as_read(curve.parameter)} changes"
    axes = Axis(as_read(curve.parameter)), Axis("expected reward")
    return for_screens(
        lambda width: line_chart(curves, *axes, title, width=width),
        f"Strategy regions of {as_read(curve.parameter)}",
        wide=HALF,
    )


def _note(curve: StrategyCurve, region: Region) -> str:
    at = f"{as_read(curve.parameter)} = {rounded(region.low)}"
    return f"from {at} on, {_start(region)} (now {short(curve.value)})"
