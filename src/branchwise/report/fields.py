"""Fields of JSON documents: each says how it is filled and what its schema is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final

from branchwise.analysis.table import Cell, Table
from branchwise.report.json_text import Object, json_events, json_number
from branchwise.tree.solution import Status

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: its schema, and how it becomes plain data."""

    schema: Schema  # what a reader may rely on
    plain: Callable[[Any], Any]  # turns a value into what JSON can hold

    def where(self, **limits: Any) -> Kind:
        """Return the same kind with a narrower schema: ``number.where(minimum=0)``."""
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


TEXT: Final = Kind({"type": "string"}, str)
BOOLEAN: Final = Kind({"type": "boolean"}, bool)
NUMBER: Final = Kind({"type": "number"}, json_number)
# Measured or computed: written as the float it is, even if whole.
FLOAT: Final = Kind({"type": "number"}, _as_it_is)
WHOLE: Final = Kind({"type": "integer"}, _as_it_is)
STATUS: Final = Kind({"enum": [*map(str, Status)]}, str)
LIMIT: Final = Kind(
    {"anyOf": [{"type": "number", "minimum": 0}, {"const": "unlimited"}]}, plain_cell
)
COUNT: Final = WHOLE.where(minimum=0)
COST: Final = NUMBER.where(minimum=0)
SECONDS: Final = FLOAT.where(minimum=0)
PROBABILITY: Final = NUMBER.where(minimum=0, maximum=1)


@dataclass(frozen=True, slots=True)
class Field:
    """
    One key of an object in a document.

    It takes the value by a function, or by the name of an attribute, with dots for
    those of attributes; by the attribute of its own name unless given.
    """

    key: str
    kind: Kind
    get: Callable[[Any], Any] | str = ""
    note: str = ""  # what a reader should know, for the schema
    is_optional: bool = False  # whether the key is left out where the value is None

    @property
    def value_of(self) -> Callable[[Any], Any]:
        """What takes the value, before it becomes plain data."""
        return self.get if callable(self.get) else attrgetter(self.get or self.key)

    def about(self, note: str) -> Field:
        """Return the same field with what a reader should know."""
        return replace(self, note=note)

    @property
    def schema(self) -> Schema:
        """The schema of the value, with the note."""
        about = {"description": self.note} if self.note else {}
        return {**self.kind.schema, **about}


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
    """Return the kind of an object with these fields."""
    return Record(fields)


def document(
    name: str,
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
            Field("version", constant(1), _as_it_is),
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
    return Kind(
        {"type": "object", "additionalProperties": of.schema},
        lambda values: {name: of.plain(each) for name, each in values.items()},
    )


def nullable(of: Kind) -> Kind:
    """Return the kind of a value that may be missing."""
    simple = of.schema.get("type")
    described: Schema = {"anyOf": [of.schema, {"type": "null"}]}
    if isinstance(simple, str) and simple != "object":
        described = {**of.schema, "type": [simple, "null"]}
    return Kind(described, lambda value: None if value is None else of.plain(value))


_CELL: Final = Kind({"type": ["string", "number", "boolean", "null"]}, plain_cell)

NAMES: Final = array(TEXT)
PAIR: Final = array(NUMBER, minItems=2, maxItems=2)
EVENT: Final = record(Field("action", TEXT), Field("outcome", TEXT))
EVENTS: Final = Kind(array(EVENT).schema, json_events)
# The rows of a table, each an object with a key for each column.
ROWS: Final = Kind(array(mapping(_CELL)).schema, _plain_rows)


def rows_of(*columns: Field) -> Kind:
    """Return the kind of the rows of a table that has at least these columns."""
    return Kind(array(record(*columns)).schema, _plain_rows)
