"""Maps: cells over two axes, colored by what is done first there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from branchwise.report.charts import canvas
from branchwise.report.tree_drawing.lettering import legible, shortened

_WIDTH, _SIZE = 760.0, 420.0  # of the chart, and of the map in it
_LEFT, _TOP, _BOTTOM = 70.0, 34.0, 52.0
_LEGEND: Final = 26.0
_MOST_COLORS: Final = 7


class Cell(NamedTuple):
    """One cell: its middle, what it is colored by, and a note for who points at it."""

    x: float
    y: float
    kind: str
    note: str


def map_chart(
    cells: Sequence[Cell], here: tuple[float, float], titles: tuple[str, str]
) -> str:
    """Draw a map of every cell of an evenly spaced grid, with a dot where we are."""
    xs, ys = {cell.x for cell in cells}, {cell.y for cell in cells}
    size = _SIZE / len(xs), _SIZE / len(ys)
    plot = canvas.Plot(
        _LEFT,
        _LEFT + _SIZE,
        _TOP,
        _TOP + _SIZE,
        canvas.span(xs),
        canvas.span(ys),
        (size[0] / 2, size[1] / 2),
    )
    # Past what can be told apart, the rarest share a color.
    counts = Counter(cell.kind for cell in cells).most_common()
    colors = {kind: min(n, _MOST_COLORS) for n, (kind, _) in enumerate(counts)}
    areas = _areas(cells, colors, plot, size)
    parts = [*areas, *_axes(plot, titles), _dot(plot, here), *_legend(colors)]
    title = f"What to do first, by {titles[0]} and {titles[1]}"
    return canvas.svg(_WIDTH, _TOP + _SIZE + _BOTTOM, title, parts, "bars")


def _areas(
    cells: Sequence[Cell],
    colors: dict[str, int],
    plot: canvas.Plot,
    size: tuple[float, float],
) -> Iterator[str]:
    width, height = size
    for cell in cells:
        corner = plot.x(cell.x) - width / 2, plot.y(cell.y) - height / 2
        # A little more than their size, so that no line shows between them.
        area = width + 0.3, height + 0.3
        yield canvas.bar(corner, area, f"bw-area-{colors[cell.kind]}", cell.note)


def _axes(plot: canvas.Plot, titles: tuple[str, str]) -> Iterator[str]:
    yield from plot.uprights(canvas.written_marks(plot.across, 5), is_lined=False)
    for mark, text in canvas.written_marks(plot.upward, 5):
        yield canvas.letters(plot.left - 8, plot.y(mark) + 4, text, "end")
    below, above = (shortened(legible(title), 60) for title in titles)
    middle = (plot.left + plot.right) / 2
    yield canvas.letters(middle, plot.bottom + 40, below, "middle", "bw-outcome")
    yield canvas.letters(plot.left, plot.top - 14, above, "start", "bw-outcome")


def _dot(plot: canvas.Plot, here: tuple[float, float]) -> str:
    """Mark where we are, or the nearest place on the map."""
    (left, right), (low, high) = plot.across, plot.upward
    x, y = min(max(here[0], left), right), min(max(here[1], low), high)
    return canvas.dot(plot.x(x), plot.y(y), "now", "bw-here", 6)


def _legend(colors: dict[str, int]) -> Iterator[str]:
    x, y = _LEFT + _SIZE + 28, _TOP + 6
    named = {color: kind for kind, color in reversed(colors.items())}
    for color, kind in sorted(named.items()):
        text = "other actions" if color == _MOST_COLORS else kind
        yield canvas.bar((x, y), (16, 16), f"bw-area-{color}")
        label = shortened(legible(text), 26)
        yield canvas.letters(x + 24, y + 13, label, "start", "bw-outcome")
        y += _LEGEND
