"""Bars that lie between two values, one row for each thing that is compared."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from branchwise.report.charts import canvas
from branchwise.report.text.wording import short
from branchwise.report.tree_drawing.lettering import text_width

_ROW, _BAR = 24.0, 14.0  # the heights of a row, and of the bars in it
_LABEL_ROW: Final = 18.0  # the height of a label that stands above its bars
_TOP, _BOTTOM = 34.0, 30.0
_FONT: Final = 12.0
_LONGEST_LABEL: Final = 38
_BESIDE: Final = 8.0  # between a bar and what stands beside it


class Bar(NamedTuple):
    """One bar of a row: from where to where, with a text beside its end, if any."""

    start: float
    end: float
    style: str  # its color: ``gain``, ``loss`` or ``plain``
    note: str
    text: str = ""  # what stands beside its end; nothing unless given

    @property
    def is_left(self) -> bool:
        """Whether it goes to the left."""
        return self.end < self.start


class Row(NamedTuple):
    """What is compared, and its bars."""

    label: str
    bars: tuple[Bar, ...]

    def beside(self, *, is_left: bool) -> str:
        """Return what stands beside the bars on one side: one text for all of them."""
        # Two bars may go the same way; their texts would stand on each other.
        bars = sorted(self.bars, key=lambda bar: abs(bar.end - bar.start))
        return ", ".join(b.text for b in bars if b.text and b.is_left is is_left)


def span_chart(
    rows: Sequence[Row],
    base: float,
    title: str,
    *,
    base_word: str = "now",
    width: float = canvas.WIDE,
) -> str:
    """Draw rows of bars, at least one, over an axis; the base is a line through all."""
    caption = f"{base_word} {short(base)}" if base_word else ""
    above = 0.0 if width >= canvas.WIDE else _LABEL_ROW
    height = _TOP + len(rows) * (_ROW + above) + _BOTTOM
    drawn = _drawn(rows, base, caption, (width, height), above)
    return canvas.svg(width, height, title, drawn, "bars")


def moves_chart(rows: Sequence[Row], base: float, title: str, label: str) -> str:
    """Draw what moves the expected reward, for any screen; or say nothing does."""
    if not rows:
        return "<p>No number moves the expected reward.</p>"
    return canvas.for_screens(
        lambda width: span_chart(rows, base, title, width=width), label
    )


def _drawn(
    rows: Sequence[Row],
    base: float,
    caption: str,
    size: tuple[float, float],
    above: float,
) -> Iterator[str]:
    """Draw the rows; on a narrow chart their labels stand above the bars."""
    width, height = size
    labels = canvas.elided([row.label for row in rows], _LONGEST_LABEL)
    left = 0.0 if above else max(text_width(label, _FONT) for label in labels) + 12
    plot = canvas.Plot(
        left + _beside(rows, is_left=True),
        width - _beside(rows, is_left=False),
        _TOP,
        height - _BOTTOM,
        canvas.span([base, *(x for row in rows for bar in row.bars for x in bar[:2])]),
    )
    yield from plot.uprights(canvas.scale(*plot.across, 3 if above else 5, base).marks)
    # Labels above the bars are written over the line, which they would be crossed by.
    if above:
        yield plot.base(base)
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        middle = _TOP + number * (_ROW + above) + above + 0.5 * _ROW
        place = (0.0, middle - 11, "start") if above else (left, middle + 4, "end")
        yield canvas.letters(*place[:2], label, place[2], "bw-outcome")
        yield from _bars(row, plot, middle)
    if not above:
        yield plot.base(base)
    if caption:
        half = text_width(caption, _FONT) / 2 + 2
        inside = min(max(plot.x(base), half), width - half)
        yield canvas.letters(inside, _TOP - 14, caption, "middle")


def _beside(rows: Sequence[Row], *, is_left: bool) -> float:
    """Return the width of what stands beside the bars, even the longest of them."""
    texts = (row.beside(is_left=is_left) for row in rows)
    return max(text_width(text, _FONT) for text in texts) + 2 * _BESIDE


def _bars(row: Row, plot: canvas.Plot, middle: float) -> Iterator[str]:
    """Draw the bars of a row, long ones first, and what stands beside them."""
    for bar in sorted(row.bars, key=lambda bar: -abs(bar.end - bar.start)):
        start, end = plot.x(bar.start), plot.x(bar.end)
        corner = min(start, end), middle - _BAR / 2
        size = max(abs(end - start), 0.5), _BAR
        yield canvas.bar(corner, size, f"bw-bar {bar.style}", bar.note)
    for is_left, aside, anchor in ((True, -1, "end"), (False, 1, "start")):
        ends = [bar.end for bar in row.bars if bar.is_left is is_left]
        if text := row.beside(is_left=is_left):
            end = plot.x(min(ends) if is_left else max(ends))
            yield canvas.letters(end + aside * _BESIDE / 2, middle + 4, text, anchor)
