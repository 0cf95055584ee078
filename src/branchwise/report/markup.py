"""HTML in small pieces: text that others wrote, and tables."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from branchwise.report.lettering import legible

__all__ = ["NONE", "Column", "listing", "name", "scrollable", "table", "words"]

_MOST_UNFOLDED: Final = 60

NONE = '<span class="none">\N{EN DASH}</span>'
"""What stands where there is nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """
    A column of a table.

    Parameters
    ----------
    title
        What its head says.
    style
        The class of its cells: ``number``, ``action``, ``history`` or none.
    is_head
        Whether its cells name their rows.
    """

    title: str
    style: str = ""
    is_head: bool = False


def words(text: str) -> str:
    """
    Escape a text of any origin.

    Examples
    --------
    >>> words('<script>alert("x")</script>')
    '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;'
    """
    return html.escape(legible(text))


def name(text: str) -> str:
    """Escape a name, and keep its direction of writing to itself."""
    return f"<bdi>{words(text)}</bdi>"


def table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    *,
    style: str = "",
    foot: Sequence[str] = (),
) -> str:
    """Write a table; the cells must be escaped already."""
    head = "".join(
        f'<th scope="col"{_class(column.style)}>{words(column.title)}</th>'
        for column in columns
    )
    body = "\n".join(_row(columns, row) for row in rows)
    end = f"\n<tfoot>{_row(columns, foot)}</tfoot>" if foot else ""
    return (
        f"<table{_class(style)}>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>{end}\n</table>"
    )


def scrollable(content: str, label: str) -> str:
    """Let what is too wide scroll by itself, with the keyboard too."""
    label = words(label)
    return (
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">\n'
        f"{content}\n</div>"
    )


def listing(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], label: str
) -> str:
    """Write a wide table that scrolls; a long one is folded until somebody asks."""
    content = scrollable(table(columns, rows, style="wide"), label)
    if len(rows) <= _MOST_UNFOLDED:
        return content
    return (
        f"<details>\n<summary>All {len(rows):,} rows</summary>\n{content}\n</details>"
    )


def _row(columns: Sequence[Column], cells: Sequence[str]) -> str:
    inside = "".join(
        f'<th scope="row"{_class(column.style)}>{cell}</th>'
        if column.is_head
        else f"<td{_class(column.style)}>{cell}</td>"
        for column, cell in zip(columns, cells, strict=True)
    )
    return f"<tr>{inside}</tr>"


def _class(style: str) -> str:
    return f' class="{style}"' if style else ""
