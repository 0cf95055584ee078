"""Results: what a tool returns, as text to read and as data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import Any, Final

from branchwise.errors import Issue, IssuesError
from branchwise.report import document, lines

_MOST_CHARACTERS: Final = 20_000
_MOST_ITEMS: Final = 200
_MOST_ISSUES: Final = 50
_POSITION: Final = re.compile(r".*?:(\d+):(\d+)(?: |$)")

RESULT_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "ok": {
            "type": "boolean",
            "description": "False where there are errors; there is no `result` then.",
        },
        "issues": {
            "type": "array",
            "description": "What is wrong: correct each and ask again.",
            "items": {
                "type": "object",
                "properties": {
                    "severity": {"enum": ["error", "warning"]},
                    "place": {"type": "string"},
                    "line": {"type": ["integer", "null"]},
                    "column": {"type": ["integer", "null"]},
                    "path": {
                        "type": "array",
                        "items": {"type": ["string", "integer"]},
                        "description": "Keys that lead there in the document.",
                    },
                    "cause": {"type": "string"},
                    "culprit": {
                        "type": "string",
                        "description": "The offending text itself; may be empty.",
                    },
                    "fix": {"type": "string", "description": "What to write instead."},
                },
                "required": ["severity", "place", "line", "column", "cause", "fix"],
            },
        },
        "result": {
            "description": "The answer; laid out as the tool `schema` says of its kind."
        },
        "cut": {
            "type": "object",
            "description": "Lists of `result` of which only the first items are here, "
            "and how many there are.",
            "additionalProperties": {"type": "integer"},
        },
    },
    "required": ["ok", "issues"],
}
"""The JSON Schema of what every tool returns."""


@dataclass(frozen=True, slots=True)
class Result:
    """
    What a tool returns.

    Parameters
    ----------
    text
        What a person would read at a terminal.
    data
        The same for programs.
    is_error
        Whether the tool could not do what was asked.
    """

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    is_error: bool = False


def answered(answer: object, issues: Sequence[Issue]) -> Result:
    """Return an answer of branchwise; of what is long, the first and likeliest part."""
    said = _with_issues(_bounded("\n".join(lines(answer))), issues)
    return found(said, document(answer), issues)


def found(text: str, result: Any, issues: Sequence[Issue] = ()) -> Result:
    """Return a result in words and as data."""
    counts: dict[str, int] = {}
    data = {"ok": True, "issues": issue_documents(issues)}
    data["result"] = _first_items(_closed(result), "", counts)
    return Result(text, {**data, "cut": counts} if counts else data)


def refused(issues: Sequence[Issue]) -> Result:
    """Return what is wrong, and how to put it right."""
    data = {"ok": False, "issues": issue_documents(issues)}
    return Result(_bounded(str(IssuesError(issues))), data, is_error=True)


def issue_documents(issues: Sequence[Issue]) -> list[dict[str, Any]]:
    """Return issues as data, errors first."""
    ordered = sorted(issues, key=lambda issue: issue.severity)
    return [_issue_document(issue) for issue in ordered[:_MOST_ISSUES]]


def _issue_document(issue: Issue) -> dict[str, Any]:
    position = _POSITION.match(issue.where)
    line, column = map(int, position.groups()) if position else (None, None)
    return {
        "severity": issue.severity,
        "place": issue.where,
        "line": line,
        "column": column,
        "path": list(issue.path),
        "cause": issue.what,
        "culprit": issue.culprit,
        "fix": issue.fix,
    }


def _with_issues(text: str, issues: Sequence[Issue]) -> str:
    return f"{IssuesError(issues)}\n\n{text}" if issues else text


def _bounded(text: str) -> str:
    """Return as many lines of a text as can be read."""
    if len(text) <= _MOST_CHARACTERS:
        return text
    every = text.splitlines()
    sizes = accumulate(len(line) + 1 for line in every)
    kept = [*takewhile(lambda size: size <= _MOST_CHARACTERS, sizes)]
    more = f"... {len(every) - len(kept):,} more lines: ask for less at a time"
    return "\n".join([*every[: len(kept)], more])


def _closed(result: Any) -> Any:
    """Let no outcome of a plan lead to a state that is past those which are listed."""
    if not isinstance(result, dict) or len(result.get("policy", ())) <= _MOST_ITEMS:
        return result
    for state in result["policy"][:_MOST_ITEMS]:
        for outcome in state["outcomes"]:
            to = outcome["to"]
            outcome["to"] = to if to is not None and to < _MOST_ITEMS else None
    return result


def _first_items(value: Any, place: str, counts: dict[str, int]) -> Any:
    """Return data with the first items of long lists, and count what those had."""
    if isinstance(value, Mapping):
        return {
            key: _first_items(item, f"{place}.{key}" if place else key, counts)
            for key, item in value.items()
        }
    if not isinstance(value, list | tuple):
        return value
    if len(value) > _MOST_ITEMS:
        counts[place] = len(value)
    return [
        _first_items(item, f"{place}[{number}]", counts)
        for number, item in enumerate(value[:_MOST_ITEMS])
    ]
