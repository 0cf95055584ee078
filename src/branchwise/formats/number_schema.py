"""The JSON Schema of numbers: plain, with an interval, and probabilities."""

from __future__ import annotations

from typing import Any, Final

__all__ = [
    "AMOUNT",
    "NUMBER",
    "UNLIMITED",
    "Schema",
    "distance_schema",
    "map_schema",
    "measured_schema",
    "number_schema",
    "probabilities_schema",
    "ref",
    "sample_size_schema",
]

Schema = dict[str, Any]

_DECIMAL: Final = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?"
NUMBER: Final = rf"^\s*{_DECIMAL}\s*(/\s*{_DECIMAL}|%)?\s*$"
# Costs, budgets and probabilities have no minus sign.
AMOUNT: Final = NUMBER.replace("[+-]?(", "[+]?(")
UNLIMITED: Final = r"^\s*[Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]\s*$"
_REST: Final = r"^\s*[Rr][Ee][Ss][Tt]\s*$"


def map_schema(**properties: Schema) -> Schema:
    """Describe a map with these keys and no others."""
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def ref(name: str) -> Schema:
    """Refer to a definition of the schema."""
    return {"$ref": f"#/$defs/{name}"}


def number_schema(description: str, pattern: str, **limits: float) -> Schema:
    """Describe a number, which may be a text such as `1/3`."""
    kinds = [{"type": "number", **limits}, {"type": "string", "pattern": pattern}]
    return {"description": description, "anyOf": kinds}


def measured_schema(number: Schema, pattern: str) -> Schema:
    """Describe a number that may have an interval."""
    return {
        "description": "A number, and maybe between what it lies: `70 [60, 90]`.",
        "anyOf": [
            number,
            _interval(pattern, _bare(pattern)),
            _parts("value", number, number),
        ],
    }


def probabilities_schema() -> Schema:
    """Describe how likely an outcome is."""
    probability = number_schema(
        "A number from 0 to 1 such as `0.3`, `1/3` or `30%`.",
        AMOUNT,
        minimum=0,
        maximum=1,
    )
    rest = {
        "description": "What the others leave.",
        "type": "string",
        "pattern": _REST,
    }
    either = {"anyOf": [probability, rest]}
    interval = _interval(AMOUNT, f"({_bare(AMOUNT)}|{_bare(_REST)})")
    parts = _parts("probability", either, probability)
    return {"anyOf": [probability, rest, interval, parts]}


def distance_schema() -> Schema:
    """Describe the distance of probabilities."""
    return number_schema(
        "How far the probabilities may be off, in total variation, for robust plans.",
        AMOUNT,
        minimum=0,
        maximum=1,
    )


def sample_size_schema() -> Schema:
    """Describe the sample size of probabilities."""
    return number_schema(
        "How many trials the probabilities rest on, for drawing them by chance.",
        AMOUNT,
        exclusiveMinimum=0,
    )


def _interval(pattern: str, number: str) -> Schema:
    end = _bare(pattern)
    return {
        "description": "A number and between what it lies: `0.6 [0.5, 0.7]`.",
        "type": "string",
        "pattern": rf"^{number}\[{end},{end}\]\s*$",
    }


def _parts(key: str, number: Schema, end: Schema) -> Schema:
    return {
        "description": "The same, part by part.",
        "required": [key],
        **map_schema(**{key: number}, low=end, high=end),
    }


def _bare(pattern: str) -> str:
    return pattern.removeprefix("^").removesuffix("$")
