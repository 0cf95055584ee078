"""Tables of text: columns that line up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from branchwise.report.text.ink import Ink, Look, Piece
from branchwise.report.text.label import display_width

_GAP: Final = "  "


def aligned(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    look: Look,
    *,
    words: int | Collection[int],
    inks: Mapping[int, Ink] | None = None,
) -> Iterator[str]:
    """
    Return a table line by line: numbers stand to the right of their column.

    Where a table that begins with words is too wide for the page, it goes on in another
    one that begins with the same words: better two tables than half a number.
    ``words`` numbers the columns of words, which stand to the left; -1 for none.
    """
    sizes = [
        max(map(display_width, column)) for column in zip(titles, *rows, strict=True)
    ]
    lefts = {words} if isinstance(words, int) else set(words)
    groups = [list(range(len(titles)))]
    if 0 in lefts and look.width is not None:
        groups = list(_groups(sizes, look.width))
    for number, columns in enumerate(groups):
        if number:
            yield ""
        title_inks: dict[int, Ink] = dict.fromkeys(columns, "faint")
        for row, ink_of in ((titles, title_inks), *((row, inks or {}) for row in rows)):
            pieces: list[Piece] = []
            for place, column in enumerate(columns):
                cell = _padded(row[column], sizes[column], is_left=column in lefts)
                gap = _GAP if place else ""
                pieces.append((gap + cell, ink_of.get(column, "plain")))
            yield look.line(*pieces).rstrip()


def _groups(sizes: Sequence[int], width: int) -> Iterator[list[int]]:
    """Return columns by tables that fit the width; each has the first column."""
    columns, used = [0], sizes[0]
    for column in range(1, len(sizes)):
        size = len(_GAP) + sizes[column]
        if used + size > width and len(columns) > 1:
            yield columns
            columns, used = [0], sizes[0]
        columns.append(column)
        used += size
    yield columns


def _padded(cell: str, size: int, *, is_left: bool) -> str:
    blank = " " * (size - display_width(cell))
    return cell + blank if is_left else blank + cell
