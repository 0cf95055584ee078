"""The tornado, told: the widest swing first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.sensitivity.tornado import Swing, Tornado
from branchwise.report.charts.span_chart import Bar, Row, moves_chart
from branchwise.report.page.markup import NONE, Column, listing, name
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import plural, rounded, value

__all__ = ["tornado_fragment", "tornado_lines"]

_MOST_LINES: Final = 30
_MOST_BARS: Final = 30


def tornado_lines(found: Tornado, look: Look) -> Iterator[str]:
    """Tell the tornado as text."""
    shown = [swing for swing in found.swings if swing.size][:_MOST_LINES]
    # Where all ranges are shares, as is usual, nothing need be said of them.
    has_origins = any(each.range_from != "share" for each in shown)
    rows = [
        [
            look.name(each.parameter, 0.4),
            value(each.low),
            value(each.high),
            *([each.range_from] if has_origins else []),
            rounded(each.reward_low),
            rounded(each.reward_high),
            rounded(each.size),
            _starts(found, each, look),
        ]
        for each in shown
    ]
    if not found.swings:
        yield look.line([("there is no number to vary", "plain")])
    origin = ["range from"] if has_origins else []
    titles = ["number", "low", "high", *origin, "at low", "at high", "swing"]
    swing = titles.index("swing")
    if rows:
        yield from aligned(
            [*titles, "starts with"], rows, look, words=0, inks={swing: "reward"}
        )
    num_others = len(found.swings) - len(shown)
    if num_others:
        others = f"and {plural(num_others, 'number')} of less effect or none"
        yield look.line([(others, "faint")])


def tornado_fragment(found: Tornado) -> str:
    """Tell the tornado in a page: the chart, and a table."""
    columns = [
        Column("Number", is_head=True),
        Column("Range", "pair"),
        Column("Reward at low", "number"),
        Column("Reward at high", "number"),
        Column("Swing", "number"),
        Column("Plan then starts with"),
    ]
    rows = [
        [
            name(each.parameter),
            _range(each),
            rounded(each.reward_low),
            rounded(each.reward_high),
            rounded(each.size),
            name(_starts(found, each, Look())) if _is_moved(found, each) else NONE,
        ]
        for each in found.swings
    ]
    listed = listing(columns, rows, "The swings")
    more = ""
    if len(found.swings) > _MOST_BARS:
        more = f" The chart shows the {_MOST_BARS} widest."
    return f"""<p class="hint">Each number is moved from one end of its range to the
other, all others held, and one plans anew. Ranges that were asked for (option), or that
the problem states, are marked; others are a share of the number. Gray is the lower end
of the range, green the upper one.{more}</p>
{_chart(found)}
{listed}"""


def _chart(found: Tornado) -> str:
    base = found.expected_reward
    moving = [each for each in found.swings if each.size][:_MOST_BARS]
    rows = [_row(base, each) for each in moving]
    title = "How far each number moves the expected reward"
    return moves_chart(rows, base, title, "Tornado chart")


def _row(base: float, each: Swing) -> Row:
    ends = (
        (each.low, each.reward_low, "plain"),
        (each.high, each.reward_high, "gain"),
    )
    bars = [
        Bar(base, reward, style, f"at {value(end)}: {value(reward)}", rounded(end, 4))  # type: ignore[arg-type]
        for end, reward, style in ends
    ]
    return Row(each.parameter, tuple(bars))


def _range(each: Swing) -> str:
    """Say from where to where a number is moved, and who says so."""
    ends = f"{rounded(each.low, 4)} to {rounded(each.high, 4)}"
    return ends if each.range_from == "share" else f"{ends} ({each.range_from})"


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
