"""Columns: one list of them gives a table of text, of HTML and of CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Literal

from branchwise.analysis.table import Cell, Table
from branchwise.report.page import markup
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Ink, Look
from branchwise.report.text.wording import chance, count, rounded, value

__all__ = ["Column", "ColumnKind", "table_html", "table_lines", "table_of"]

ColumnKind = Literal["name", "text", "value", "rounded", "chance", "count"]
"""What the cells of a column are; this decides how they are written and aligned."""

_WRITERS: Final[dict[str, Callable[[Any], str]]] = {
    "value": value,
    "rounded": rounded,
    "chance": chance,
    "count": count,
    "text": str,
    "name": str,
}


@dataclass(frozen=True, slots=True)
class Column:
    """
    One column of a table, wherever the table is shown.

    Parameters
    ----------
    key
        Its name for programs: the head of a CSV file, the key of a record.
    title
        Its name for people; text shows it as it is, a page with a capital letter.
    kind
        What its cells are.
    get
        Takes the cell from a row's record; the attribute named `key` unless given.
    ink
        Its color in a terminal.
    html
        Writes the cell for a page where that differs from the text: returns escaped
        HTML.
    """

    key: str
    title: str
    kind: ColumnKind = "text"
    get: Callable[[Any], Cell] | None = None
    ink: Ink = "plain"
    html: Callable[[Any], str] | None = None

    def cell(self, record: Any) -> Cell:
        """Return what stands in a record's row, as data."""
        get = self.get or attrgetter(self.key)
        return get(record)

    def written(self, record: Any, *, missing: str = "") -> str:
        """Return what stands in a record's row, as text for people."""
        cell = self.cell(record)
        return missing if cell is None else _WRITERS[self.kind](cell)

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers, which stand to the right."""
        return self.kind not in {"name", "text"}


def table_of(name: str, columns: Sequence[Column], records: Iterable[Any]) -> Table:
    """Return the table as data: for CSV, JSON and data frames."""
    rows = ([column.cell(record) for column in columns] for record in records)
    return Table.of(name, [column.key for column in columns], rows)


def table_lines(
    columns: Sequence[Column], records: Iterable[Any], look: Look
) -> Iterator[str]:
    """Return the table as text, line by line; the first column names the rows."""
    rows = [
        [
            look.name(column.written(record), 0.4)
            if column.kind == "name"
            else column.written(record)
            for column in columns
        ]
        for record in records
    ]
    inks = {number: column.ink for number, column in enumerate(columns)}
    titles = [column.title for column in columns]
    words = next((n for n, column in enumerate(columns) if not column.is_number), -1)
    yield from aligned(titles, rows, look, words=words, inks=inks)


def table_html(columns: Sequence[Column], records: Iterable[Any], label: str) -> str:
    """Return the table as HTML that scrolls by itself; a long one is folded."""
    heads = [
        markup.Column(
            column.title[:1].upper() + column.title[1:],
            "number" if column.is_number else "",
            is_head=number == 0,
        )
        for number, column in enumerate(columns)
    ]
    rows = [[_html(column, record) for column in columns] for record in records]
    return markup.listing(heads, rows, label)


def _html(column: Column, record: Any) -> str:
    if column.html is not None:
        return column.html(record)
    if column.cell(record) is None:
        return markup.NONE
    escape = markup.name if column.kind == "name" else markup.words
    return escape(column.written(record))
