"""Fields of JSON documents: each says how it is filled and what its schema is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from branchwise.report.page.json_layout import json_events, json_number

__all__ = [
    "BOOLEAN",
    "EVENTS",
    "NUMBER",
    "PROBABILITY",
    "TEXT",
    "WHOLE",
    "Field",
    "Kind",
    "Object",
    "Record",
    "Schema",
    "array",
    "document",
    "mapping",
    "nullable",
    "record",
]

Object = dict[str, Any]
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


NUMBER: Final = Kind({"type": "number"}, json_number)
WHOLE: Final = Kind({"type": "integer"}, _as_it_is)
TEXT: Final = Kind({"type": "string"}, str)
BOOLEAN: Final = Kind({"type": "boolean"}, bool)
PROBABILITY: Final = NUMBER.where(minimum=0, maximum=1)


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
        Takes the value from what is described; the attribute of the same name unless
        given.
    note
        What a reader should know, for the schema.
    is_optional
        Whether the key is left out where the value is None.
    """

    key: str
    kind: Kind
    get: Callable[[Any], Any] | None = None
    note: str = ""
    is_optional: bool = False

    def value_of(self, described: Any) -> Any:
        """Return the value before it becomes plain data."""
        get = self.get or attrgetter(self.key)
        return get(described)

    @property
    def schema(self) -> Schema:
        """The schema of the value, with the note."""
        if not self.note:
            return self.kind.schema
        return {**self.kind.schema, "description": self.note}


class Record(Kind):
    """An object with named fields; readers are to ignore further keys."""

    __slots__ = ()

    def __init__(self, fields: Iterable[Field]) -> None:
        listed = tuple(fields)

        def plain(described: Any) -> Object:
            found: Object = {}
            for field in listed:
                value = field.value_of(described)
                if value is not None or not field.is_optional:
                    found[field.key] = field.kind.plain(value)
            return found

        described: Schema = {
            "type": "object",
            "properties": {field.key: field.schema for field in listed},
            "required": [field.key for field in listed if not field.is_optional],
        }
        super().__init__(described, plain)


def record(*fields: Field) -> Record:
    """
    Return the kind of an object with these fields.

    Examples
    --------
    >>> from branchwise.model.condition import Happened
    >>> event = record(Field("action", TEXT), Field("outcome", TEXT))
    >>> event.plain(Happened("drill", "oil"))
    {'action': 'drill', 'outcome': 'oil'}
    """
    return Record(fields)


def document(name: str, version: int, description: str, *fields: Field) -> Record:
    """Return the kind of a whole document, which names its format and version."""
    head = (
        Field("format", Kind({"const": name}, str), lambda _: name),
        Field("version", Kind({"const": version}, int), lambda _: version),
    )
    whole = Record((*head, *fields))
    about = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name.replace("-", " "),
        "description": description,
    }
    object.__setattr__(whole, "schema", {**about, **whole.schema})
    return whole


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


EVENTS: Final = Kind(
    array(record(Field("action", TEXT), Field("outcome", TEXT))).schema, json_events
)
