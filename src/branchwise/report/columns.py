"""Tables of text: columns that line up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from branchwise.report.ink import Ink, Look
from branchwise.report.label import display_width

__all__ = ["aligned"]

_GAP: Final = "  "


def aligned(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    look: Look,
    *,
    words: int,
    inks: Mapping[int, Ink] | None = None,
) -> Iterator[str]:
    """
    Give a table line by line: numbers stand to the right of their column.

    Parameters
    ----------
    titles
        One for each column.
    rows
        The cells of each row.
    look
        What the page can show; lines that do not fit are cut.
    words
        The number of the column of words, which stand to the left; -1 for none.
    inks
        The ink of a column, by its number; plain unless said.
    """
    sizes = [
        max(map(display_width, column)) for column in zip(titles, *rows, strict=True)
    ]

    def line(cells: Sequence[str], ink_of: Mapping[int, Ink], usual: Ink) -> str:
        pieces: list[tuple[str, Ink]] = []
        for number, cell in enumerate(cells):
            room = " " * (sizes[number] - display_width(cell))
            text = cell + room if number == words else room + cell
            gap = _GAP if number < len(cells) - 1 else ""
            pieces.append((text + gap, ink_of.get(number, usual)))
        return look.line(pieces).rstrip()

    yield line(titles, {}, "faint")
    for row in rows:
        yield line(row, inks or {}, "plain")
