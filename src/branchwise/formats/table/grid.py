"""A sheet of cells as text, each of which knows its name: ``B7`` or ``Actions!B7``."""

from collections.abc import Iterable
from dataclasses import dataclass

from branchwise.errors import FormatError, Issue
from branchwise.formats.document.nodes import Position
from branchwise.formats.place import Place


# Not frozen, as places are not: a table may have a million rows.
@dataclass(slots=True)
class Row:
    """
    One row of a sheet; ``number`` counts from 1, and the texts have no margins.

    >>> row = Row("plan.csv", "", 7, ("a1", "0.4"))
    >>> row.text(1), str(row.place(1)), row.text(9)
    ('0.4', 'plan.csv:B7', '')
    """

    source: str
    sheet: str
    number: int
    texts: tuple[str, ...]

    def text(self, column: int) -> str:
        """Return the text of a cell; cells past the end are blank."""
        return self.texts[column] if column < len(self.texts) else ""

    def place(self, column: int) -> Place:
        """Return the place of a cell."""
        return Place._make(self.position(column))

    def position(self, column: int) -> Position:
        """Return the parts of that place, for a node of which few are ever shown."""
        return self.source, self.number, column, self.sheet

    @property
    def filled(self) -> tuple[int, ...]:
        """The columns in which something stands."""
        return tuple([column for column, text in enumerate(self.texts) if text])


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of one sheet that are not blank; a CSV file is a sheet without name."""

    sheet: str
    rows: tuple[Row, ...]


def grid(source: str, sheet: str, rows: Iterable[tuple[int, Iterable[str]]]) -> Grid:
    """Make a sheet of numbered rows, leaving out what is blank."""
    # Most cells of a large table hold what others hold, too.
    known: dict[str, str] = {}
    filled = []
    for number, texts in rows:
        cells = tuple([known.setdefault(t, t) for t in map(str.strip, texts)])
        if any(cells):
            filled.append(Row(source, sheet, number, cells))
    return Grid(sheet, tuple(filled))


def unreadable(source: str, what: str, fix: str, *, position: str = "") -> FormatError:
    """Make the error for a file that cannot be read at all."""
    where = f"{source}:{position}" if position else source
    return FormatError([Issue(where, what, fix)])


def layout_issue(place: Place, what: str, fix: str) -> Issue:
    """Make an issue about the table itself, not about any part of the problem."""
    return Issue(str(place), what, fix, path=("table",))
