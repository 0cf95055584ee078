"""Lines over two axes: curves that go up and down, or in steps, with a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from branchwise.report.charts.axis import chart_text, marks
from branchwise.report.page.markup import words
from branchwise.report.text.wording import value
from branchwise.report.tree_drawing.lettering import cropped, legible

__all__ = ["STYLES", "Axis", "Curve", "plane_chart"]

_WIDTH: Final = 640.0
_PLOT: Final = 230.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 20.0, 30.0, 46.0
_LEGEND_ROW: Final = 20.0
_LONGEST_LABEL: Final = 72
_DOT: Final = 4.0

STYLES: Final = ("first", "second", "third", "fourth")
"""The styles of curves, which differ in color and in dashes."""


class Curve(NamedTuple):
    """
    One line of a chart.

    Parameters
    ----------
    label
        What the legend says.
    points
        Where it goes through, from left to right or back.
    style
        One of `STYLES`.
    notes
        What is told of each point when somebody points at it; with notes, dots mark
        the points.
    """

    label: str
    points: Sequence[tuple[float, float]]
    style: str
    notes: Sequence[str] = ()


class Axis(NamedTuple):
    """
    What an axis measures.

    Parameters
    ----------
    title
        What stands beside it.
    word
        Writes a number on it.
    """

    title: str
    word: Callable[[float], str] = value


def plane_chart(curves: Sequence[Curve], across: Axis, upward: Axis, title: str) -> str:
    """
    Draw curves over two axes, with a legend below where there are several.

    Parameters
    ----------
    curves
        At least one, with at least one point.
    across, upward
        What the axes measure.
    title
        What the chart shows, for those who cannot see it.
    """
    chart = _Plane(curves)
    lines = [*chart.grid(across, upward), *chart.curves(), *chart.legend()]
    content = "\n".join(lines)
    return (
        f'<svg class="plane" viewBox="0 0 {_WIDTH:g} {chart.height:g}" role="img" '
        f'aria-label="{words(title)}">\n{content}\n</svg>'
    )


class _Plane:
    """The scales of a chart, and what stands on them."""

    def __init__(self, curves: Sequence[Curve]) -> None:
        self._curves = curves
        self._left, self._right = _span([x for c in curves for x, _ in c.points])
        self._low, self._high = _span([y for c in curves for _, y in c.points])
        self._bottom = _TOP + _PLOT
        self._named = curves if len(curves) > 1 else ()
        self.height = self._bottom + _BOTTOM + len(self._named) * _LEGEND_ROW

    def _x(self, number: float) -> float:
        share = (number - self._left) / (self._right - self._left)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def _y(self, number: float) -> float:
        share = (number - self._low) / (self._high - self._low)
        return self._bottom - share * _PLOT

    def grid(self, across: Axis, upward: Axis) -> Iterator[str]:
        for mark in marks(self._low, self._high):
            y = self._y(mark)
            yield f'<path class="bw-grid" d="M{_LEFT:g} {y:.1f}H{_WIDTH - _RIGHT:g}"/>'
            yield chart_text(_LEFT - 8, y + 4, upward.word(mark), "end")
        for mark in marks(self._left, self._right, 5):
            x = self._x(mark)
            yield f'<path class="bw-grid" d="M{x:.1f} {_TOP:g}V{self._bottom:g}"/>'
            yield chart_text(x, self._bottom + 18, across.word(mark), "middle")
        yield chart_text(8, 14, upward.title, "start", "bw-outcome")
        end, below = _WIDTH - _RIGHT, self._bottom + 36
        yield chart_text(end, below, across.title, "end", "bw-outcome")

    def curves(self) -> Iterator[str]:
        for curve in self._curves:
            places = [(self._x(x), self._y(y)) for x, y in curve.points]
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
            yield f'<path class="bw-curve {curve.style}" d="M{path}"/>'
            for (x, y), note in zip(places, curve.notes, strict=False):
                yield (
                    f'<circle class="bw-dot {curve.style}" cx="{x:.1f}" cy="{y:.1f}" '
                    f'r="{_DOT:g}"><title>{words(note)}</title></circle>'
                )

    def legend(self) -> Iterator[str]:
        for number, curve in enumerate(self._named):
            y = self._bottom + _BOTTOM + (number + 0.5) * _LEGEND_ROW
            style = f"bw-curve {curve.style}"
            yield f'<path class="{style}" d="M{_LEFT:g} {y:.1f}h28"/>'
            label = cropped(legible(curve.label), _LONGEST_LABEL)
            yield chart_text(_LEFT + 36, y + 4, label, "start", "bw-outcome")


def _span(numbers: Sequence[float]) -> tuple[float, float]:
    """Give the room that numbers need; some, even if they are all the same."""
    low, high = min(numbers), max(numbers)
    if low == high:
        return low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    return low, high
