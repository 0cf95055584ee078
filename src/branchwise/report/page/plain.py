"""Pages of answers that have none of their own: in words, and all their tables."""

from __future__ import annotations

from collections.abc import Iterable

from branchwise.analysis.table import Cell, Table
from branchwise.report.page.templates import page_from
from branchwise.report.text.wording import value

__all__ = ["plain_page"]


def plain_page(
    title: str, kind: str, words: Iterable[str], tables: Iterable[Table]
) -> str:
    """
    Return a page with an answer in words and its tables.

    Parameters
    ----------
    title
        The title of the page.
    kind
        What it shows, above the title.
    words
        The answer, sentence by sentence.
    tables
        Its tables.
    """
    shown = [
        {
            "key": table.name,
            "title": _title(table.name),
            "columns": [
                (_title(column), "" if _has_text(table, number) else "number")
                for number, column in enumerate(table.columns)
            ],
            "rows": [[_written(cell) for cell in row] for row in table.rows],
        }
        for table in tables
    ]
    return page_from("plain", title, {"kind": kind, "words": words, "tables": shown})


def _title(name: str) -> str:
    words = name.replace("_", " ").replace("-", ": ")
    return words[:1].upper() + words[1:]


def _has_text(table: Table, column: int) -> bool:
    return any(isinstance(row[column], str | bool) for row in table.rows)


def _written(cell: Cell) -> str | None:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return cell if cell is None or isinstance(cell, str) else value(cell)
