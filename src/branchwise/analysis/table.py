"""Tables: what an analysis has found, in rows for spreadsheets and data frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from branchwise.space.state_space import Real

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from pandas import DataFrame

__all__ = ["Cell", "Table"]

Cell = str | bool | Real | None
"""What may stand in a table; None where there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Table:
    """
    Rows of equal length under columns with names.

    Parameters
    ----------
    name
        What the rows are: ``actions``, say. Unique within a section.
    columns
        The names of the columns, for programs.
    rows
        The cells.

    Examples
    --------
    >>> Table.of("actions", ["action", "uses"], [["drill", 1]]).records()
    [{'action': 'drill', 'uses': 1}]
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(
        cls, name: str, columns: Iterable[str], rows: Iterable[Iterable[Cell]]
    ) -> Self:
        """Put a table together."""
        return cls(name, tuple(columns), tuple(tuple(row) for row in rows))

    @classmethod
    def of_records(
        cls, name: str, kind: type[DataclassInstance], records: Iterable[object]
    ) -> Self:
        """Put a table together of records, a column for each of their fields."""
        columns = [field.name for field in fields(kind)]
        rows = ([getattr(each, column) for column in columns] for each in records)
        return cls.of(name, columns, rows)

    def records(self) -> list[dict[str, Cell]]:
        """Give each row as a mapping from columns to cells."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def frame(self) -> DataFrame:
        """
        Give the table as a pandas data frame, numbers as floats.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: PLC0415  # optional, and slow to load
        except ImportError:
            message = "data frames need pandas; fix: pip install 'branchwise[pandas]'"
            raise ImportError(message) from None
        rows = [[_plain(cell) for cell in row] for row in self.rows]
        return pd.DataFrame(rows, columns=list(self.columns))


def _plain(cell: Cell) -> Any:
    """Let pandas see numbers as what it computes with."""
    return cell if cell is None or isinstance(cell, str | bool | int) else float(cell)
