"""Conditions, as documents write them: text, or `all`, `any`, `at_least`, `not`."""

import re

from branchwise.errors import Path
from branchwise.formats.document.amounts import UnreadError, look_in
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.file_limits import LONGEST_CONDITION, LONGEST_CONDITIONS
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt
from branchwise.model.conditions.condition import (
    Condition,
    all_of,
    any_of,
    at_least,
    negation,
)
from branchwise.model.conditions.condition_text import (
    ConditionSyntaxError,
    count_mistake,
    parse_condition,
)

CONDITION_KEYS = frozenset({"requires", "precluded_by", "when", "finish"})
"""The keys of a document whose values are conditions."""

_KEYS = ("all", "any", "at_least", "not")
_ONE_OF_THEM = "`all`, `any`, `at_least` and `not`"
_SOME_OF = "write for example `at_least: {2: [a1=ok, a2, a3=fail]}`"
_FIX = "write for example `a1=ok and not a2`, or `{all: [a1=ok, {not: a2}]}`"


def read_condition(notes: Notes, node: Node, path: Path) -> Condition | None:
    """Read a condition, without the parts that are none; None where all are."""
    if isinstance(node, TextNode):
        return _from_text(notes, node, path)
    if isinstance(node, ListNode):
        fix = "write `{all: [...]}` or `{any: [...]}` around the list"
        notes.add_wrong_kind(node, path, "a condition", fix)
        return None
    return _from_map(notes, node, path)


def _from_text(notes: Notes, node: TextNode, path: Path) -> Condition | None:
    if not node.text.strip():
        notes.add_wrong_kind(node, path, "a condition", _FIX)
        return None
    if _is_too_long(notes, node, path):
        return None
    try:
        return parse_condition(node.text, look_in(notes))
    except UnreadError:
        notes.unreadable.add(path)
        return None
    except ConditionSyntaxError as error:
        what = f"{error.what}, in {excerpt(node.text)}"
        notes.add(node.place_at(error.offset), path, what, error.fix)
        return None


def _is_too_long(notes: Notes, node: TextNode, path: Path) -> bool:
    before, size = notes.condition_size, len(node.text)
    notes.condition_size += size
    if size <= LONGEST_CONDITION and notes.condition_size <= LONGEST_CONDITIONS:
        return False
    if before <= LONGEST_CONDITIONS:  # All that follow are too long for one reason.
        most, of = LONGEST_CONDITION, "this condition has"
        if size <= most:
            most, of = LONGEST_CONDITIONS, "the conditions so far have"
        what = f"{of} more than {most:,} characters: {excerpt(node.text)}"
        fix = "let an action stand for what several conditions have in common"
        notes.add(node.place, path, what, fix)
    return True


def _from_map(notes: Notes, node: MapNode, path: Path) -> Condition | None:
    entries = list(notes.entries(node, path))
    if len(entries) != 1 or entries[0][0].text not in _KEYS:
        _note_wrong_keys(notes, node, path)
        return None
    ((key, value),) = entries
    inside = (*path, key.text)
    if key.text == "not":
        condition = read_condition(notes, value, inside)
        return None if condition is None else negation(condition)
    if key.text == "at_least":
        return _at_least(notes, value, inside)
    fix = f"write `{key.text}: [a1=ok, a2]`"
    known = _several(notes, value, inside, fix)
    if known is None:
        return None
    return all_of(*known) if key.text == "all" else any_of(*known)


def _several(notes: Notes, node: Node, path: Path, fix: str) -> list[Condition] | None:
    """Read a list of conditions, without those that are none; None if it is no list."""
    if not isinstance(node, ListNode):
        notes.add_wrong_kind(node, path, "a list of conditions", fix)
        return None
    parts = [
        read_condition(notes, item, (*path, index))
        for index, item in enumerate(node.items)
    ]
    return [part for part in parts if part is not None]


def _at_least(notes: Notes, node: Node, path: Path) -> Condition | None:
    """Read how many conditions have to hold, and which may."""
    if not isinstance(node, MapNode):
        notes.add_wrong_kind(node, path, "a map of a number to conditions", _SOME_OF)
        return None
    entries = list(notes.entries(node, path))
    if len(entries) != 1:
        what = f"`at_least` has one number and its conditions, not {len(entries)}"
        notes.add(node.place, path, what, _SOME_OF)
        return None
    ((key, value),) = entries
    known = _several(notes, value, (*path, key.text), _SOME_OF)
    if not re.fullmatch("[0-9]{1,9}", key.text):
        what = f"{excerpt(key.text)} is not how many conditions have to hold"
        notes.add(key.place, path, what, _SOME_OF)
        return None
    if known is None or not isinstance(value, ListNode):
        return None
    wrong = count_mistake(int(key.text), len(value.items))
    if wrong is not None:
        notes.add(key.place, path, *wrong)
        return None
    return at_least(int(key.text), *known)


def _note_wrong_keys(notes: Notes, node: MapNode, path: Path) -> None:
    wrong = [(k, v) for k, v in node if k.text not in _KEYS]
    if not wrong:
        what = f"a condition is one of {_ONE_OF_THEM}"
        notes.add(node.place, path, f"{what}, not {len(node.entries)} of them", _FIX)
        return
    for key, value in wrong:
        what = f"{excerpt(key.text)} is none of {_ONE_OF_THEM}"
        fix = _FIX
        if isinstance(value, TextNode) and not value.is_nothing:
            fix = f"write {excerpt(f'{key.text}={value.text}')} as text"
        notes.add(key.place, path, what, fix)


def place_of_name(node: Node, name: str) -> Place | None:
    """Find where a condition names something; None where it does not."""
    if isinstance(node, TextNode):
        offset = _offset_of(node.text, name)
        return None if offset is None else node.place_at(offset)
    parts = node.items if isinstance(node, ListNode) else [v for _, v in node]
    places = (place_of_name(part, name) for part in parts)
    return next((place for place in places if place is not None), None)


def _offset_of(text: str, name: str) -> int | None:
    """Find a name in a condition, but not inside a longer name."""
    start = text.find(name) if name else -1
    while start >= 0:
        around = text[max(start - 1, 0) : start] + text[start + len(name) :][:1]
        if not any(mark.isalnum() or mark in "_-." for mark in around):
            return start
        start = text.find(name, start + 1)
    return None
