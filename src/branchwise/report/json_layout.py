"""What the JSON documents have in common: their numbers, and schemas of objects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from branchwise.model.state_space import Real

__all__ = ["Schema", "json_number", "object_schema"]

Schema = dict[str, Any]


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


def object_schema(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    """Give the schema of an object; programs are to ignore further keys."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
    }
