"""Readings: what a text says, part by part, and what is wrong with it where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from branchwise.errors import FormatError, Issue
from branchwise.errors import Path as Steps
from branchwise.formats.document.conditions import CONDITION_KEYS
from branchwise.formats.file_limits import DEEPEST
from branchwise.formats.read import check_text
from branchwise.model.conditions import condition as conditions
from branchwise.model.conditions.condition_text import (
    ConditionSyntaxError,
    parse_condition,
)
from branchwise.model.problem import Problem
from branchwise.studio.text.aliases import shared_parts
from branchwise.studio.text.names import is_condition, splices_of
from branchwise.studio.text.spans import Span, spans_of

_SOURCE: Final = "document"
_MOST_ISSUES: Final = 100
_PLACE: Final = re.compile(rf"{_SOURCE}:(\d+):(\d+)")
_TICKED: Final = re.compile("`([^`]*)`")
_WRITE: Final = re.compile("(?:^|, or )write `([^`]*)`(?:$|,| if)")
_MEANT: Final = re.compile("did you mean `([^`]*)`")
_MOST_REPAIRS: Final = 8
_LONGEST_REPAIRED: Final = 200_000
_MOST_REPEATED: Final = 200_000
"""How many characters of what aliases stand for the page shows again."""


@dataclass(frozen=True, slots=True)
class Reading:
    """
    What a text says.

    Parameters
    ----------
    problem
        The problem; None where it contradicts itself, or cannot be read.
    issues
        What is wrong, each with the characters it is about and, where one exists, the
        edit that puts it right.
    outline
        The document as the page edits it; None where the text cannot be taken apart.
    shared
        Where aliases stand, and where what they stand for is written.
    """

    problem: Problem | None
    issues: tuple[dict[str, Any], ...]
    outline: Any
    shared: tuple[dict[str, Any], ...] = ()


def reading_of(text: str, *, is_json: bool = False) -> Reading:
    """
    Read a text, right or wrong.

    Examples
    --------
    >>> reading = reading_of("actions: {a: {cost: x, outcomes: {ok: 1}}}")
    >>> reading.problem, reading.issues[0]["what"], reading.issues[0]["from"]
    (None, '`x` is not a number', 20)
    """
    problem, issues = check_text(text, "json" if is_json else "yaml", _SOURCE)
    try:
        root = spans_of(text)
        outline = None if root is None else _Outliner().of(root)
        # An alias begins with a star, and large documents have none.
        shared = shared_parts(root) if root and "*" in text else []
    except FormatError:
        root, outline, shared = None, None, []
    shown = tuple(_shown(issue, text, root) for issue in issues[:_MOST_ISSUES])
    for issue in shown[:_MOST_REPAIRS] if len(text) <= _LONGEST_REPAIRED else ():
        issue["repair"] = _repair(issue, text, root, is_json=is_json)
    return Reading(problem, shown, outline, tuple(shared))


class _Outliner:
    """Makes of a document what the page edits."""

    def __init__(self) -> None:
        self._left = _MOST_REPEATED

    def of(self, span: Span, path: Steps = (), *, is_condition: bool = False) -> Any:
        """Return a part: a text, a list, or a map as a list of pairs."""
        if span.kind == "list":
            items = enumerate(span.items)
            return {
                "list": [
                    self.of(each, (*path, number), is_condition=is_condition)
                    for number, each in items
                ]
            }
        if span.kind == "map":
            return {
                "map": [
                    [key.text, self._value((*path, key.text), value, is_condition)]
                    for key, value in span.entries
                ]
            }
        if span.kind == "alias":
            return self._repeated(span, path, is_condition=is_condition)
        return _condition_outline(span.text) if is_condition else span.text

    def _value(self, path: Steps, value: Span, is_inside: bool) -> Any:  # noqa: FBT001
        is_one = path[-1] in CONDITION_KEYS and is_condition(path)
        return self.of(value, path, is_condition=is_inside or is_one)

    def _repeated(self, alias: Span, path: Steps, *, is_condition: bool) -> Any:
        """Return what an alias stands for, unless that is too much to show again."""
        if alias.target is not None and len(path) < DEEPEST:
            self._left -= alias.target.end - alias.target.start
            if self._left >= 0:
                return self.of(alias.target, path, is_condition=is_condition)
        return {"alias": alias.text}


def _condition_outline(text: str) -> Any:
    """Return the text of a condition with what it is put together from."""
    try:
        return {"text": text, "condition": _parts(parse_condition(text))}
    except ConditionSyntaxError:
        return {"text": text, "condition": None}


def _parts(condition: conditions.Condition) -> Any:
    """Return a condition as the page builds it: groups of pick lists."""
    match condition:
        case conditions.Happened(action, outcome):
            return {"action": action, "outcome": outcome}
        case conditions.Attempted(action):
            return {"action": action}
        case conditions.AllOf():
            return {"all": [*map(_parts, condition.parts())]}
        case conditions.AnyOf():
            return {"any": [*map(_parts, condition.parts())]}
        case conditions.AtLeast(count=count):
            return {"at_least": count, "of": [*map(_parts, condition.parts())]}
        case conditions.Not():
            return {"not": _parts(condition.condition)}
    return {"text": str(condition)}


def _shown(issue: Issue, text: str, root: Span | None) -> dict[str, Any]:
    start, end = _characters(issue, text, root)
    return {
        "what": issue.what,
        "fix": issue.fix,
        "severity": issue.severity,
        "path": list(issue.path),
        "from": start,
        "to": end,
        "culprit": issue.culprit,
        "repair": None,
    }


def _characters(issue: Issue, text: str, root: Span | None) -> tuple[int, int]:
    """Return the characters that an issue is about."""
    place = _PLACE.match(issue.where)
    if place is None:
        return 0, 0
    start = _offset(text, int(place[1]), int(place[2]))
    for word in (issue.culprit, *_TICKED.findall(issue.what)):
        if word and text.startswith(word, start):
            return start, start + len(word)
    shown = root.shown(issue.path) if root else (start, start)
    if shown[0] == start:
        return shown
    stop = re.compile(r"[^\s,}\]]*").match(text, start)
    return start, stop.end() if stop else start


def _offset(text: str, line: int, column: int) -> int:
    """Return which character stands in a line and a column, both from 1."""
    start = 1 if text.startswith("\ufeff") else 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return min(start + column - 1, len(text))


def _repair(
    issue: Mapping[str, Any], text: str, root: Span | None, *, is_json: bool
) -> dict[str, Any] | None:
    """Return the edit that a fix stands for, if it puts right what is wrong."""
    found = _MEANT.search(issue["what"]) or _WRITE.search(issue["fix"])
    if found is None or root is None:
        return None
    form = "json" if is_json else "yaml"
    for edit in _candidates(issue, text, root, found[1]):
        try:
            after = edited(text, edit, is_json=is_json)
        except (FormatError, ValueError):
            continue
        if issue["what"] not in {
            each.what for each in check_text(after, form, _SOURCE)[1]
        }:
            return edit
    return None


def edited(text: str, edit: Mapping[str, Any], *, is_json: bool) -> str:
    """Return a text after an edit."""
    for splice in splices_of(text, edit, is_json=is_json):
        text = splice.apply(text)
    return text


def _candidates(
    issue: Mapping[str, Any], text: str, root: Span, new: str
) -> Iterator[dict[str, Any]]:
    """Return the edits that a fix may stand for, the likeliest first."""
    path, start = issue["path"], issue["from"]
    key, colon, value = new.partition(": ")
    if colon:
        said = _said(root, path, key, value)
        if said is not None:
            yield said
        return
    part = root.at(tuple(path))
    is_text = part is not None and part.kind == "text"
    if part is not None and path and path[-1] == issue["culprit"]:
        yield {"path": path, "rename": new}
    for word in (issue["culprit"], *_TICKED.findall(issue["what"])):
        if word and text.startswith(word, start):
            yield {"splice": [start, start + len(word), new]}
    if is_text and not is_condition(tuple(path)):
        yield {"path": path, "put": new}


def _said(
    root: Span, path: Sequence[str | int], key: str, value: str
) -> dict[str, Any] | None:
    """Return how to let a key say something, here or where it stands already."""
    is_plain = not set("{}[],:") & set(value)
    if not is_plain:
        return None
    if path and path[-1] == key:
        return {"path": [*path], "put": value}
    if key in {"combine", "objective"}:
        return {"path": [key], "put": value}
    part = root.at(tuple(path))
    if value == "rest" and part is not None and part.child(key) is not None:
        return {"path": [*path, key], "put": value}
    return None
