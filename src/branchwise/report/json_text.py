"""What the JSON documents have in common: numbers, events and text."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from branchwise.model.conditions.condition import Happened
from branchwise.model.numbers.number import is_long, whole_text
from branchwise.space.state_space import Real

Object = dict[str, Any]


def json_number(number: Real) -> int | float:
    """Return a number that JSON can hold; whole ones without a point."""
    if isinstance(number, float):
        if not math.isfinite(number):
            raise OverflowError(f"JSON has no number for {number}")
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    if number.denominator == 1:
        return int(number)
    # Past what a float can hold, the part behind the point is nothing.
    return float(number) if abs(number) < 2**1000 else int(number)


def json_events(events: Iterable[Happened]) -> list[Object]:
    """Return what has happened, in order."""
    return [{"action": each.action, "outcome": each.outcome} for each in events]


def json_of(document: object, **layout: Any) -> str:
    """Write plain data as `json.dumps` does, with whole numbers of any length."""
    try:
        return json.dumps(document, allow_nan=False, **layout)
    except ValueError:  # Some number may have more digits than Python writes.
        return _with_long_numbers(document, layout)


def _with_long_numbers(document: object, layout: dict[str, Any]) -> str:
    """Write data with a text for each long number, and put these in its place."""
    name = os.urandom(16).hex()  # No name in a problem can be the same.
    numbers: list[int] = []

    def marked(value: object) -> object:
        if isinstance(value, Mapping):
            return {key: marked(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [marked(each) for each in value]
        if isinstance(value, int) and is_long(value):
            numbers.append(value)
            return f"{name}{len(numbers) - 1}"
        return value

    text = json.dumps(marked(document), allow_nan=False, **layout)
    mark = re.compile(f'"{name}([0-9]+)"')
    return mark.sub(lambda found: whole_text(numbers[int(found[1])]), text)


def json_text(document: Object) -> str:
    """Write a document as text, an entry a line, without the end of the last line."""
    return json_of(document, ensure_ascii=False, indent=2)


def json_lines(documents: Iterable[Object]) -> list[str]:
    """Write documents as text, each on a line of its own."""
    return [json_of(each, ensure_ascii=False) for each in documents]
