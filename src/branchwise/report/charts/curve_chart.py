"""Curves over an axis of numbers, with marks where something changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from branchwise.report.charts.axis import chart_text, marks, scale
from branchwise.report.page.markup import words
from branchwise.report.text.wording import value
from branchwise.report.tree_drawing.lettering import legible, shortened, text_width

__all__ = ["Curve", "Dot", "Upright", "curve_chart"]

_WIDTH: Final = 760.0
_HEIGHT: Final = 330.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 70.0, 24.0, 48.0, 52.0
_FONT: Final = 12.0
_CLOSEST: Final = 6.0  # between two texts that stand side by side


class Dot(NamedTuple):
    """A point on a curve that is told something about."""

    x: float
    y: float
    note: str


class Upright(NamedTuple):
    """A line from top to bottom, with a text at its top where there is room."""

    x: float
    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Curve:
    """
    What is drawn.

    Parameters
    ----------
    points
        The curve, by rising x; at least one point.
    is_stepped
        Whether the value stays the same up to the next point.
    dots
        Points that matter.
    uprights
        Where something changes.
    """

    points: Sequence[tuple[float, float]]
    is_stepped: bool = False
    dots: Sequence[Dot] = ()
    uprights: Sequence[Upright] = ()


def curve_chart(curve: Curve, x_title: str, title: str) -> str:
    """
    Draw a curve of expected rewards.

    Parameters
    ----------
    curve
        What is drawn.
    x_title
        What the horizontal axis counts.
    title
        What the chart shows, for those who cannot see it.
    """
    chart = _Chart(curve)
    content = "\n".join([*chart.grid(), *chart.content(), *chart.titles(x_title)])
    return (
        f'<svg class="bars" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" '
        f'aria-label="{words(title)}">\n{content}\n</svg>'
    )


class _Chart:
    """The scales of a chart, and what stands on them."""

    def __init__(self, curve: Curve) -> None:
        self._curve = curve
        xs = [x for x, _ in curve.points]
        ys = [y for _, y in curve.points]
        self._x_range = _widened(min(xs), max(xs))
        self._y_range = _widened(min(ys), max(ys))
        self._rewards = scale(*self._y_range, 5, self._y_range[0])

    def _x(self, number: float) -> float:
        low, high = self._x_range
        return _LEFT + (number - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def _y(self, number: float) -> float:
        low, high = self._y_range
        room = _HEIGHT - _TOP - _BOTTOM
        return _HEIGHT - _BOTTOM - (number - low) / (high - low) * room

    def grid(self) -> Iterator[str]:
        for mark, text in self._rewards.marks:
            y = self._y(mark)
            yield f'<path class="bw-grid" d="M{_LEFT:g} {y:.1f}H{_WIDTH - _RIGHT:g}"/>'
            yield chart_text(_LEFT - 8, y + 4, text, "end")
        for mark in marks(*self._x_range, 6):
            yield chart_text(self._x(mark), _HEIGHT - 32, value(mark), "middle")

    def content(self) -> Iterator[str]:
        yield from self._uprights()
        yield f'<path class="bw-curve" d="{self._path()}"/>'
        for dot in self._curve.dots:
            yield (
                f'<circle class="bw-dot" cx="{self._x(dot.x):.1f}" '
                f'cy="{self._y(dot.y):.1f}" r="4.5">'
                f"<title>{words(dot.note)}</title></circle>"
            )

    def titles(self, x_title: str) -> Iterator[str]:
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        below = shortened(legible(x_title), 70)
        yield chart_text(middle, _HEIGHT - 10, below, "middle")
        above = f" above {value(self._y_range[0])}" if self._rewards.is_relative else ""
        yield chart_text(4, 14, f"expected reward{above}", "start")

    def _uprights(self) -> Iterator[str]:
        """Draw the lines; a text stands there only where it is not in the way."""
        free = 0.0
        for upright in sorted(self._curve.uprights):
            x = self._x(upright.x)
            yield (
                f'<path class="bw-upright" d="M{x:.1f} {_TOP - 10:g}'
                f'V{_HEIGHT - _BOTTOM:g}"><title>{words(upright.note)}</title></path>'
            )
            text = shortened(legible(upright.text), 24)
            half = text_width(text, _FONT) / 2
            middle = min(max(x, half), _WIDTH - half)
            if middle - half >= free:
                yield chart_text(middle, _TOP - 16, text, "middle", "bw-outcome")
                free = middle + half + _CLOSEST

    def _path(self) -> str:
        (x, y), *others = self._curve.points
        parts = [f"M{self._x(x):.1f} {self._y(y):.1f}"]
        for x, y in others:
            if self._curve.is_stepped:
                parts.append(f"H{self._x(x):.1f}V{self._y(y):.1f}")
            else:
                parts.append(f"L{self._x(x):.1f} {self._y(y):.1f}")
        return "".join(parts)


def _widened(low: float, high: float) -> tuple[float, float]:
    """Leave no range without room."""
    if low == high:
        room = abs(low) / 10 or 1.0
        return low - room, high + room
    return low, high
