"""Maps: cells over two axes, colored by what is done first there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from branchwise.report.charts.axis import chart_text, marks
from branchwise.report.page.markup import words
from branchwise.report.text.wording import value
from branchwise.report.tree_drawing.lettering import legible, shortened

__all__ = ["Cell", "map_chart"]

_SIZE: Final = 420.0
_LEFT, _TOP, _BOTTOM = 70.0, 34.0, 52.0
_LEGEND: Final = 26.0
_WIDTH: Final = 760.0
_MOST_COLORS: Final = 7


class Cell(NamedTuple):
    """
    One cell.

    Parameters
    ----------
    x, y
        Where it stands, in the middle.
    kind
        What it is colored by.
    note
        What is told when somebody points at it.
    """

    x: float
    y: float
    kind: str
    note: str


def map_chart(
    cells: Sequence[Cell], here: tuple[float, float], titles: tuple[str, str]
) -> str:
    """
    Draw a map.

    Parameters
    ----------
    cells
        Over a grid of equally spaced values, every one of them.
    here
        Where we are: marked by a dot.
    titles
        What the two axes count.
    """
    chart = _Chart(cells)
    content = "\n".join(
        [*chart.areas(), *chart.axes(titles), chart.dot(here), *chart.legend()]
    )
    title = f"What to do first, by {titles[0]} and {titles[1]}"
    return (
        f'<svg class="bars" viewBox="0 0 {_WIDTH:g} {chart.height:g}" role="img" '
        f'aria-label="{words(title)}">\n{content}\n</svg>'
    )


class _Chart:
    """The scales of a map, and what stands on them."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = cells
        self._xs = sorted({cell.x for cell in cells})
        self._ys = sorted({cell.y for cell in cells})
        counts: dict[str, int] = {}
        for cell in cells:
            counts[cell.kind] = counts.get(cell.kind, 0) + 1
        by_size = sorted(counts, key=lambda kind: -counts[kind])
        # Past what colors can tell apart, the rarest share the last one.
        self._colors = {k: min(n, _MOST_COLORS) for n, k in enumerate(by_size)}
        self.height = _TOP + _SIZE + _BOTTOM

    def areas(self) -> Iterator[str]:
        width, height = _SIZE / len(self._xs), _SIZE / len(self._ys)
        for cell in self._cells:
            x = _LEFT + self._xs.index(cell.x) * width
            y = _TOP + _SIZE - (self._ys.index(cell.y) + 1) * height
            yield (
                f'<rect class="bw-area-{self._colors[cell.kind]}" x="{x:.1f}" '
                f'y="{y:.1f}" width="{width + 0.3:.1f}" height="{height + 0.3:.1f}">'
                f"<title>{words(cell.note)}</title></rect>"
            )

    def axes(self, titles: tuple[str, str]) -> Iterator[str]:
        for mark in marks(self._xs[0], self._xs[-1], 5):
            yield chart_text(self._x(mark), _TOP + _SIZE + 18, value(mark), "middle")
        for mark in marks(self._ys[0], self._ys[-1], 5):
            yield chart_text(_LEFT - 8, self._y(mark) + 4, value(mark), "end")
        below, above = (shortened(legible(title), 60) for title in titles)
        middle = _LEFT + _SIZE / 2
        yield chart_text(middle, self.height - 12, below, "middle", "bw-outcome")
        yield chart_text(_LEFT, _TOP - 14, above, "start", "bw-outcome")

    def dot(self, here: tuple[float, float]) -> str:
        x = self._x(min(max(here[0], self._xs[0]), self._xs[-1]))
        y = self._y(min(max(here[1], self._ys[0]), self._ys[-1]))
        return (
            f'<circle class="bw-here" cx="{x:.1f}" cy="{y:.1f}" r="6">'
            f"<title>now</title></circle>"
        )

    def legend(self) -> Iterator[str]:
        x, y = _LEFT + _SIZE + 28, _TOP + 6
        named = {color: kind for kind, color in reversed(self._colors.items())}
        for color, kind in sorted(named.items()):
            text = "other actions" if color == _MOST_COLORS else kind
            yield (
                f'<rect class="bw-area-{color}" x="{x:g}" y="{y:g}" width="16" '
                f'height="16"/>'
            )
            yield chart_text(
                x + 24, y + 13, shortened(legible(text), 26), "start", "bw-outcome"
            )
            y += _LEGEND

    def _x(self, number: float) -> float:
        """Place a number: the first and the last stand in the middle of their cells."""
        return _LEFT + _placed(number, self._xs)

    def _y(self, number: float) -> float:
        return _TOP + _SIZE - _placed(number, self._ys)


def _placed(number: float, grid: Sequence[float]) -> float:
    room = _SIZE / len(grid)
    if len(grid) == 1:
        return room / 2
    share = (number - grid[0]) / (grid[-1] - grid[0])
    return room / 2 + share * (_SIZE - room)
