"""Bars that lie between two values, one row for each thing that is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from branchwise.report.charts.axis import chart_text, scale
from branchwise.report.page.markup import scrollable, words
from branchwise.report.text.wording import value
from branchwise.report.tree_drawing.lettering import legible, shortened, text_width

__all__ = ["Bar", "Row", "moves_chart", "span_chart"]

_WIDTH: Final = 760.0
_ROW: Final = 24.0
_BAR: Final = 14.0
_TOP: Final = 34.0
_BOTTOM: Final = 30.0
_FONT: Final = 12.0
_LONGEST_LABEL: Final = 32
_BESIDE: Final = 8.0  # between a bar and what stands beside it


class Bar(NamedTuple):
    """
    One bar of a row.

    Parameters
    ----------
    start, end
        The values it lies between; the number stands beside its end.
    style
        ``gain``, ``loss`` or ``plain``: its color.
    note
        What is told when somebody points at it.
    text
        What stands beside its end; nothing unless said.
    """

    start: float
    end: float
    style: Literal["gain", "loss", "plain"]
    note: str
    text: str = ""


class Row(NamedTuple):
    """What is compared, and its bars."""

    label: str
    bars: tuple[Bar, ...]


def span_chart(
    rows: Sequence[Row], base: float, title: str, *, base_word: str = "now"
) -> str:
    """
    Draw rows of bars over one axis of values.

    Parameters
    ----------
    rows
        From top to bottom; at least one.
    base
        The value that bars are compared with; a line through all rows.
    title
        What the chart shows, for those who cannot see it.
    base_word
        What stands above that line, before the value; empty for nothing at all.
    """
    chart = _Chart(rows, base, f"{base_word} {value(base)}" if base_word else "")
    content = "\n".join([*chart.grid(), *chart.content()])
    return (
        f'<svg class="bars" viewBox="0 0 {_WIDTH:g} {chart.height:g}" role="img" '
        f'aria-label="{words(title)}">\n{content}\n</svg>'
    )


def moves_chart(rows: Sequence[Row], base: float, title: str, label: str) -> str:
    """Draw what moves the expected reward, where it can scroll; or say nothing does."""
    if not rows:
        return "<p>No number moves the expected reward.</p>"
    return scrollable(span_chart(rows, base, title), label)


class _Chart:
    """The scales of a chart, and what stands on them."""

    def __init__(self, rows: Sequence[Row], base: float, caption: str) -> None:
        self._rows, self._base, self._caption = rows, base, caption
        self._labels = [shortened(legible(row.label), _LONGEST_LABEL) for row in rows]
        self._left = max(text_width(label, _FONT) for label in self._labels) + 12
        ends = [base, *(x for row in rows for bar in row.bars for x in bar[:2])]
        self._low, self._high = min(ends), max(ends)
        if self._low == self._high:
            self._low, self._high = self._low - 1, self._high + 1
        self._first = self._left + self._room(is_left=True)
        self._last = _WIDTH - self._room(is_left=False)
        self.height = _TOP + len(rows) * _ROW + _BOTTOM

    def _room(self, *, is_left: bool) -> float:
        """Give the room for what stands beside the bars, even the longest of them."""
        texts = [
            text_width(bar.text, _FONT)
            for row in self._rows
            for bar in row.bars
            if (bar.end < bar.start) is is_left
        ]
        return max(texts, default=0.0) + 2 * _BESIDE

    def _x(self, number: float) -> float:
        share = (number - self._low) / (self._high - self._low)
        return self._first + share * (self._last - self._first)

    def grid(self) -> Iterator[str]:
        bottom = self.height - _BOTTOM
        for mark, text in scale(self._low, self._high, 5, self._base).marks:
            x = self._x(mark)
            yield f'<path class="bw-grid" d="M{x:.1f} {_TOP:g}V{bottom:g}"/>'
            yield chart_text(x, self.height - 10, text, "middle")

    def content(self) -> Iterator[str]:
        for number, (row, label) in enumerate(
            zip(self._rows, self._labels, strict=True)
        ):
            middle = _TOP + (number + 0.5) * _ROW
            yield chart_text(self._left, middle + 4, label, "end", "bw-outcome")
            for bar in row.bars:
                yield from self._bar(bar, middle)
        x, bottom = self._x(self._base), self.height - _BOTTOM
        yield f'<path class="bw-mean" d="M{x:.1f} {_TOP - 8:g}V{bottom:g}"/>'
        if self._caption:
            half = text_width(self._caption, _FONT) / 2 + 2
            inside = min(max(x, half), _WIDTH - half)
            yield chart_text(inside, _TOP - 14, self._caption, "middle")

    def _bar(self, bar: Bar, middle: float) -> Iterator[str]:
        start, end = self._x(bar.start), self._x(bar.end)
        left, width = min(start, end), abs(end - start)
        yield (
            f'<rect class="bw-bar {bar.style}" x="{left:.1f}" '
            f'y="{middle - _BAR / 2:.1f}" width="{max(width, 0.5):.1f}" '
            f'height="{_BAR:g}"><title>{words(bar.note)}</title></rect>'
        )
        if bar.text:
            is_left = bar.end < bar.start
            x, anchor = (
                (end - _BESIDE / 2, "end") if is_left else (end + _BESIDE / 2, "start")
            )
            yield chart_text(x, middle + 4, bar.text, anchor)
