"""Fields of JSON documents: each says how it is filled and what its schema is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, cast

from branchwise.analysis.table import Cell, Table
from branchwise.report.json_text import Object, json_events, json_number
from branchwise.tree.solution import Status

__all__ = [
    "BOOLEAN",
    "COUNT",
    "EVENT",
    "EVENTS",
    "FLOAT",
    "LIMIT",
    "NUMBER",
    "PAIR",
    "PROBABILITY",
    "ROWS",
    "SECONDS",
    "STATUS",
    "TEXT",
    "WHOLE",
    "Field",
    "Kind",
    "Object",
    "Record",
    "Schema",
    "array",
    "constant",
    "document",
    "mapping",
    "nullable",
    "one_of",
    "plain_cell",
    "record",
]

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """
    A kind of value: its schema, and how it becomes plain data.

    Parameters
    ----------
    schema
        What a reader may rely on.
    plain
        Turns a value into what JSON can hold.
    """

    schema: Schema
    plain: Callable[[Any], Any]

    def where(self, **limits: Any) -> Kind:
        """Return the same kind with a narrower schema: ``NUMBER.where(minimum=0)``."""
        return Kind({**self.schema, **limits}, self.plain)


def _as_it_is(value: Any) -> Any:
    return value


def plain_cell(cell: Cell) -> str | bool | float | None:
    """Return a cell of a table as JSON holds it; no limit as `unlimited`."""
    if cell is None or isinstance(cell, str | bool):
        return cell
    return "unlimited" if cell == math.inf else json_number(cell)


def _plain_rows(table: Table) -> list[Object]:
    return [
        {column: plain_cell(cell) for column, cell in record.items()}
        for record in table.records()
    ]


def one_of(*values: str | None) -> Kind:
    """Return the kind of a text that is one of these."""
    return Kind({"enum": list(values)}, _as_it_is)


def constant(value: str | int) -> Kind:
    """Return the kind of a value that is always the same."""
    return Kind({"const": value}, lambda _: value)


NUMBER: Final = Kind({"type": "number"}, json_number)
WHOLE: Final = Kind({"type": "integer"}, _as_it_is)
COUNT: Final = WHOLE.where(minimum=0)
TEXT: Final = Kind({"type": "string"}, str)
BOOLEAN: Final = Kind({"type": "boolean"}, bool)
PROBABILITY: Final = NUMBER.where(minimum=0, maximum=1)

FLOAT: Final = Kind({"type": "number"}, _as_it_is)
"""A number that was measured or computed: written as the float it is, even if whole."""

SECONDS: Final = FLOAT.where(minimum=0)

LIMIT: Final = Kind(
    {"anyOf": [{"type": "number", "minimum": 0}, {"const": "unlimited"}]}, plain_cell
)
STATUS: Final = Kind(one_of(*map(str, Status)).schema, str)


@dataclass(frozen=True, slots=True)
class Field:
    """
    One key of an object in a document.

    Parameters
    ----------
    key
        Its name.
    kind
        What stands there.
    get
        Takes the value from what is described, or names the attribute, with dots for
        those of attributes; the attribute of the same name unless given.
    note
        What a reader should know, for the schema.
    is_optional
        Whether the key is left out where the value is None.
    """

    key: str
    kind: Kind
    get: Callable[[Any], Any] | str = ""
    note: str = ""
    is_optional: bool = False

    @property
    def value_of(self) -> Callable[[Any], Any]:
        """What takes the value, before it becomes plain data."""
        return self.get if callable(self.get) else attrgetter(self.get or self.key)

    @property
    def schema(self) -> Schema:
        """The schema of the value, with the note."""
        if not self.note:
            return self.kind.schema
        return {**self.kind.schema, "description": self.note}


class Record(Kind):
    """An object with named fields; readers are to ignore further keys."""

    __slots__ = ()

    def __init__(self, fields: Iterable[Field], **about: Any) -> None:
        listed = tuple(fields)
        # Plans have many states, so what does not change is looked up once.
        steps = [(f.key, f.value_of, f.kind.plain, f.is_optional) for f in listed]

        def plain(described: Any) -> Object:
            written: Object = {}
            for key, value_of, plain_of, is_optional in steps:
                value = value_of(described)
                if value is not None or not is_optional:
                    written[key] = plain_of(value)
            return written

        schema: Schema = {
            **about,
            "type": "object",
            "properties": {field.key: field.schema for field in listed},
            "required": [field.key for field in listed if not field.is_optional],
        }
        super().__init__(schema, plain)

    @property
    def inside(self) -> Schema:
        """The schema inside another document, which is to have the definitions."""
        return {k: v for k, v in self.schema.items() if not k.startswith("$")}


def record(*fields: Field) -> Record:
    """
    Return the kind of an object with these fields.

    Examples
    --------
    >>> from branchwise.model.condition import Happened
    >>> EVENT.plain(Happened("drill", "oil"))
    {'action': 'drill', 'outcome': 'oil'}
    """
    return Record(fields)


def document(
    name: str,
    version: int,
    description: str,
    *fields: Field,
    definitions: Mapping[str, Schema] | None = None,
) -> Record:
    """
    Return the kind of a whole document, which names its format and version.

    Programs should ignore what they do not know: a later release may add to a version,
    but will neither remove nor change what is there.
    """
    shared = {"$defs": dict(definitions)} if definitions else {}
    return Record(
        (
            Field("format", constant(name), _as_it_is),
            Field("version", constant(version), _as_it_is),
            *fields,
        ),
        **{"$schema": "https://json-schema.org/draft/2020-12/schema"},
        title=name.replace("-", " "),
        description=description,
        **shared,
    )


def array(of: Kind, **limits: Any) -> Kind:
    """Return the kind of a list of values of one kind."""
    return Kind(
        {"type": "array", "items": of.schema, **limits},
        lambda values: [of.plain(each) for each in values],
    )


def mapping(of: Kind) -> Kind:
    """Return the kind of an object whose keys are names."""

    def plain(values: Mapping[str, Any]) -> Object:
        return {name: of.plain(each) for name, each in values.items()}

    return Kind({"type": "object", "additionalProperties": of.schema}, plain)


def nullable(of: Kind) -> Kind:
    """Return the kind of a value that may be missing."""
    simple = of.schema.get("type")
    described: Schema = {"anyOf": [of.schema, {"type": "null"}]}
    if isinstance(simple, str) and simple != "object":
        described = {**of.schema, "type": [simple, "null"]}
    return Kind(described, lambda value: None if value is None else of.plain(value))


PAIR: Final = array(NUMBER, minItems=2, maxItems=2)
EVENT: Final = record(Field("action", TEXT), Field("outcome", TEXT))
EVENTS: Final = Kind(array(EVENT).schema, json_events)
_CELL: Final = Kind({"type": ["string", "number", "boolean", "null"]}, plain_cell)
ROWS: Final = Kind(
    array(mapping(_CELL)).schema, cast("Callable[[Any], Any]", _plain_rows)
)
"""The rows of a table, each an object with a key for each column."""
