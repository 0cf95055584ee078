"""An analysis as CSV: one file for each of its tables, for spreadsheets."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Final

from branchwise.analysis.analyze import Analysis
from branchwise.analysis.individuals.individuals import Profiles
from branchwise.analysis.table import Cell, Table
from branchwise.formats.atomic import cannot_write, write_atomically
from branchwise.model.number import whole_text
from branchwise.report.answers.analysis_json import plain_cell

__all__ = ["profiles_csv", "table_csv", "write_tables"]


def profiles_csv(found: Profiles) -> str:
    """Write who gets which plan, as the first of the tables tells it."""
    return table_csv(found.tables()[0])


# A spreadsheet takes text that begins like this for a formula.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def write_tables(analysis: Analysis, folder: str | os.PathLike[str]) -> list[Path]:
    """
    Write every table of an analysis into a folder, as ``section-table.csv``.

    Parameters
    ----------
    analysis
        What was found.
    folder
        Where the files go; it is made where there is none.

    Returns
    -------
    list of Path
        The files that were written.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(place, error) from error
    written = []
    for name, section in analysis.sections.items():
        for table in section.tables():
            path = place / f"{name}-{table.name}.csv"
            write_atomically(path, table_csv(table))
            written.append(path)
    return written


def table_csv(table: Table) -> str:
    """Give a table as CSV text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def _cell(cell: Cell) -> object:
    if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS):
        return f"'{cell}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    plain = "" if cell is None else plain_cell(cell)
    return whole_text(plain) if isinstance(plain, int) else plain
