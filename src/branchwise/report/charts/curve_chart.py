"""Curves over two axes of numbers, straight or in steps, with dots that matter."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from branchwise.report.charts import canvas
from branchwise.report.markup import words
from branchwise.report.text.wording import value
from branchwise.report.tree_drawing.lettering import legible, shortened, text_width

_WIDTHS: Final = {"bars": 760.0, "chart": 560.0}
_HEIGHTS: Final = {"bars": 230.0, "chart": 188.0}
_LEFT, _RIGHT, _TOP, _BOTTOM = 70.0, 24.0, 30.0, 52.0
_UPRIGHT_TEXT: Final = 18.0  # above the plot, where lines stand upright
_LEGEND_ROW: Final = 20.0
_LONGEST_TITLE: Final = 70
_FONT: Final = 12.0
_CLOSEST: Final = 6.0  # between two texts that stand side by side
_DOT_TEXT: Final = 50.0  # how much a text beside a dot takes

STYLES: Final = ("first", "second", "third", "fourth")
"""The styles of curves, which differ in color and in dashes."""


class Dot(NamedTuple):
    """A point on a curve, with a note for who points at it, and a text beside it."""

    x: float
    y: float
    note: str
    text: str = ""


class Upright(NamedTuple):
    """A line from top to bottom, with a text at its top where there is space."""

    x: float
    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart."""

    points: Sequence[tuple[float, float]]  # from left to right or back; at least one
    label: str = ""  # what the legend says, where there are several curves
    style: str = STYLES[0]
    is_stepped: bool = False  # whether the value stays the same up to the next point
    dots: Sequence[Dot] = ()
    uprights: Sequence[Upright] = ()


class Axis(NamedTuple):
    """What an axis measures."""

    title: str  # what stands beside it
    word: Callable[[float], str] = value  # writes a number on it
    ends: tuple[float, float] | None = None  # else those of the curves


def curve_chart(curve: Curve, x_title: str, title: str) -> str:
    """Draw a curve of expected rewards."""
    return line_chart([curve], Axis(x_title), Axis("expected reward"), title)


def line_chart(
    curves: Sequence[Curve], across: Axis, upward: Axis, title: str, style: str = "bars"
) -> str:
    """
    Draw curves, at least one, over two axes; with a legend where there are several.

    The style is ``bars`` for one as wide as the page, ``chart`` for one beside a table.
    """
    width = _WIDTHS[style]
    has_uprights = any(curve.uprights for curve in curves)
    top = _TOP + (_UPRIGHT_TEXT if has_uprights else 0.0)
    plot = canvas.Plot(
        _LEFT,
        width - _RIGHT,
        top,
        top + _HEIGHTS[style],
        across.ends or canvas.span(x for curve in curves for x, _ in curve.points),
        upward.ends or canvas.span(y for curve in curves for _, y in curve.points),
    )
    named = curves if len(curves) > 1 else ()
    parts = [*_axes(plot, across, upward, is_lined=not has_uprights)]
    for curve in curves:
        parts += [*_uprights(plot, curve, width), *_curve(plot, curve)]
    parts += _legend(named, plot.bottom + _BOTTOM)
    height = plot.bottom + _BOTTOM + len(named) * _LEGEND_ROW
    return canvas.svg(width, height, title, parts, style)


def _axes(
    plot: canvas.Plot, across: Axis, upward: Axis, *, is_lined: bool
) -> Iterator[str]:
    marks = canvas.written_marks(plot.upward, 5, upward.word)
    above = ""
    if upward.word is value:
        marks, is_relative = canvas.scale(*plot.upward, 5, plot.upward[0])
        above = f" above {value(plot.upward[0])}" if is_relative else ""
    yield from plot.levels(marks)
    yield from plot.uprights(
        canvas.written_marks(plot.across, 6, across.word), is_lined=is_lined
    )
    middle = (plot.left + plot.right) / 2
    below = shortened(legible(across.title), _LONGEST_TITLE)
    yield canvas.letters(middle, plot.bottom + 42, below, "middle")
    yield canvas.letters(4, 14, f"{upward.title}{above}", "start")


def _curve(plot: canvas.Plot, curve: Curve) -> Iterator[str]:
    path = plot.path(curve.points, is_stepped=curve.is_stepped)
    yield f'<path class="bw-curve {curve.style}" d="{path}"/>'
    for dot in curve.dots:
        x, y = plot.x(dot.x), plot.y(dot.y)
        yield canvas.dot(x, y, dot.note, f"bw-dot {curve.style}")
        if dot.text:
            is_last = x > plot.right - _DOT_TEXT
            shift, drop, side = (-8, 17, "end") if is_last else (7, -7, "start")
            yield canvas.letters(x + shift, y + drop, dot.text, side)


def _uprights(plot: canvas.Plot, curve: Curve, width: float) -> Iterator[str]:
    """Draw the lines; a text stands there only where it is not in the way."""
    free = 0.0
    for upright in sorted(curve.uprights):
        x = plot.x(upright.x)
        yield (
            f'<path class="bw-upright" d="M{x:.1f} {plot.top - 10:g}V{plot.bottom:g}">'
            f"<title>{words(upright.note)}</title></path>"
        )
        text = shortened(legible(upright.text), 24)
        half = text_width(text, _FONT) / 2
        middle = min(max(x, half), width - half)
        if middle - half >= free:
            yield canvas.letters(middle, plot.top - 16, text, "middle", "bw-outcome")
            free = middle + half + _CLOSEST


def _legend(curves: Sequence[Curve], top: float) -> Iterator[str]:
    for number, curve in enumerate(curves):
        y = top + (number + 0.5) * _LEGEND_ROW
        yield f'<path class="bw-curve {curve.style}" d="M{_LEFT:g} {y:.1f}h28"/>'
        label = shortened(legible(curve.label), _LONGEST_TITLE)
        yield canvas.letters(_LEFT + 36, y + 4, label, "start", "bw-outcome")
