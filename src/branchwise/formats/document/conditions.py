"""Conditions, as documents write them: text, or `all`, `any` and `not`."""

from branchwise.errors import Path
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.file_limits import LONGEST_CONDITION, LONGEST_CONDITIONS
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt
from branchwise.model.condition import Condition, all_of, any_of, negation
from branchwise.model.condition_text import ConditionSyntaxError, parse_condition

CONDITION_KEYS = frozenset({"requires", "precluded_by", "when"})
"""The keys of a document whose values are conditions."""

_KEYS = ("all", "any", "not")
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
        return parse_condition(node.text)
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
    if not isinstance(value, ListNode):
        fix = f"write `{key.text}: [a1=ok, a2]`"
        notes.add_wrong_kind(value, inside, "a list of conditions", fix)
        return None
    parts = [
        read_condition(notes, item, (*inside, index))
        for index, item in enumerate(value.items)
    ]
    known = [part for part in parts if part is not None]
    return all_of(*known) if key.text == "all" else any_of(*known)


def _note_wrong_keys(notes: Notes, node: MapNode, path: Path) -> None:
    wrong = [(k, v) for k, v in node if k.text not in _KEYS]
    if not wrong:
        what = "a condition is one of `all`, `any` and `not`"
        notes.add(node.place, path, f"{what}, not {len(node.entries)} of them", _FIX)
        return
    for key, value in wrong:
        what = f"{excerpt(key.text)} is none of `all`, `any` and `not`"
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
