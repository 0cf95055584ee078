"""Tables of individuals: cells under named columns, one row for each individual."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from branchwise.errors import FormatError, Issue, did_you_mean
from branchwise.formats.place import Place
from branchwise.formats.source_file import STANDARD_INPUT, file_bytes
from branchwise.formats.table.csv_grid import grid_from_csv
from branchwise.formats.table.grid import Grid, Row, unreadable
from branchwise.formats.table.xlsx_grid import grids_from_xlsx

NAME_COLUMN: Final = "profile"
"""The title of the column with the names of the individuals."""

_SUFFIXES: Final = (".csv", ".tsv", ".txt", ".xlsx")


@dataclass(frozen=True, slots=True)
class ProfileSheet:
    """The cells of each individual under their titles; an empty one is empty text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    # Of a file: its name, and the number of each row, that of the titles first.
    source: str = ""
    sheet: str = ""
    numbers: tuple[int, ...] = ()

    def place(self, row: int | None, column: int) -> Place:
        """Return the place of a cell, or of the title of its column."""
        if self.numbers:
            number = self.numbers[0 if row is None else row + 1]
            return Row(self.source, self.sheet, number, ()).place(column)
        title = f"column `{self.columns[column]}`"
        return Place(title if row is None else f"row {row + 1}, {title}")


def profile_sheet(table: object) -> ProfileSheet:
    """
    Take a table in any of its forms; an error lists all that is wrong with its layout.

    It is the name of a CSV or xlsx file, a pandas data frame, or mappings from titles
    to cells, one for each individual.
    """
    if isinstance(table, str | os.PathLike):
        return _from_file(os.fspath(table))
    if hasattr(table, "columns") and hasattr(table, "itertuples"):
        return _from_frame(table)
    if isinstance(table, Iterable) and not isinstance(table, Mapping):
        rows = list(table)
        if all(isinstance(row, Mapping) for row in rows):
            return _from_mappings(rows)
    known = "a table is the name of a file, a data frame or a list of mappings"
    raise TypeError(f"{known}, not {type(table).__name__}")


def _from_file(name: str) -> ProfileSheet:
    suffix = Path(name).suffix.lower()
    is_standard = name == STANDARD_INPUT
    if not is_standard and suffix not in _SUFFIXES:
        near = did_you_mean(suffix, _SUFFIXES)
        what = f"`{suffix}` is not the end of a table's name{near}"
        raise unreadable(name, what, "save the table as .csv or .xlsx")
    data = file_bytes(name)
    source = "standard input" if is_standard else name
    issues: list[Issue] = []
    grids = [grid_from_csv(data, source)] if suffix != ".xlsx" else []
    if not grids:
        grids, issues = grids_from_xlsx(data, source)
    filled = [grid for grid in grids if grid.rows]
    if not filled:
        fix = "write the titles of the columns into the first row"
        raise unreadable(source, "the table is empty", fix)
    sheet = filled[0].sheet
    start = str(Row(source, sheet, 1, ()).place(0)).removesuffix("A1")
    issues = [i for i in issues if not sheet or i.where.startswith(start)]
    return _from_grid(filled[0], source, issues)


def _from_grid(grid: Grid, source: str, issues: list[Issue]) -> ProfileSheet:
    head, *rows = grid.rows
    width = max(head.filled) + 1
    columns = tuple(head.text(column) for column in range(width))
    for row in rows:
        for column in row.filled:
            if column >= width or not columns[column]:
                what = f"`{row.text(column)[:40]}` stands in a column without a title"
                fix = "give the column a title in the first row, or delete the cell"
                issues.append(Issue(str(row.place(column)), what, fix))
    if issues:
        raise FormatError(issues)
    cells = tuple(tuple(row.text(column) for column in range(width)) for row in rows)
    numbers = tuple(row.number for row in grid.rows)
    return ProfileSheet(columns, cells, source, grid.sheet, numbers)


def _from_frame(frame: Any) -> ProfileSheet:
    columns = [str(column) for column in frame.columns]
    rows: list[tuple[Any, ...]] = [
        tuple(map(_plain, row)) for row in frame.itertuples(index=False, name=None)
    ]
    # An index that was made has the names; one that counts has none.
    if type(frame.index).__name__ != "RangeIndex" and NAME_COLUMN not in columns:
        columns.insert(0, NAME_COLUMN)
        names = map(str, frame.index)
        rows = [(name, *row) for name, row in zip(names, rows, strict=True)]
    return ProfileSheet(tuple(columns), tuple(rows))


def _from_mappings(rows: Sequence[Mapping[Any, Any]]) -> ProfileSheet:
    columns = tuple(dict.fromkeys(str(column) for row in rows for column in row))
    named = ({str(title): _plain(cell) for title, cell in row.items()} for row in rows)
    cells = (tuple(row.get(column, "") for column in columns) for row in named)
    return ProfileSheet(columns, tuple(cells))


def _plain(cell: Any) -> Any:
    """Return a cell as a number or text of Python's own; nothing as empty text."""
    # Of all that a data frame may hold, only a number that is missing is not itself.
    if cell is None or cell != cell:  # noqa: PLR0124
        return ""
    if hasattr(cell, "item"):
        cell = cell.item()
    return cell.strip() if isinstance(cell, str) else cell
