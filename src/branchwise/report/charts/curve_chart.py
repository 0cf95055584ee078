"""Curves over two axes of numbers, straight or in steps, with dots that matter."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from branchwise.report.charts import canvas
from branchwise.report.charts.pen import (
    coordinate,
    dots_path,
    line_path,
    stepped_path,
)
from branchwise.report.markup import words
from branchwise.report.text.wording import value
from branchwise.report.tree_drawing.lettering import legible, shortened, text_width

_CHART_WIDTH: Final = 560.0  # beside a table
_SMALL_LEFT: Final = 52.0
_HEIGHTS: Final = {"bars": 230.0, "chart": 188.0}
_LEFT, _RIGHT, _TOP, _BOTTOM = 70.0, 24.0, 30.0, 52.0
_UPRIGHT_TEXT: Final = 18.0  # above the plot, where lines stand upright
_LEGEND_ROW: Final = 20.0
_LONGEST_TITLE: Final = 70
_FONT: Final = 12.0
_CLOSEST: Final = 6.0  # between two texts that stand side by side
_APART: Final = 18.0  # between two dots that both have a text beside them
_DOT_TEXT: Final = 50.0  # how much a text beside a dot takes

STYLES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
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


class Cloud(NamedTuple):
    """Many points without notes, as draws have them."""

    points: Sequence[tuple[float, float]]
    style: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart."""

    points: Sequence[tuple[float, float]]  # from left to right or back; at least one
    label: str = ""  # what the legend says, where there are several curves
    style: str = STYLES[0]
    is_stepped: bool = False  # whether the value stays the same up to the next point
    dots: Sequence[Dot] = ()
    uprights: Sequence[Upright] = ()
    clouds: Sequence[Cloud] = ()

    @property
    def every_point(self) -> Iterator[tuple[float, float]]:
        """All points that the axes have to reach."""
        yield from self.points
        yield from (dot[:2] for dot in self.dots)
        for cloud in self.clouds:
            yield from cloud.points


class Axis(NamedTuple):
    """What an axis measures."""

    title: str  # what stands beside it
    word: Callable[[float], str] = value  # writes a number on it
    ends: tuple[float, float] | None = None  # else those of the curves


def curve_chart(
    curve: Curve, x_title: str, title: str, *, width: float = canvas.WIDE
) -> str:
    """Draw a curve of expected rewards."""
    axes = Axis(x_title), Axis("expected reward")
    return line_chart([curve], *axes, title, width=width)


def line_chart(
    curves: Sequence[Curve],
    across: Axis,
    upward: Axis,
    title: str,
    style: str = "bars",
    *,
    width: float = canvas.WIDE,
) -> str:
    """
    Draw curves, at least one, over two axes; with a legend where there are several.

    The style is ``bars`` for one as wide as the page, ``chart`` for one beside a table.
    """
    width = _CHART_WIDTH if style == "chart" else width
    has_uprights = any(curve.uprights for curve in curves)
    top = _TOP + (_UPRIGHT_TEXT if has_uprights else 0.0)
    plot = canvas.Plot(
        _LEFT if width > canvas.NARROW else _SMALL_LEFT,
        width - _RIGHT,
        top,
        top + _HEIGHTS[style],
        across.ends or canvas.span(x for curve in curves for x, _ in curve.every_point),
        upward.ends or canvas.span(y for curve in curves for _, y in curve.every_point),
    )
    named = curves if len(curves) > 1 else ()
    parts = [*_axes(plot, across, upward, is_lined=not has_uprights)]
    for curve in curves:
        parts += [*_uprights(plot, curve, width), *_curve(plot, curve)]
    parts += _legend(named, plot.bottom + _BOTTOM, plot)
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
    room = plot.right - plot.left
    marks = canvas.written_marks(
        plot.across, 6 if room > canvas.NARROW else 3, across.word
    )
    yield from plot.uprights(marks, is_lined=is_lined)
    middle = (plot.left + plot.right) / 2
    below = shortened(legible(across.title), _letters_in(room))
    yield canvas.letters(middle, plot.bottom + 42, below, "middle")
    yield canvas.letters(4, 14, f"{upward.title}{above}", "start")


def _curve(plot: canvas.Plot, curve: Curve) -> Iterator[str]:
    for cloud in curve.clouds:
        dots = dots_path(plot.places(cloud.points))
        yield f'<path class="bw-cloud {cloud.style}" d="{dots}"/>'
    drawn = stepped_path if curve.is_stepped else line_path
    path = drawn(plot.places(curve.points))
    yield f'<path class="bw-curve {curve.style}" d="{path}"/>'
    written: list[tuple[float, float]] = []
    for dot in curve.dots:
        x, y = plot.x(dot.x), plot.y(dot.y)
        yield canvas.dot(x, y, dot.note, f"bw-dot {curve.style}")
        # Where dots are close, the first one alone is called by its name.
        is_free = all(math.dist((x, y), place) > _APART for place in written)
        if dot.text and is_free:
            written.append((x, y))
            is_last = x > plot.right - _DOT_TEXT
            shift, drop, side = (-8, 17, "end") if is_last else (7, -7, "start")
            yield canvas.letters(x + shift, y + drop, dot.text, side)


def _uprights(plot: canvas.Plot, curve: Curve, width: float) -> Iterator[str]:
    """Draw the lines; a text stands there only where it is not in the way."""
    free = 0.0
    for upright in sorted(curve.uprights):
        x = plot.x(upright.x)
        line = f"M{coordinate(x)} {plot.top - 10:g}V{plot.bottom:g}"
        note = f"<title>{words(upright.note)}</title>"
        yield f'<path class="bw-upright" d="{line}">{note}</path>'
        text = shortened(legible(upright.text), 24)
        half = text_width(text, _FONT) / 2
        middle = min(max(x, half), width - half)
        if middle - half >= free:
            yield canvas.letters(middle, plot.top - 16, text, "middle", "bw-outcome")
            free = middle + half + _CLOSEST


def _legend(curves: Sequence[Curve], top: float, plot: canvas.Plot) -> Iterator[str]:
    room = _letters_in(plot.right - plot.left - 36)
    labels = canvas.elided([curve.label for curve in curves], room)
    for number, (curve, label) in enumerate(zip(curves, labels, strict=True)):
        y = top + (number + 0.5) * _LEGEND_ROW
        yield f'<path class="bw-curve {curve.style}" d="M{plot.left:g} {y:.1f}h28"/>'
        yield canvas.letters(plot.left + 36, y + 4, label, "start", "bw-outcome")


def _letters_in(room: float) -> int:
    """Return how many letters of a title fit, as wide as they are on average."""
    return min(_LONGEST_TITLE, int(room / (0.6 * _FONT)))
