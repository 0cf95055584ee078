"""The tornado, shown: the widest swing first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.analysis.sensitivity.tornado import Swing, Tornado
from branchwise.report.charts.span_chart import Bar, Row, moves_chart
from branchwise.report.column import (
    MOST,
    MOST_BARS,
    PAGE_NUMBERS,
    Column,
    number_name,
    others_line,
    table_html,
    table_lines,
)
from branchwise.report.text.ink import Look
from branchwise.report.text.label import as_read
from branchwise.report.text.wording import rounded, value

TITLE: Final = "Tornado"
NOTE: Final = "the expected reward with one number at a time at either end of its range"

_LESS: Final = " of less effect or none"


def lines(found: Tornado, look: Look) -> Iterator[str]:
    """Return the tornado as text."""
    if not found.swings:
        yield look.line("there is no number to vary")
    moving = (
        s for s in found.swings if s.size or None in (s.reward_low, s.reward_high)
    )
    shown = list(moving)[:MOST]
    yield from table_lines(_columns(found), shown, look)
    yield from others_line(len(found.swings) - len(shown), "number", look, _LESS)


def fragment(found: Tornado) -> str:
    """Return the tornado for a page: the chart, and a table."""
    then = "this plan is kept" if found.is_plan_kept else "one plans anew"
    is_cut = sum(1 for each in found.swings if each.size) > MOST_BARS
    more = f" The chart shows the {MOST_BARS} widest." if is_cut else ""
    return f"""<p class="hint">Each number is moved from one end of its range to the
other, all others held, and {then}. Ranges that were asked for (option), or that
the problem states, are marked; others are a share of the number. Gray is the lower end
of the range, green the upper one.{more}</p>
{_chart(found)}
{table_html(_columns(found), found.swings, "The swings")}"""


def _columns(found: Tornado) -> Sequence[Column]:
    return (
        Column("parameter", "number", "name", html=number_name),
        Column("low", "low", "value"),
        Column("high", "high", "value"),
        Column("range_from", "range from", get=_origin, is_optional=True),
        _end("reward_low", "at low"),
        _end("reward_high", "at high"),
        Column("size", "swing", "rounded", ink="reward"),
        Column(
            "starts",
            "starts with",
            "name",
            lambda each: _starts(found, each),
            is_optional=True,
        ),
    )


def _end(key: str, title: str) -> Column:
    """Return the column of an end; only a plan that is kept may not fit there."""

    def worth(each: Swing) -> str:
        reward = getattr(each, key)
        return "too costly" if reward is None else rounded(reward)

    def shown(each: Swing) -> str:
        reward = getattr(each, key)
        return "too costly" if reward is None else PAGE_NUMBERS["rounded"](reward)

    return Column(key, title, "figure", worth, html=shown)


def _origin(each: Swing) -> str | None:
    """Return who says what the range is; nothing where it is a share, as is usual."""
    return None if each.range_from == "share" else each.range_from


def _chart(found: Tornado) -> str:
    base = found.expected_reward
    moving = [each for each in found.swings if each.size][:MOST_BARS]
    rows = [Row(as_read(each.parameter), tuple(_bars(base, each))) for each in moving]
    title = "How far each number moves the expected reward"
    return moves_chart(rows, base, title, "Tornado chart")


def _bars(base: float, each: Swing) -> Iterator[Bar]:
    lower = each.low, each.reward_low, "plain"
    upper = each.high, each.reward_high, "gain"
    for end, reward, style in (lower, upper):
        if reward is None:
            continue
        note = f"at {value(end)}: {value(reward)}"
        yield Bar(base, reward, style, note, rounded(end, 4))


def _starts(found: Tornado, each: Swing) -> str | None:
    """Return what the plan starts with at either end, where that is another action."""
    ends = (each.first_action_low, each.first_action_high)
    if ends == (found.first_action, found.first_action):
        return None
    return " / ".join(end or "nothing" for end in ends)
