"""Derivatives, shown: which numbers the value depends on most."""

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.sensitivity.derivatives import Derivative, Derivatives
from branchwise.report.charts.span_chart import Bar, Row, moves_chart
from branchwise.report.column import (
    MOST,
    MOST_BARS,
    Column,
    number_name,
    others_line,
    table_html,
    table_lines,
)
from branchwise.report.markup import words
from branchwise.report.text.ink import Look
from branchwise.report.text.label import as_read
from branchwise.report.text.wording import change

TITLE: Final = "Derivatives"
NOTE: Final = "how the expected reward changes per unit of a number, and by 1 % of it"

_LESS: Final = " of less effect or none"

_ONE_SIDED: Final = (
    "there are too many optimal plans to compute both sides: these are the "
    "derivatives of the plan that was chosen"
)


_OTHERS: Final = """ Where several plans are optimal, another one may get ahead if the
number falls; then the derivative on that side stands beside."""


def _other_side(each: Derivative) -> float | None:
    return each.left if each.is_kink else None


_COLUMNS: Final = (
    Column("parameter", "number", "name", html=number_name),
    Column("value", "now", "value"),
    Column("right", "derivative", "rounded", ink="reward"),
    Column("left", "if it falls", "rounded", _other_side, is_optional=True),
    Column("effect", "by 1 %", "rounded"),
    Column("allowable_increase", "allowable increase", "change", is_optional=True),
)


def lines(found: Derivatives, look: Look) -> Iterator[str]:
    """Return derivatives as text, what matters most first."""
    shown = [
        each
        for each in found.derivatives
        if each.effect or each.allowable_increase is not None
    ][:MOST]
    yield from table_lines(_COLUMNS, shown, look)
    yield from others_line(len(found.derivatives) - len(shown), "number", look, _LESS)
    if not found.has_both_sides and not found.is_plan_kept:
        yield look.line((_ONE_SIDED, "faint"))


def fragment(found: Derivatives) -> str:
    """Return derivatives for a page: what one percent does, and a table."""
    is_chosen = not found.has_both_sides and not found.is_plan_kept
    notes = f" Here {_ONE_SIDED}." if is_chosen else ""
    others = "" if found.is_plan_kept else _OTHERS
    is_cut = sum(1 for each in found.derivatives if each.effect) > MOST_BARS
    more = f" The chart has the {MOST_BARS} that matter most." if is_cut else ""
    return f"""<p class="hint">The chart shows what a change of each number by one
percent does to the expected reward: green is one percent more, gray one percent less.
The table has the exact derivatives: the change of the expected reward for each unit of
the number.{others} As a probability grows, the
others of the same action shrink in proportion. A cost has an allowable
increase: beyond it the plan no longer fits the budget.{words(notes)}{more}</p>
{_chart(found)}
{table_html(_COLUMNS, found.derivatives, "Derivatives")}"""


def _chart(found: Derivatives) -> str:
    base = found.expected_reward
    moving = [each for each in found.derivatives if each.effect][:MOST_BARS]
    rows = [Row(as_read(each.parameter), tuple(_bars(base, each))) for each in moving]
    title = "What one percent of each number does"
    return moves_chart(rows, base, title, "Chart of derivatives")


def _bars(base: float, each: Derivative) -> Iterator[Bar]:
    percent = abs(float(each.value)) / 100
    less = -each.left * percent, "plain", "one percent less"
    more = each.right * percent, "gain", "one percent more"
    for move, style, word in (less, more):
        text = change(move, 4) if move else ""
        yield Bar(base, base + move, style, f"{word}: {change(move)}", text)
