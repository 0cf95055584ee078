"""Where something stands in a file: a line and a column, or a cell of a sheet."""

import re
from typing import NamedTuple

from branchwise.errors import Issue, Path, printable


class Place(NamedTuple):
    """
    Where something stands in a file.

    Parameters
    ----------
    source
        The file as the user named it.
    line, column
        In a text, both from 1; a line of 0 stands for the whole file. In a sheet the
        row, from 1, and the column, from 0.
    sheet
        The name of the sheet, empty in CSV; None in a text.

    Examples
    --------
    >>> str(Place("oil.yaml", 14, 5)), str(Place("oil.xlsx", 7, 1, "Actions"))
    ('oil.yaml:14:5', 'oil.xlsx:Actions!B7')
    """

    source: str
    line: int = 0
    column: int = 0
    sheet: str | None = None

    @property
    def position(self) -> str:
        """``14:5`` or ``Actions!B7``; empty for the whole file."""
        if self.sheet is not None:
            return cell_name(self.sheet, self.line, self.column)
        return f"{self.line}:{self.column}" if self.line else ""

    @property
    def line_text(self) -> str:
        """``line 14`` or ``B7``, for use inside a sentence."""
        return self.position if self.sheet is not None else f"line {self.line}"

    def __str__(self) -> str:
        position = self.position
        return f"{self.source}:{position}" if position else self.source


def cell_name(sheet: str, number: int, column: int) -> str:
    """
    Name a cell as spreadsheets do; columns count from 0.

    Examples
    --------
    >>> cell_name("", 7, 1), cell_name("My plan", 1, 27)
    ('B7', "'My plan'!AB1")
    """
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    if not sheet:
        return f"{letters}{number}"
    if not re.fullmatch(r"[^\W\d]\w*", sheet):
        escaped = sheet.replace("'", "''")
        sheet = f"'{escaped}'"
    return f"{sheet}!{letters}{number}"


def issue_at(place: Place, path: Path, what: str, fix: str) -> Issue:
    """Make an issue about one place in a file."""
    where = f"{place} {printable('.'.join(str(step) for step in path))}".rstrip()
    return Issue(where, what, fix, path=path)
