"""The tornado, told: the widest swing first."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from branchwise.analysis.tornado import Swing, Tornado
from branchwise.report.columns import aligned
from branchwise.report.ink import Look
from branchwise.report.markup import NONE, Column, listing, name, scrollable
from branchwise.report.span_chart import Bar, Row, span_chart
from branchwise.report.wording import plural, value

__all__ = ["tornado_fragment", "tornado_lines"]

_MOST_LINES: Final = 30
_MOST_BARS: Final = 30


def tornado_lines(found: Tornado, look: Look) -> Iterator[str]:
    """Tell the tornado as text."""
    shown = [swing for swing in found.swings if swing.size][:_MOST_LINES]
    rows = [
        [
            look.name(each.parameter, 0.4),
            value(each.low),
            value(each.high),
            _reward(each.reward_low),
            _reward(each.reward_high),
            _reward(each.size),
            _starts(found, each, look),
        ]
        for each in shown
    ]
    titles = ["number", "low", "high", "at low", "at high", "swing", "starts with"]
    yield from aligned(titles, rows, look, words=0, inks={5: "reward"})
    num_others = len(found.swings) - len(shown)
    if num_others:
        others = f"and {plural(num_others, 'number')} of little or no effect"
        yield look.line([(others, "faint")])


def tornado_fragment(found: Tornado) -> str:
    """Tell the tornado in a page: the chart, and a table."""
    columns = [
        Column("Number", is_head=True),
        Column("Low", "number"),
        Column("High", "number"),
        Column("Reward at low", "number"),
        Column("Reward at high", "number"),
        Column("Swing", "number"),
        Column("Plan then starts with"),
    ]
    rows = [
        [
            name(each.parameter),
            value(each.low),
            value(each.high),
            _reward(each.reward_low),
            _reward(each.reward_high),
            _reward(each.size),
            name(_starts(found, each, Look())) if _is_moved(found, each) else NONE,
        ]
        for each in found.swings
    ]
    listed = listing(columns, rows, "The swings")
    more = ""
    if len(found.swings) > _MOST_BARS:
        more = f" The chart shows the {_MOST_BARS} widest."
    return f"""<p class="hint">Each number is moved from one end of its range to the
other, all others held, and one plans anew. Gray is the lower end of the range, green
the upper one.{more}</p>
{scrollable(_chart(found), "Tornado chart")}
{listed}"""


def _chart(found: Tornado) -> str:
    base = found.expected_reward
    moving = [each for each in found.swings if each.size][:_MOST_BARS]
    rows = [_row(base, each) for each in moving]
    if not rows:
        return ""
    return span_chart(rows, base, "How far each number moves the expected reward")


def _row(base: float, each: Swing) -> Row:
    ends = (
        (each.low, each.reward_low, "plain"),
        (each.high, each.reward_high, "gain"),
    )
    bars = [
        Bar(base, reward, style, f"at {value(end)}: {value(reward)}", _end(end))  # type: ignore[arg-type]
        for end, reward, style in ends
    ]
    return Row(each.parameter, tuple(bars))


def _end(number: Fraction) -> str:
    return value(float(f"{float(number):.4g}"))


def _reward(number: float) -> str:
    return value(float(f"{number:.6g}") + 0.0)


def _is_moved(found: Tornado, each: Swing) -> bool:
    first = found.first_action
    return (each.first_action_low, each.first_action_high) != (first, first)


def _starts(found: Tornado, each: Swing, look: Look) -> str:
    """Say what the plan starts with at either end, where that is another action."""
    if not _is_moved(found, each):
        return ""
    ends = (each.first_action_low, each.first_action_high)
    names = ["nothing" if end is None else look.name(end, 0.2) for end in ends]
    return f"{names[0]} / {names[1]}"
