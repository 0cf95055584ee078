"""Two-way maps, shown: what to do first, by two numbers."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from branchwise.analysis.sensitivity.ranges import RangeOrigin
from branchwise.analysis.sensitivity.two_way import MapCell, TwoWay
from branchwise.report.charts.canvas import for_screens
from branchwise.report.charts.map_chart import Cell, map_chart
from branchwise.report.column import condition_on_page
from branchwise.report.markup import name
from branchwise.report.text.ink import Look, aligned
from branchwise.report.text.label import as_read
from branchwise.report.text.wording import rounded, short

TITLE: Final = "Two-way map"
NOTE: Final = "what the best plan starts with as two numbers change at once"

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_NEAREST: Final = (
    "Apart from costs that use up the budget, and from what only the end of a range "
    "changes, these two numbers come first to where the plan starts with another one."
)
_NONE: Final = "there are no two probabilities to vary"


def lines(found: TwoWay, look: Look) -> Iterator[str]:
    """Return a map as text: a letter for what is done first, and their meaning."""
    if not found.cells:
        yield look.line(_NONE)
        return
    counted = [kind for kind, _ in Counter(map(_kind, found.cells)).most_common()]
    letters = {kind: _LETTERS[min(n, 25)] for n, kind in enumerate(counted)}
    xs = sorted({cell.x for cell in found.cells})
    ys = sorted({cell.y for cell in found.cells}, reverse=True)
    kinds = {(cell.x, cell.y): letters[_kind(cell)] for cell in found.cells}
    rows = [[rounded(y, 3), *(kinds[x, y] for x in xs)] for y in ys]
    titles = ["", *(rounded(x, 3) for x in xs)]
    across = f"across {look.name(found.x_parameter, 0.4)}{_from(found.x_range_from)}"
    up = f"upward {look.name(found.y_parameter, 0.4)}{_from(found.y_range_from)}"
    yield look.line(f"{across}, {up}")
    yield from aligned(titles, rows, look, words=-1)
    meaning = ", ".join(f"{letters[k]} {look.name(k, 0.3)}" for k in counted)
    yield look.line((f"starts with: {meaning}", "faint"))


def fragment(found: TwoWay) -> str:
    """Return a map for a page."""
    if not found.cells:
        return f'<p class="hint">{_NONE[0].upper() + _NONE[1:]}.</p>'
    cells = [Cell(float(c.x), float(c.y), _kind(c), _note(c)) for c in found.cells]
    here = float(found.x_value), float(found.y_value)
    titles = as_read(found.x_parameter), as_read(found.y_parameter)
    chart = for_screens(
        lambda width: map_chart(cells, here, titles, width=width), "Two-way map"
    )
    only = {_kind(c) for c in found.cells}
    alike = f" Everywhere on it that is {name(only.pop())}." if len(only) == 1 else ""
    near = f" {_NEAREST}" if found.is_nearest else ""
    return f"""<p class="hint">What the best plan starts with, as
{condition_on_page(found.x_parameter)}{_from(found.x_range_from)} and
{condition_on_page(found.y_parameter)}{_from(found.y_range_from)} change at once
and all other numbers are held.{alike} The dot is where we are; point at a cell to see
both numbers, and what the plan is worth there.{near}</p>
{chart}"""


def _from(origin: RangeOrigin) -> str:
    """Return who chose a range, unless it is all there is or was asked for just now."""
    return " (range from the problem)" if origin == "problem" else ""


def _kind(cell: MapCell) -> str:
    return cell.first_action or "nothing"


def _note(cell: MapCell) -> str:
    """Return what a cell stands for: where it is across and up, and what is there."""
    where = f"{rounded(cell.x, 3)}, {rounded(cell.y, 3)}"
    return f"{where}: {_kind(cell)}, worth {short(cell.expected_reward)}"
