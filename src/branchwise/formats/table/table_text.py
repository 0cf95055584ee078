"""Writing problems as tables: CSV, and workbooks that are pleasant to look at."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from branchwise.formats.file_limits import MOST_ROWS
from branchwise.formats.table.grid import unreadable
from branchwise.formats.table.table_cells import is_spreadsheet_number, quoted_number
from branchwise.formats.table.table_sheets import Sheet, SheetCell, sheets
from branchwise.model.number import number_text
from branchwise.model.problem import Problem

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

_LONGEST_CELL: Final = 32_767  # what a spreadsheet keeps of a text
_WIDEST_COLUMN: Final = 60
_MOST_MERGED: Final = 2_000  # groups of rows; more of them would open slowly


def csv_text(problem: Problem) -> str:
    r"""
    Write a problem as CSV.

    >>> from branchwise.model.action import Action
    >>> drill = Action("drill", outcomes={"oil": 0.2, "dry": 0.8})
    >>> print(csv_text(Problem([drill], budget=2)))
    setting,value
    budget,2
    <BLANKLINE>
    action,prerequisite,preclusion,cost,outcome,probability,reward
    drill,,,1,oil,0.2,
    ,,,,dry,0.8,
    <BLANKLINE>
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    actions, settings, *others = sheets(problem)
    for index, sheet in enumerate([settings, actions, *others]):
        writer.writerows([[]] if index else [])
        writer.writerow(sheet.header)
        writer.writerows([_csv_cell(cell) for cell in row] for row in sheet.rows)
    return text.getvalue()


def xlsx_bytes(problem: Problem) -> bytes:
    """Write a problem as an Excel workbook, one sheet for each table."""
    # Only a workbook needs this, so only a workbook pays for the import.
    from openpyxl import Workbook  # noqa: PLC0415

    book = Workbook()
    book.remove(book.worksheets[0])
    for sheet in sheets(problem):
        _write_sheet(sheet, book.create_sheet(sheet.title))
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _csv_cell(cell: SheetCell) -> str:
    return quoted_number(cell) if isinstance(cell, Fraction) else cell


def _write_sheet(sheet: Sheet, page: Worksheet) -> None:
    if len(sheet.rows) >= MOST_ROWS:
        what = f"the table would have {len(sheet.rows):,} rows, more than fit a sheet"
        raise unreadable(sheet.title, what, "write YAML or CSV instead")
    for row, cells in enumerate([sheet.header, *sheet.rows], 1):
        for column, cell in enumerate(cells, 1):
            if cell != "":
                _write_cell(page.cell(row, column), cell, sheet.title)
    _merge(sheet, page)
    _decorate(sheet, page)


def _write_cell(target: Cell | MergedCell, cell: SheetCell, title: str) -> None:
    if isinstance(cell, Fraction) and is_spreadsheet_number(cell):
        target.value = int(cell) if cell.denominator == 1 else float(cell)
        return
    text = cell if isinstance(cell, str) else number_text(cell)
    # Workbooks write `_x0041_` for the letter A; where that is meant, it is escaped.
    text = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    if len(text.encode("utf-16-le")) > 2 * _LONGEST_CELL:
        cell_name = f"{title}!{target.coordinate}"
        what = f"a text of {len(text):,} characters does not fit into a cell"
        raise unreadable(f"workbook:{cell_name}", what, "write YAML or CSV instead")
    target.value = text
    target.data_type = "s"  # whatever it looks like, it is no formula
    target.number_format = "@"  # nor will it be one once it is edited


def _merge(sheet: Sheet, page: Worksheet) -> None:
    if len(sheet.groups) > _MOST_MERGED:
        return
    for first, count in sheet.groups:
        for column in range(1, sheet.num_shared + 1 if count > 1 else 1):
            page.merge_cells(None, first + 2, column, first + 1 + count, column)


def _decorate(sheet: Sheet, page: Worksheet) -> None:
    """Make the header bold and keep it in sight; make columns as wide as their text."""
    from openpyxl.styles import Alignment, Font  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    page.freeze_panes = "A2"
    for column, title in enumerate(sheet.header, 1):
        page.cell(1, column).font = Font(bold=True)
        widths = [len(_csv_cell(row[column - 1])) for row in sheet.rows]
        width = min(max([len(title), *widths]) + 2, _WIDEST_COLUMN)
        page.column_dimensions[get_column_letter(column)].width = width
    middle = Alignment(vertical="center", wrap_text=True)
    for first, _ in sheet.groups:
        for column in range(1, sheet.num_shared + 1):
            page.cell(first + 2, column).alignment = middle
