"""What the JSON documents have in common: numbers, events, text, and schemas."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from branchwise.model.condition import Happened
from branchwise.model.state_space import Real
from branchwise.report.wording import any_length

__all__ = [
    "Object",
    "Schema",
    "document_schema",
    "event_schema",
    "events_schema",
    "json_events",
    "json_lines",
    "json_number",
    "json_text",
    "object_schema",
]

Object = dict[str, Any]
Schema = dict[str, Any]

_written: Final = partial(json.dumps, ensure_ascii=False, allow_nan=False)


def json_number(number: Real) -> int | float:
    """Give a number that JSON can hold; whole ones without a point."""
    if isinstance(number, float):
        if not math.isfinite(number):
            raise OverflowError(f"JSON has no number for {number}")
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    if number.denominator == 1:
        return int(number)
    # Past what a float can hold, the part behind the point is nothing.
    return float(number) if abs(number) < 2**1000 else int(number)


def json_events(events: Iterable[Happened]) -> list[Object]:
    """Give what has happened, in order."""
    return [{"action": each.action, "outcome": each.outcome} for each in events]


def json_text(document: Object) -> str:
    """Write a document as text, an entry a line, without the end of the last line."""
    with any_length():
        return _written(document, indent=2)


def json_lines(documents: Iterable[Object]) -> list[str]:
    """Write documents as text, each on a line of its own."""
    with any_length():
        return [_written(each) for each in documents]


def object_schema(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    """Give the schema of an object; programs are to ignore further keys."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
    }


def event_schema() -> Schema:
    """Give the schema of one event."""
    return object_schema({"action": {"type": "string"}, "outcome": {"type": "string"}})


def events_schema() -> Schema:
    """Give the schema of what `json_events` returns."""
    return {"type": "array", "items": event_schema()}


def document_schema(
    name: str,
    version: int,
    description: str,
    required: Mapping[str, Schema],
    optional: Mapping[str, Schema] | None = None,
) -> Schema:
    """Give the schema of a whole document, which names its format and version."""
    head: Schema = {"format": {"const": name}, "version": {"const": version}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name.replace("-", " "),
        "description": description,
        **object_schema({**head, **required}, optional),
    }
