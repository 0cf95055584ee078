"""Tables of answers: taken from their documents, and written as CSV."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from branchwise.analysis.table import Cell, Table
from branchwise.model.conditions.condition import Happened
from branchwise.model.numbers.number import whole_text
from branchwise.report.fields import plain_cell

_EVENT_KEYS: Final = {"action", "outcome", "count"}

# A spreadsheet takes text that begins like this for a formula.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def table_csv(table: Table) -> str:
    """Return a table as CSV text."""
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


def tables_of(document: Mapping[str, Any]) -> tuple[Table, ...]:
    """
    Return the lists of objects in a document as tables.

    A list inside such an object becomes a table of its own, whose first column has the
    number of the row that it belongs to.

    >>> tables_of({"bets": [{"on": "red", "chance": {"true": 0.5}}]})[0].records()
    [{'on': 'red', 'chance_true': 0.5}]
    """
    return tuple(_tables(document, ""))


def _tables(value: Any, name: str) -> Iterator[Table]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _tables(each, f"{name}-{key}" if name else key)
    elif _is_table(value):
        inner = _inner_rows(value)
        rows = [
            dict(_cells({k: each for k, each in row.items() if k not in inner}))
            for row in value
        ]
        columns = list(dict.fromkeys(key for row in rows for key in row))
        yield Table.of(name, columns, ([row.get(c) for c in columns] for row in rows))
        for key, entries in inner.items():
            yield from _tables(entries, f"{name}-{key}")


def _inner_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the rows of the tables inside a table, each with its row's number."""
    inner: dict[str, list[Any]] = {}
    for number, row in enumerate(rows, 1):
        for key, each in row.items():
            if _is_table(each):
                numbered = ({"row": number, **entry} for entry in each)
                inner.setdefault(key, []).extend(numbered)
    return inner


def _cells(record: Mapping[str, Any]) -> Iterator[tuple[str, Cell]]:
    """Return the cells of a row; objects in it have a column for each of their keys."""
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}_{name}", cell) for name, cell in _cells(value))
        elif isinstance(value, list):
            written = map(_event if _is_events(value) else str, value)
            yield key, ", ".join(written)
        else:
            yield key, value


def _is_table(value: Any) -> bool:
    return _has_objects(value) and not _is_events(value)


def _has_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _is_events(value: Any) -> bool:
    """Whether this is what has happened, which is one cell: ``a1=ok, a2=no``."""
    return _has_objects(value) and value[0].keys() <= _EVENT_KEYS


def _event(event: Mapping[str, Any]) -> str:
    happened, times = Happened(event["action"], event["outcome"]), event.get("count", 1)
    return str(happened) if times == 1 else f"{times} x {happened}"
