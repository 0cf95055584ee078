"""Maps: cells over two axes, colored by what is done first there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from branchwise.report.charts import canvas
from branchwise.report.tree_drawing.lettering import legible, shortened, text_width

_SIZE: Final = 420.0  # of the map
_LEFT, _TOP, _BOTTOM = 70.0, 34.0, 52.0
_SMALL_LEFT: Final = 48.0
_FONT: Final = 12.0
_LEGEND: Final = 26.0
_MOST_COLORS: Final = 7
_REGION: Final = "bw-region"


class Cell(NamedTuple):
    """One cell: its middle, what it is colored by, and a note for who points at it."""

    x: float
    y: float
    kind: str
    note: str


@dataclass(frozen=True, slots=True)
class _Run:
    """Cells side by side of which all are of one kind."""

    cells: tuple[Cell, ...]

    @property
    def first(self) -> Cell:
        return self.cells[0]

    @property
    def last(self) -> Cell:
        return self.cells[-1]


def map_chart(
    cells: Sequence[Cell],
    here: tuple[float, float],
    titles: tuple[str, str],
    *,
    width: float = canvas.WIDE,
) -> str:
    """
    Draw a map of every cell of an evenly spaced grid, with a dot where we are.

    The cells come row by row, from left to right. A narrow chart is for a finger, which
    cannot point at one: there they have no notes.
    """
    xs, ys = {cell.x for cell in cells}, {cell.y for cell in cells}
    is_wide = width > canvas.NARROW
    left = _LEFT if is_wide else _SMALL_LEFT
    side = min(_SIZE, width - left - 8)
    size = side / len(xs), side / len(ys)
    ends = canvas.span(xs), canvas.span(ys)
    inset = size[0] / 2, size[1] / 2
    plot = canvas.Plot(left, left + side, _TOP, _TOP + side, *ends, inset)
    runs = [*_runs(cells if is_wide else [c._replace(note="") for c in cells])]
    # Past what can be told apart, the rarest share a color.
    counts = Counter(cell.kind for cell in cells).most_common()
    colors = {kind: min(n, _MOST_COLORS) for n, (kind, _) in enumerate(counts)}
    below = plot.bottom + _BOTTOM
    corner = (plot.right + 28, _TOP + 6) if is_wide else (0.0, below)
    num_rows = 0 if is_wide else len(set(colors.values()))
    parts = [
        *_areas(runs, colors, plot, size),
        *_axes(plot, titles),
        *_names(runs, plot, size),
        _dot(plot, here),
        *_legend(colors, corner),
    ]
    title = f"What to do first, by {titles[0]} and {titles[1]}"
    return canvas.svg(width, below + num_rows * _LEGEND, title, parts, "bars")


def _runs(cells: Sequence[Cell]) -> Iterator[_Run]:
    """Return what is side by side and the same, row by row."""
    for _, row in groupby(cells, key=lambda cell: cell.y):
        for _, alike in groupby(row, key=lambda cell: cell.kind):
            yield _Run(tuple(alike))


def _names(
    runs: Sequence[_Run], plot: canvas.Plot, size: tuple[float, float]
) -> Iterator[str]:
    """Write what is done first into each region that has room for it."""
    named: set[str] = set()
    middle = (plot.upward[0] + plot.upward[1]) / 2
    # The longest row of cells; of equals, the one nearest to the middle.
    ranked = sorted(runs, key=lambda r: (-len(r.cells), abs(r.first.y - middle)))
    for run in ranked:
        kind = run.first.kind
        text = shortened(legible(kind), 22)
        fits = text_width(text, _FONT) + 8 <= len(run.cells) * size[0]
        if kind not in named and fits and size[1] >= _FONT:
            named.add(kind)
            x = plot.x((run.first.x + run.last.x) / 2)
            yield canvas.letters(x, plot.y(run.first.y) + 4, text, "middle", _REGION)


def _areas(
    runs: Sequence[_Run],
    colors: dict[str, int],
    plot: canvas.Plot,
    size: tuple[float, float],
) -> Iterator[str]:
    """Color what is the same as one area; what has a note to show stays a cell."""
    width, height = size
    for run in runs:
        style = f"bw-area-{colors[run.first.kind]}"
        pieces = [_Run((cell,)) for cell in run.cells] if run.first.note else [run]
        for each in pieces:
            corner = plot.x(each.first.x) - width / 2, plot.y(each.first.y) - height / 2
            # A little more than their size, so that no line shows between them.
            area = width * len(each.cells) + 0.3, height + 0.3
            yield canvas.bar(corner, area, style, each.first.note)


def _axes(plot: canvas.Plot, titles: tuple[str, str]) -> Iterator[str]:
    yield from plot.uprights(canvas.written_marks(plot.across, 5), is_lined=False)
    for mark, text in canvas.written_marks(plot.upward, 5):
        yield canvas.letters(plot.left - 8, plot.y(mark) + 4, text, "end")
    room = int((plot.right - plot.left) / (0.6 * _FONT))
    below, above = (shortened(legible(title), min(60, room)) for title in titles)
    middle = (plot.left + plot.right) / 2
    yield canvas.letters(middle, plot.bottom + 40, below, "middle", "bw-outcome")
    yield canvas.letters(plot.left, plot.top - 14, above, "start", "bw-outcome")


def _dot(plot: canvas.Plot, here: tuple[float, float]) -> str:
    """Mark where we are, or the nearest place on the map."""
    (left, right), (low, high) = plot.across, plot.upward
    x, y = min(max(here[0], left), right), min(max(here[1], low), high)
    return canvas.dot(plot.x(x), plot.y(y), "now", "bw-here", 6)


def _legend(colors: dict[str, int], corner: tuple[float, float]) -> Iterator[str]:
    x, y = corner
    named = {color: kind for kind, color in reversed(colors.items())}
    for color, kind in sorted(named.items()):
        text = "other actions" if color == _MOST_COLORS else kind
        yield canvas.bar((x, y), (16, 16), f"bw-area-{color}")
        label = shortened(legible(text), 26)
        yield canvas.letters(x + 24, y + 13, label, "start", "bw-outcome")
        y += _LEGEND
