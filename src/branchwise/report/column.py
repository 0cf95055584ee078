"""Columns: one list of them gives a table of text, of HTML and of CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Literal

from branchwise.analysis.table import Cell
from branchwise.report.markup import NONE, name, number, scrollable, words
from branchwise.report.text.cost_wording import title_of
from branchwise.report.text.ink import Ink, Look, aligned
from branchwise.report.text.label import as_read
from branchwise.report.text.wording import (
    chance,
    change,
    count,
    plural,
    precise,
    rounded,
    short,
    short_change,
    value,
)

ColumnKind = Literal[
    "name", "action", "text", "value", "rounded", "change", "chance", "count", "figure"
]
"""
What the cells of a column are; this decides how they are written and aligned.

An ``action`` is the name of what a plan does, and None where it does nothing; a
``figure`` is a number that is written already.
"""

_MOST_UNFOLDED: Final = 30

MOST: Final = 30
"""How many rows a section shows as text."""

MOST_BARS: Final = 15
"""How many rows of bars a chart has: as many as can be seen at once."""

_WRITERS: Final[dict[str, Callable[[Any], str]]] = {
    "value": value,
    "rounded": rounded,
    "change": change,
    "chance": chance,
    "count": count,
    "figure": str,
}


_NUMBERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "value": short,
    "rounded": short,
    "change": short_change,
    "chance": chance,
}


def _numbers(kind: str) -> Callable[[Any], str]:
    """Return what writes the numbers of a kind in a page, with the exact one."""
    write, is_share = _NUMBERS[kind], kind == "chance"

    def written(cell: Any) -> str:
        exact = f"{precise(100 * float(cell))} %" if is_share else precise(cell)
        return number(write(cell), exact)

    return written


PAGE_NUMBERS: Final = {kind: _numbers(kind) for kind in _NUMBERS}
"""What writes numbers of each kind in a page: the digits that matter, as markup."""


def condition_on_page(condition: object) -> str:
    """Return a condition, or the name of a number, for a page."""
    return name(as_read(str(condition)))


def number_name(record: Any) -> str:
    """Return the name of the number that a record is about, for a page."""
    return condition_on_page(record.parameter)


def page_number(kind: str, cell: Any) -> str:
    """Return a number of some kind for a page; a dash where there is none."""
    return NONE if cell is None else PAGE_NUMBERS[kind](cell)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table, wherever the table is shown."""

    key: str  # its name for programs: the head of a CSV file, the key of a record
    title: str
    kind: ColumnKind = "text"
    get: Callable[[Any], Cell] | str = ""  # or the attribute; else that named `key`
    ink: Ink = "plain"
    html: Callable[[Any], str] | None = None  # escaped, where a page differs
    write: Callable[[Any], str] | None = None  # where the kind does not say how
    share: float = 0.4  # of the width, which a name may take in a terminal
    is_optional: bool = False  # left out where all of its cells are empty

    def cell(self, record: Any) -> Cell:
        """Return what stands in a record's row, as data."""
        get = self.get if callable(self.get) else attrgetter(self.get or self.key)
        cell: Cell = get(record)
        return cell

    def written(self, record: Any, look: Look | None = None) -> str:
        """Return what stands in a record's row, as text for people."""
        cell = self.cell(record)
        if cell is None:
            return "none" if self.kind == "action" else ""
        text = (self.write or _WRITERS.get(self.kind, str))(cell)
        return look.name(text, self.share) if look and self.is_name else text

    @property
    def is_name(self) -> bool:
        """Whether its cells are names, which others wrote."""
        return self.kind in {"name", "action"}

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers, which stand to the right."""
        return self.kind in _WRITERS

    @property
    def style(self) -> str:
        """The class of its cells in a page, as an attribute."""
        kind = "number" if self.is_number else self.kind
        return f' class="{kind}"' if kind in {"number", "action"} else ""


def table_lines(
    columns: Sequence[Column],
    records: Iterable[Any],
    look: Look,
    *,
    most: int | None = None,
    others: str = "",
) -> Iterator[str]:
    """
    Return the table as text, line by line; the first column names the rows.

    Where there are more rows than ``most``, the last line counts the others.
    """
    listed = list(records)
    shown = listed[:most]
    if not shown:
        return
    columns = _present(columns, shown)
    yield from aligned(
        [title_of(column.key, column.title) for column in columns],
        [[column.written(record, look) for column in columns] for record in shown],
        look,
        words=[n for n, column in enumerate(columns) if not column.is_number],
        inks={number: column.ink for number, column in enumerate(columns)},
    )
    yield from others_line(len(listed) - len(shown), f"other {others}", look)


def others_line(number: int, noun: str, look: Look, which: str = "") -> Iterator[str]:
    """Return a line that says how many are not shown, and which; none if all are."""
    if number > 0:
        yield look.line((f"and {plural(number, noun)}{which}", "faint"))


def table_html(
    columns: Sequence[Column],
    records: Iterable[Any],
    label: str = "",
    *,
    is_wordy: bool = False,
) -> str:
    """
    Return the table as HTML that scrolls by itself; a long one is folded.

    One without a label is narrow and does neither. On a phone, each row of a wordy one
    is a card.
    """
    listed = list(records)
    columns = _present(columns, listed)
    head = "".join(
        f'<th scope="col"{c.style}>{words(title[:1].upper() + title[1:])}</th>'
        for c in columns
        for title in [title_of(c.key, c.title)]
    )
    titles = [title_of(c.key, c.title) for c in columns] if is_wordy else []
    body = "\n".join(_html_row(columns, record, titles) for record in listed)
    style = ("wide" if label else "narrow") + (" cards" if is_wordy else "")
    table = (
        f'<table class="{style}">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    )
    content = scrollable(table, label) if label else table
    if not label or len(listed) <= _MOST_UNFOLDED:
        return content
    summary = f"<summary>All {len(listed):,} rows</summary>"
    return f"<details>\n{summary}\n{content}\n</details>"


def _html_row(columns: Sequence[Column], record: Any, titles: Sequence[str]) -> str:
    """Write a row; its first cell is its head, others may say what they are."""
    first, *others = columns
    heads = [f' data-title="{words(t[:1].upper() + t[1:])}"' for t in titles[1:]]
    cells = "".join(
        f"<td{c.style}{heads[n] if heads else ''}>{_html(c, record)}</td>"
        for n, c in enumerate(others)
    )
    head = f'<th scope="row"{first.style}>{_html(first, record)}</th>'
    return f"<tr>{head}{cells}</tr>"


def _present(columns: Sequence[Column], records: Sequence[Any]) -> list[Column]:
    """Leave out the optional columns that would be empty."""

    def is_empty(column: Column) -> bool:
        return all(column.cell(record) is None for record in records)

    return [c for c in columns if not c.is_optional or not is_empty(c)]


def _html(column: Column, record: Any) -> str:
    if column.html is not None:
        return column.html(record)
    if column.cell(record) is None:
        return NONE
    if column.write is None and column.kind in PAGE_NUMBERS:
        return page_number(column.kind, column.cell(record))
    escape = name if column.is_name else words
    return escape(column.written(record))
