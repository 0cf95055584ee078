"""Reading xlsx: the cells of a workbook's sheets as a person reads them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from branchwise.errors import Issue
from branchwise.formats import file_limits as limits
from branchwise.formats.place import Place, cell_name
from branchwise.formats.table.grid import Grid, grid, unreadable
from branchwise.formats.table.xlsx_package import checked_parts, clean_archive, corrupt
from branchwise.formats.table.xlsx_scan import (
    PartScan,
    UnsafeXmlError,
    scan,
    sheet_parts,
)

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_LARGEST_WHOLE: Final = 1e15  # beyond it, spreadsheets do not keep every digit

Cell = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta


def grids_from_xlsx(data: bytes, source: str) -> tuple[list[Grid], list[Issue]]:
    """Read the cells of every sheet, and list those that have no value to read."""
    parts = checked_parts(data, source)
    try:
        scans = {name: scan(part) for name, part in parts.items()}
        sheets = sheet_parts(parts)
    except UnsafeXmlError:
        raise corrupt(source) from None
    _check_sizes(scans.values(), source)
    grids, issues = [], list[Issue]()
    for sheet in _sheets(parts, source):
        found = scans.get(sheets.get(sheet.name, ""), PartScan())
        issues += _valueless(found, source, sheet.name)
        grids.append(grid(source, sheet.name, _texts(sheet, found)))
    return grids, issues


def _sheets(parts: dict[str, bytes], source: str) -> list[CalamineSheet]:
    # Only a workbook needs this, so only a workbook pays for the import.
    from python_calamine import CalamineError, SheetTypeEnum, load_workbook  # noqa: PLC0415

    try:
        book = load_workbook(clean_archive(parts))
        return [
            book.get_sheet_by_name(sheet.name)
            for sheet in book.sheets_metadata
            if sheet.typ == SheetTypeEnum.WorkSheet
        ]
    except (CalamineError, OSError, ValueError):
        raise corrupt(source) from None


def _check_sizes(scans: Iterable[PartScan], source: str) -> None:
    """Refuse what would take more memory than a table of any use."""
    scans = list(scans)
    lengths = [length for found in scans for length in found.shared_lengths]
    num_cells = sum(found.num_rows * found.num_columns for found in scans)
    text_size = sum(
        times * lengths[int(index)]
        for found in scans
        for index, times in found.shared_uses.items()
        if re.fullmatch(r"[0-9]{1,9}", index) and int(index) < len(lengths)
    )
    for found in scans:
        if found.num_rows > limits.MOST_ROWS or found.num_columns > limits.MOST_COLUMNS:
            last = cell_name("", found.num_rows, found.num_columns - 1)
            what = f"a sheet reaches as far as {last}; "
            what += f"only {limits.MOST_COLUMNS} columns fit"
            fix = "delete what stands far to the right or far below"
            raise unreadable(source, what, fix)
    if num_cells > limits.MOST_CELLS or text_size > limits.MOST_INFLATED:
        what = f"the sheets have {num_cells:,} cells and {text_size:,} characters"
        fix = "delete the sheets, and the cells far below the table, "
        fix += "that are not needed"
        raise unreadable(source, what, fix)


def _valueless(found: PartScan, source: str, sheet: str) -> Iterator[Issue]:
    fix = "correct the formula, or type the value"
    wrong = [(at, f"the cell holds the error {text}", fix) for at, text in found.errors]
    what = "the formula in this cell has no stored value"
    fix = "open and save the workbook in a spreadsheet program, or type the value"
    wrong += [(at, what, fix) for at in found.valueless]
    for (row, column), what, fix in wrong:
        yield Issue(str(Place(source, row + 1, column, sheet)), what, fix)


def _texts(
    sheet: CalamineSheet, found: PartScan
) -> Iterator[tuple[int, Iterable[str]]]:
    if sheet.start is None:
        return
    first_row, first_column = sheet.start
    margin = [""] * first_column
    for number, cells in enumerate(sheet.to_python(), first_row):
        texts = (
            _text(cell, is_computed=(number, column) in found.formulas)
            for column, cell in enumerate(cells, first_column)
        )
        yield number + 1, [*margin, *texts]


def _text(cell: Cell, *, is_computed: bool) -> str:
    """
    Write what a cell holds as its reader sees it.

    >>> _text(2.0, is_computed=False), _text(0.1, is_computed=False)
    ('2', '0.1')
    >>> _text(1 - 0.9, is_computed=True)
    '0.1'
    """
    match cell:
        case str() | dt.timedelta():
            return str(cell)
        case bool():
            return "TRUE" if cell else "FALSE"
        case int() | float():
            return _number_text(float(cell), is_computed=is_computed)
        case dt.datetime():
            return cell.isoformat(" ")
        case dt.date() | dt.time():
            return cell.isoformat()


def _number_text(number: float, *, is_computed: bool) -> str:
    # What was typed is kept to the last digit; what was computed has the noise of
    # binary arithmetic, and is read with the 15 digits that a spreadsheet shows.
    if is_computed:
        number = float(f"{number:.15g}")
    if number.is_integer() and abs(number) < _LARGEST_WHOLE:
        return str(int(number))
    return repr(number)
