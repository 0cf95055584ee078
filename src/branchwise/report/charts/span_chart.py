"""Bars that lie between two values, one row for each thing that is compared."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from branchwise.report.charts import canvas
from branchwise.report.markup import scrollable
from branchwise.report.text.wording import value
from branchwise.report.tree_drawing.lettering import legible, shortened, text_width

_WIDTH: Final = 760.0
_ROW, _BAR = 24.0, 14.0  # the heights of a row, and of the bars in it
_TOP, _BOTTOM = 34.0, 30.0
_FONT: Final = 12.0
_LONGEST_LABEL: Final = 32
_BESIDE: Final = 8.0  # between a bar and what stands beside it


class Bar(NamedTuple):
    """One bar of a row: from where to where, with a text beside its end, if any."""

    start: float
    end: float
    style: str  # its color: ``gain``, ``loss`` or ``plain``
    note: str
    text: str = ""  # what stands beside its end; nothing unless given


class Row(NamedTuple):
    """What is compared, and its bars."""

    label: str
    bars: tuple[Bar, ...]


def span_chart(
    rows: Sequence[Row], base: float, title: str, *, base_word: str = "now"
) -> str:
    """Draw rows of bars, at least one, over an axis; the base is a line through all."""
    caption = f"{base_word} {value(base)}" if base_word else ""
    height = _TOP + len(rows) * _ROW + _BOTTOM
    return canvas.svg(
        _WIDTH, height, title, _drawn(rows, base, caption, height), "bars"
    )


def moves_chart(rows: Sequence[Row], base: float, title: str, label: str) -> str:
    """Draw what moves the expected reward, where it can scroll; or say nothing does."""
    if not rows:
        return "<p>No number moves the expected reward.</p>"
    return scrollable(span_chart(rows, base, title), label)


def _drawn(
    rows: Sequence[Row], base: float, caption: str, height: float
) -> Iterator[str]:
    labels = [shortened(legible(row.label), _LONGEST_LABEL) for row in rows]
    left = max(text_width(label, _FONT) for label in labels) + 12
    plot = canvas.Plot(
        left + _beside(rows, is_left=True),
        _WIDTH - _beside(rows, is_left=False),
        _TOP,
        height - _BOTTOM,
        canvas.span([base, *(x for row in rows for bar in row.bars for x in bar[:2])]),
    )
    yield from plot.uprights(canvas.scale(*plot.across, 5, base).marks)
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        middle = _TOP + (number + 0.5) * _ROW
        yield canvas.letters(left, middle + 4, label, "end", "bw-outcome")
        for bar in row.bars:
            yield from _bar(bar, plot, middle)
    yield plot.base(base)
    if caption:
        half = text_width(caption, _FONT) / 2 + 2
        inside = min(max(plot.x(base), half), _WIDTH - half)
        yield canvas.letters(inside, _TOP - 14, caption, "middle")


def _beside(rows: Sequence[Row], *, is_left: bool) -> float:
    """Return the width of what stands beside the bars, even the longest of them."""
    bars = (bar for row in rows for bar in row.bars)
    texts = (b.text for b in bars if (b.end < b.start) is is_left)
    return max((text_width(t, _FONT) for t in texts), default=0.0) + 2 * _BESIDE


def _bar(bar: Bar, plot: canvas.Plot, middle: float) -> Iterator[str]:
    start, end = plot.x(bar.start), plot.x(bar.end)
    corner = min(start, end), middle - _BAR / 2
    size = max(abs(end - start), 0.5), _BAR
    yield canvas.bar(corner, size, f"bw-bar {bar.style}", bar.note)
    if bar.text:
        is_left = bar.end < bar.start
        aside, anchor = (-_BESIDE / 2, "end") if is_left else (_BESIDE / 2, "start")
        yield canvas.letters(end + aside, middle + 4, bar.text, anchor)
