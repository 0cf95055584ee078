"""The arguments of a tool: what it can be given, and what is wrong with what it was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from branchwise.errors import BranchwiseError, Issue, IssuesError, did_you_mean

_LONGEST_SHOWN: Final = 60

_WORDS: Final[Mapping[str, tuple[str, type | tuple[type, ...]]]] = {
    "string": ("a text", str),
    "boolean": ("true or false", bool),
    "integer": ("a whole number", int),
    "number": ("a number", (int, float)),
    "array": ("a list", list),
    "object": ("an object", dict),
}


class ArgumentsError(IssuesError):
    """A tool was given what it cannot take."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Something that a tool can be given."""

    name: str
    # Its JSON Schema: a `type`, or several, and maybe `enum`, `items`, `minimum` and
    # `maximum`.
    layout: Mapping[str, Any]
    usual: Any = None  # What it is unless given; None for nothing
    is_required: bool = False  # Whether the tool cannot do without

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema, with what is usual."""
        usual = {} if self.usual is None else {"default": self.usual}
        return {**self.layout, **usual}


def schema_of(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Return the JSON Schema of what a tool can be given."""
    return {
        "type": "object",
        "properties": {each.name: each.schema for each in arguments},
        "required": [each.name for each in arguments if each.is_required],
        "additionalProperties": False,
    }


def checked_arguments(
    known: Sequence[Argument], given: Mapping[str, Any]
) -> dict[str, Any]:
    """
    Return the arguments, with what is usual for those that are not given.

    Examples
    --------
    >>> known = [Argument("gap", {"type": "number", "minimum": 0}, usual=0)]
    >>> checked_arguments(known, {})
    {'gap': 0}
    >>> checked_arguments(known, {"gap": -1})
    Traceback (most recent call last):
        ...
    branchwise.assistant.arguments.ArgumentsError: argument `gap`: `-1` is too little
        fix: give 0 or more
    """
    names = [each.name for each in known]
    issues = [_unknown(name, names) for name in given if name not in names]
    for each in known:
        # Some clients send null for what they do not give.
        if given.get(each.name) is not None:
            issues += _objections(each.name, given[each.name], each.layout)
        elif each.is_required:
            what = "it is missing, and this tool cannot do without"
            issues.append(_issue(each.name, what, f"give {_kind(each.layout)}"))
    if issues:
        raise ArgumentsError(issues)
    return {
        each.name: each.usual if given.get(each.name) is None else given[each.name]
        for each in known
    }


def issues_of(error: Exception) -> tuple[Issue, ...]:
    """Return what an error says, issue by issue, each with its fix."""
    if isinstance(error, IssuesError):
        return error.issues
    what, _, fix = str(error).partition("\n    fix: ")
    place = "the request" if isinstance(error, BranchwiseError) else "the arguments"
    return (Issue(place, what, fix or "ask again without what it names"),)


def _objections(name: str, value: Any, layout: Mapping[str, Any]) -> list[Issue]:
    shown = f"`{_shown(value)}`"
    if not _is_of(value, _types(layout)):
        kind = _kind(layout)
        return [_issue(name, f"{shown} is not {kind}", f"give {kind}")]
    if "enum" in layout and value not in layout["enum"]:
        near = did_you_mean(str(value), layout["enum"])
        fix = f"give one of {', '.join(layout['enum'])}"
        return [_issue(name, f"there is no {shown}{near}", fix)]
    if "minimum" in layout and not isinstance(value, str) and value < layout["minimum"]:
        fix = f"give {layout['minimum']} or more"
        return [_issue(name, f"{shown} is too little", fix)]
    if "maximum" in layout and not isinstance(value, str) and value > layout["maximum"]:
        fix = f"give {layout['maximum']} or less"
        return [_issue(name, f"{shown} is too much", fix)]
    if isinstance(value, list):
        inner = layout.get("items", {})
        return [issue for item in value for issue in _objections(name, item, inner)]
    if isinstance(value, dict) and isinstance(layout.get("additionalProperties"), dict):
        inner = layout["additionalProperties"]
        return [
            issue
            for key, item in value.items()
            for issue in _objections(f"{name}.{key}", item, inner)
        ]
    return []


def _is_of(value: Any, types: Sequence[str]) -> bool:
    # In Python true and false are numbers, too.
    if isinstance(value, bool):
        return "boolean" in types or not types
    return not types or any(isinstance(value, _WORDS[each][1]) for each in types)


def _types(layout: Mapping[str, Any]) -> Sequence[str]:
    found = layout.get("type", ())
    return [found] if isinstance(found, str) else found


def _kind(layout: Mapping[str, Any]) -> str:
    return " or ".join(_WORDS[each][0] for each in _types(layout))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


def _unknown(name: str, names: Sequence[str]) -> Issue:
    what = f"this tool has no such argument{did_you_mean(name, names)}"
    return _issue(name, what, f"give only {', '.join(names)}")


def _issue(name: str, what: str, fix: str) -> Issue:
    return Issue(f"argument `{name}`", what, fix)
