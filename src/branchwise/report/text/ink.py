"""Colored text: lines of pieces, each with its ink, and tables that line up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.report.text.label import display_width, label

if TYPE_CHECKING:
    from rich.style import Style

Ink = Literal["title", "action", "reward", "nothing", "faint", "plain"]
"""What a piece of text is, so that a terminal may color it."""

Piece = str | tuple[str, Ink]  # a text, plain unless it comes with an ink

Paint = Callable[[str, Ink], str]  # colors a piece of text


def uncolored(text: str, ink: Ink) -> str:  # noqa: ARG001
    """Leave the text as it is."""
    return text


class Signs(NamedTuple):
    """What trees are drawn with, and what marks that something is left out."""

    ellipsis: str = "…"
    dash: str = "─"  # between an outcome and what follows it
    branch: str = "├─ "  # leads to a child that others follow
    last_branch: str = "└─ "
    trunk: str = "│  "  # runs past the children of a child that others follow


_GAP: Final = "  "  # between two columns of a table
_UNICODE: Final = Signs()
_ASCII: Final = Signs("...", "--", "|-- ", "`-- ", "|   ")


@dataclass(frozen=True, slots=True)
class Look:
    """What the page can show."""

    width: int | None = None  # None where lines may have any length
    is_ascii: bool = False  # whether it lacks lines and corners to draw with
    paint: Paint = uncolored

    @property
    def signs(self) -> Signs:
        """What trees are drawn with."""
        return _ASCII if self.is_ascii else _UNICODE

    @property
    def max_levels(self) -> int:
        """How many levels a tree may be indented by."""
        if self.width is None:
            return 30
        return max(3, (self.width - 36) // len(self.signs.trunk))

    @property
    def uncut(self) -> Look:
        """The same for lines with an answer: better two rows than half a number."""
        return replace(self, width=None)

    def name(self, text: str, share: float = 1.0) -> str:
        """Cut a name to its share of the width."""
        room = None if self.width is None else max(12, int(self.width * share))
        return label(text, room, self.signs.ellipsis)

    def fits(self, *pieces: Piece) -> bool:
        """Whether the pieces have room on one line."""
        total = sum(display_width(text) for text, _ in map(_inked, pieces))
        return self.width is None or total <= self.width

    def line(self, *pieces: Piece) -> str:
        """Color the pieces and put them together, cut at the end of the page."""
        if self.width is None or self.fits(*pieces):
            return "".join(self.paint(text, ink) for text, ink in map(_inked, pieces))
        ellipsis = self.signs.ellipsis
        room = self.width - len(ellipsis)
        written = []
        for text, ink in map(_inked, pieces):
            size = display_width(text)
            if size > room:
                written.append(self.paint(label(text, room, "") + ellipsis, ink))
                break
            written.append(self.paint(text, ink))
            room -= size
        return "".join(written)


def _inked(piece: Piece) -> tuple[str, Ink]:
    return (piece, "plain") if isinstance(piece, str) else piece


def title_line(
    problem: Problem, look: Look, *, more: str = "", share: float = 0.6
) -> str:
    """
    Return the first line of an answer: the name of a problem, and its budget.

    The name is cut to its share of the width so that the budget keeps its place.
    """
    name = " ".join(problem.name.split())
    budget = f"budget {label(str(problem.budget))}{more}"
    title = f"{look.name(name, share)} ({budget})" if name else budget
    return look.line((title, "title"))


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
    Titles that are all empty take no line.
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
        heads = [
            _Head(titles[column], column in lefts, (inks or {}).get(column, "plain"))
            for column in columns
        ]
        cells = [[row[column] for column in columns] for row in rows]
        for *pieces, (last, ink) in _table(heads, cells):
            # Blanks need no mark that they are left out.
            yield look.line(*pieces, (last.rstrip(), ink)).rstrip()


class _Head(NamedTuple):
    """The head of a column, and how its cells are set."""

    title: str
    is_left: bool
    ink: Ink


def _table(
    heads: Sequence[_Head], rows: Sequence[Sequence[str]]
) -> Iterator[list[tuple[str, Ink]]]:
    """Lay out a table, as wide as it comes: the pieces of each line."""
    # Loading these takes 0.05 s, and most commands show no table.
    from rich.console import Console  # noqa: PLC0415
    from rich.style import Style  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(
        box=None,
        padding=(0, 0, 0, len(_GAP)),
        pad_edge=False,
        show_header=any(head.title for head in heads),
        header_style="",
    )
    for head in heads:
        table.add_column(
            Text(head.title),
            header_style=Style.from_meta({"ink": "faint"}),
            style=Style.from_meta({"ink": head.ink}),
            justify="left" if head.is_left else "right",
            no_wrap=True,
        )
    # A column is one cell of many lines: of 10,000 rows of 5, rich lays out lines in
    # 2 s and cells in 5 s. As a str, a name in brackets would be taken for markup.
    if rows:
        columns = zip(*rows, strict=True)
        table.add_row(*(Text("\n".join(map(_one_line, cells))) for cells in columns))
    # What the page can show is known to the look; rich must not look for itself.
    console = Console(
        file=StringIO(), width=sys.maxsize, height=1, legacy_windows=False
    )
    for line in console.render_lines(table, pad=False):
        yield [(part.text, _ink(part.style)) for part in line]


def _one_line(cell: str) -> str:
    return " ".join(cell.splitlines())


def _ink(style: Style | None) -> Ink:
    ink: Ink = style.meta.get("ink", "plain") if style else "plain"
    return ink


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
