"""Tables: results of an analysis in rows, for spreadsheets and data frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self, TypeVar

from branchwise.model.arguments import shown_in_notebook
from branchwise.space.state_space import Real

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from pandas import DataFrame

_Record = TypeVar("_Record")

Cell = str | bool | Real | None
"""What may stand in a table; None where there is nothing to say."""

Columns = Mapping[str, Callable[[Any], Cell]]
"""The titles of columns, and what takes the cell of each from a record."""


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
        """Return a table of rows."""
        return cls(name, tuple(columns), tuple(tuple(row) for row in rows))

    @classmethod
    def of_records(
        cls, name: str, kind: type[DataclassInstance], records: Iterable[object]
    ) -> Self:
        """Return a table of records, a column for each of their fields."""
        return cls.of_columns(name, own_columns(*_names(kind)), records)

    @classmethod
    def of_owned(
        cls,
        name: str,
        owner: str,
        kind: type[DataclassInstance],
        owned: Iterable[tuple[str, Iterable[object]]],
    ) -> Self:
        """Return a table of records after the name of what they belong to."""
        columns = _names(kind)
        rows = (
            (whose, *(getattr(each, field) for field in columns))
            for whose, records in owned
            for each in records
        )
        return cls.of(name, (owner, *columns), rows)

    @classmethod
    def of_columns(cls, name: str, columns: Columns, records: Iterable[object]) -> Self:
        """Return a table of records, given what takes the cell of each column."""
        rows = ([get(each) for get in columns.values()] for each in records)
        return cls.of(name, columns, rows)

    def records(self) -> list[dict[str, Cell]]:
        """Return each row as a mapping from columns to cells."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def frame(self) -> DataFrame:
        """
        Return the table as a pandas data frame, numbers as floats.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: PLC0415  # optional, and slow to load
        except ImportError:
            message = "data frames need pandas; fix: pip install pandas"
            raise ImportError(message) from None
        rows = [[_plain(cell) for cell in row] for row in self.rows]
        return pd.DataFrame(rows, columns=list(self.columns))


class Tabular(ABC):
    """A result that can be read as tables, the main one first."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> tuple[Table, ...]:
        """Return all tables."""

    def frame(self) -> DataFrame:
        """Return the main table as a pandas data frame."""
        return self.tables()[0].frame()

    def frames(self) -> dict[str, DataFrame]:
        """Return every table as a pandas data frame, by name."""
        return {table.name: table.frame() for table in self.tables()}

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        return shown_in_notebook(self)


def find(records: Iterable[_Record], field: str, name: str, kind: str = "") -> _Record:
    """Return the record whose field is a name; a message calls it by its kind."""
    for each in records:
        if getattr(each, field) == name:
            return each
    raise KeyError(f"there is no {kind or field} {name!r}")


def own_columns(*names: str) -> dict[str, Callable[[Any], Cell]]:
    """Return columns that are titled as the fields they take their cells from."""
    return {name: attrgetter(name) for name in names}


def _names(kind: type[DataclassInstance]) -> list[str]:
    return [field.name for field in fields(kind)]


def _plain(cell: Cell) -> Any:
    """Return a number as what pandas computes with."""
    return cell if cell is None or isinstance(cell, str | bool | int) else float(cell)
