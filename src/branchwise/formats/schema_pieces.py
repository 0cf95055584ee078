"""Small pieces of JSON Schemas: numbers, texts, maps, lists and references."""

from __future__ import annotations

from typing import Any, Final

__all__ = [
    "AMOUNT",
    "INTERVAL",
    "NUMBER",
    "REST",
    "SHARE",
    "UNLIMITED",
    "Schema",
    "amounts",
    "by_action",
    "limit_kinds",
    "list_of",
    "map_of",
    "names",
    "number",
    "or_nothing",
    "ref",
    "text",
]

Schema = dict[str, Any]

_DECIMAL: Final = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?"
NUMBER: Final = rf"^\s*{_DECIMAL}\s*(/\s*{_DECIMAL}|%)?\s*$"
# Costs, budgets and probabilities have no minus sign.
AMOUNT: Final = NUMBER.replace("[+-]?(", "[+]?(")
UNLIMITED: Final = r"^\s*[Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]\s*$"
SHARE: Final = AMOUNT.removeprefix("^").removesuffix("$")
INTERVAL: Final = rf"\[{SHARE},{SHARE}\]"
REST: Final = r"^\s*[Rr][Ee][Ss][Tt]\s*$"


def map_of(**properties: Schema) -> Schema:
    """Allow these keys and no other."""
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def or_nothing(schema: Schema) -> Schema:
    """Allow a key without a value, which counts as left out."""
    notes = {"description", "default"}
    described = {key: value for key, value in schema.items() if key in notes}
    bare = {key: value for key, value in schema.items() if key not in notes}
    return {**described, "anyOf": [bare, {"type": "null"}]}


def text(description: str) -> Schema:
    """Allow any one line of text."""
    # An editor reads `name: 2024` as a number and `name: yes` as a truth value.
    kinds = ["string", "number", "boolean", "null"]
    return {"description": description, "type": kinds}


def number(description: str, pattern: str, **limits: float) -> Schema:
    """Allow a number, or text of this pattern."""
    kinds = [{"type": "number", **limits}, {"type": "string", "pattern": pattern}]
    return {"description": description, "anyOf": kinds}


def ref(name: str) -> Schema:
    """Refer to a definition."""
    return {"$ref": f"#/$defs/{name}"}


def list_of(description: str, item: str) -> Schema:
    """Allow a list of what a definition says, or nothing."""
    kinds = ["array", "null"]
    return {"description": description, "type": kinds, "items": ref(item)}


def limit_kinds() -> list[Schema]:
    """Allow an amount, or `unlimited`."""
    return [ref("amount"), {"type": "string", "pattern": UNLIMITED}]


def amounts(description: str, default: int) -> Schema:
    """Allow an amount, one per resource, or nothing."""
    per_resource = {"type": "object", "additionalProperties": ref("amount")}
    kinds = [ref("amount"), per_resource, {"type": "null"}]
    return {"description": description, "default": default, "anyOf": kinds}


def names(description: str) -> Schema:
    """Allow a list of names, or one name."""
    name = text("A name.")
    kinds = [{"type": "array", "items": name}, name]
    return {"description": description, "anyOf": kinds}


def by_action(description: str, schema: Schema) -> Schema:
    """Allow a map from actions, or nothing."""
    kinds = [{"type": "object", "additionalProperties": schema}, {"type": "null"}]
    return {"description": description, "anyOf": kinds}
