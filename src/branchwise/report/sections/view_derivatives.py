"""Derivatives, told: which numbers the value hangs on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.sensitivity.derivatives import Derivative, Derivatives
from branchwise.report.charts.span_chart import Bar, Row, moves_chart
from branchwise.report.page.markup import NONE, Column, listing, name, words
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import change, plural, rounded, value

__all__ = ["derivatives_fragment", "derivatives_lines"]

_MOST_LINES: Final = 30
_MOST_BARS: Final = 30

_ONE_SIDED: Final = (
    "there are too many optimal plans to tell where sides differ: these are the "
    "derivatives of the plan that was chosen"
)


def derivatives_lines(found: Derivatives, look: Look) -> Iterator[str]:
    """Tell derivatives as text, what matters most first."""
    shown = [d for d in found.derivatives if d.effect or d.room is not None]
    rows = [
        [
            look.name(d.parameter, 0.4),
            value(d.value),
            *_sides(d),
            rounded(d.effect),
            "" if d.room is None else change(d.room),
        ]
        for d in shown[:_MOST_LINES]
    ]
    titles = ["number", "now", "derivative", "if it falls", "by 1 %", "room"]
    if rows:
        yield from aligned(titles, rows, look, words=0, inks={2: "reward"})
    num_others = len(found.derivatives) - len(rows)
    if num_others:
        others = f"and {plural(num_others, 'number')} of less effect or none"
        yield look.line([(others, "faint")])
    if not found.has_both_sides:
        yield look.line([(_ONE_SIDED, "faint")])


def derivatives_fragment(found: Derivatives) -> str:
    """Tell derivatives in a page: what one percent does, and a table."""
    notes = "" if found.has_both_sides else f" Here {_ONE_SIDED}."
    columns = [
        Column("Number", is_head=True),
        Column("Now", "number"),
        Column("Derivative", "number"),
        Column("If it falls", "number"),
        Column("One percent does", "number"),
        Column("Room", "number"),
    ]
    rows = [
        [
            name(d.parameter),
            value(d.value),
            *map(words, _sides(d)),
            rounded(d.effect),
            NONE if d.room is None else words(change(d.room)),
        ]
        for d in found.derivatives
    ]
    listed = listing(columns, rows, "Derivatives")
    return f"""<p class="hint">The chart shows what a change of each number by one
percent does to the expected reward: green is one percent more, gray one percent less.
The table has the exact derivatives: the change of the expected reward for each unit of
the number. Where several plans are optimal, another one may get ahead if the number
falls; then the derivative on that side stands beside. As a probability grows, the
others of the same action shrink in proportion. Room is by how much a cost may rise
before the plan no longer fits the budget.{words(notes)}</p>
{_chart(found)}
{listed}"""


def _chart(found: Derivatives) -> str:
    base = found.expected_reward
    moving = [each for each in found.derivatives if each.effect][:_MOST_BARS]
    rows = [_row(base, each) for each in moving]
    title = "What one percent of each number does"
    return moves_chart(rows, base, title, "Chart of derivatives")


def _row(base: float, each: Derivative) -> Row:
    percent = abs(float(each.value)) / 100
    down, up = -each.left * percent, each.right * percent
    ends = ((down, "one percent less"), (up, "one percent more"))
    bars = [
        Bar(
            base,
            base + move,
            "gain" if word.endswith("more") else "plain",
            f"{word}: {change(move)}",
            change(move, 4) if move else "",
        )
        for move, word in ends
    ]
    return Row(each.parameter, tuple(bars))


def _sides(each: Derivative) -> tuple[str, str]:
    left, right = (rounded(side) for side in (each.left, each.right))
    return (right, left) if each.is_kink else (right, "")
