"""Counters and what changes them, as documents write them."""

import re
from typing import Final

from branchwise.errors import Path
from branchwise.formats.document.amounts import read_whole
from branchwise.formats.document.nodes import MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.source_text import excerpt
from branchwise.model.counter import Counter

_KEYS: Final = ("start", "range")
_EXAMPLE: Final = "counters: {doses: {start: 3, range: 0..3}}"
_RANGE_FIX: Final = "write the least and the most it can be: `range: 0..3`"
_QUOTED: Final = r"""\"(?:[^"\\]|\\.)*\"|'[^']*'"""
_RANGE: Final = re.compile(rf"((?:{_QUOTED}|[^\"'])*?)\.\.(.*)", re.DOTALL)


def read_counters(notes: Notes, node: Node | None) -> list[Counter]:
    """Read the counters; what cannot be read has a stand-in."""
    catalogue = notes.catalogue(node, "counters", _EXAMPLE)
    if catalogue is None:
        return []
    entries = notes.entries(catalogue, ("counters",))
    return [_counter(notes, key, value) for key, value in entries]


def read_effects(notes: Notes, node: Node, path: Path) -> dict[str, int]:
    """Read by how much counters change."""
    if not isinstance(node, MapNode):
        fix = "write by how much each changes: `{doses: -1}`"
        notes.add_wrong_kind(node, path, "a map of counters and changes", fix)
        return {}
    return {
        key.text: read_whole(notes, value, (*path, key.text), "a change of a counter")
        for key, value in notes.entries(node, path)
    }


def _counter(notes: Notes, key: TextNode, node: Node) -> Counter:
    path: Path = ("counters", key.text)
    example = "{start: 3, range: 0..3}"
    fields = notes.named_fields((key, node), path, _KEYS, "a counter", example)
    inside = (*path, "range")
    if "range" not in fields and not {path, inside} & notes.unreadable:
        what = f"the counter {excerpt(key.text)} has no range"
        notes.add(key.place, inside, what, _RANGE_FIX)
    low, high = _range(notes, fields.get("range"), inside)
    start = fields.get("start")
    begin = (
        None
        if start is None
        else read_whole(notes, start, (*path, "start"), "where a counter starts")
    )
    return Counter(key.text, low=low, high=high, start=begin)


def _range(notes: Notes, node: Node | None, path: Path) -> tuple[int, int]:
    if node is None:
        return 0, 0
    ends = _RANGE.fullmatch(node.text) if isinstance(node, TextNode) else None
    if not isinstance(node, TextNode):
        notes.add_wrong_kind(node, path, "a range", _RANGE_FIX)
    elif ends is None:
        notes.add(node.place, path, f"{excerpt(node.text)} is no range", _RANGE_FIX)
    if ends is None:
        return 0, 0
    low, high = (
        read_whole(notes, TextNode(text.strip(), node.position), path, noun)
        for text, noun in zip(ends.groups(), ("the least", "the most"), strict=True)
    )
    return low, high
