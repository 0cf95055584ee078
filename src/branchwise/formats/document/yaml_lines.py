"""Plain YAML, line by line: what large files are made of, in a third of the time.

A file is plain if each line has a key, a value, or both: text without special marks, or
brackets that close on the same line. All else is left to the parser, which gives the
same nodes for what is plain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from branchwise.formats.document.nodes import (
    ListNode,
    MapNode,
    Node,
    Position,
    TextNode,
)
from branchwise.formats.file_limits import STRETCH

MANY: Final = 1_000
"""So many actions in a row that are none are no oversight."""

# What may have much inside, and whether that is a map.
_LARGE_PARTS: Final = {
    "actions": True,
    "budget": True,
    "cost_weight": True,
    "defenses": True,
    "rewards": False,
}

# None of these marks means anything to YAML, wherever it stands in a text.
_MARKS = r"\w./%=()+\-"
_START = r"(?:[\w(]|[.+\-](?=\d))"
_PLAIN = rf"{_START}[{_MARKS}]*(?:\ +[{_MARKS}]+)*"
_VALUE = rf"{_START}[{_MARKS},\[\]{{}}]*(?:\ +[{_MARKS},\[\]{{}}]+)*"
_QUOTED = r"""(?:"[\ !\#-\[\]-~\w]*"|'[\ -&(-~\w]*')"""
_COMMENT = "[^\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*"
_LINE: Final = re.compile(
    rf"""(\ *)(-\ +)?
    (?:({_PLAIN}|{_QUOTED}):(?=[\ \r\n]|\Z)\ *)?
    ({_VALUE}|{_QUOTED}|[\[{{][^\#\n]*[\]}}])?
    \ *(?:(?<!\S)\#{_COMMENT})?\r?(?:\n|\Z)
    |(.|\n)""",
    re.VERBOSE,
)
_TEXT: Final = re.compile(rf"{_PLAIN}|{_QUOTED}", re.VERBOSE)
_KEY: Final = re.compile(rf"({_PLAIN}|{_QUOTED}):\ +", re.VERBOSE)
_PAIR: Final = re.compile(
    rf"({_PLAIN}|{_QUOTED}):\ +({_PLAIN}|{_QUOTED})\ *([,}}])\ *", re.VERBOSE
)
_CLOSING: Final = {"[": "]", "{": "}"}
_LONGEST_KEY: Final = 1_000  # YAML takes no key of more than 1,024 characters.
_LONGEST_FLOW: Final = 1_000_000
_DEEPEST: Final = 20
_MOST_KEPT: Final = 10_000


class _Flow(NamedTuple):
    """A part of a line: its text and whether that is quoted, or bracket and inside."""

    start: int
    end: int
    text: str
    is_quoted: bool = False
    inside: tuple[_Flow, ...] | None = None

    @classmethod
    def scalar(cls, written: str, start: int) -> _Flow:
        """Make the part of a text that starts here."""
        is_quoted = written[0] in "\"'"
        text = written[1:-1] if is_quoted else written
        return cls(start, start + len(written), text, is_quoted)


def is_odd(key: str, is_map: bool, values: Sequence[Node]) -> bool:  # noqa: FBT001
    """Return whether a long part of a problem is not what belongs under its key."""
    if is_map != _LARGE_PARTS.get(key):
        return True
    is_catalogue = key in ("actions", "defenses")
    is_text = all(isinstance(value, TextNode) for value in values)
    return is_catalogue and len(values) == MANY and is_text


class _Block:
    """Lines of one indentation: the keys of a map, or the items of a list."""

    __slots__ = ("column", "entries", "items", "key", "position")

    def __init__(self, column: int, position: Position, *, is_list: bool) -> None:
        self.column = column
        self.position = position
        self.key: TextNode | None = None  # whose value comes on the next lines
        self.entries: list[tuple[TextNode, Node]] = []
        self.items: list[Node] | None = [] if is_list else None

    def add(self, node: Node) -> None:
        if self.items is not None:
            self.items.append(node)
        else:
            assert self.key is not None
            self.entries.append((self.key, node))
            self.key = None

    def node(self) -> Node:
        if self.items is not None:
            return ListNode(tuple(self.items), self.position)
        return MapNode(tuple(self.entries), self.position)


def line_nodes(text: str, source: str) -> Node | None:
    """
    Read plain YAML as nodes; None where it is not plain, or perhaps no YAML at all.

    Examples
    --------
    >>> line_nodes("budget: 6", "oil.yaml").entries[0][1].text
    '6'
    >>> line_nodes("budget: &a 6", "oil.yaml") is None
    True
    """
    return _Lines(source).root(text)


class _Lines:
    """Builds nodes from lines, with a stack of what their indentation leaves open."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._open: list[_Block] = []
        self._texts: dict[str, str] = {}
        self._flows: dict[str, _Flow | None] = {}

    def root(self, text: str) -> Node | None:
        start = 0
        for number, found in enumerate(_LINE.finditer(text), start=1):
            if found.lastindex != 1 and not self._take(found, number, start):
                return None
            if number % STRETCH == 0 and self._is_odd():
                return None
            start = found.end()
        while len(self._open) > 1:
            if not self._close():
                return None
        last = self._open.pop() if self._open else None
        return None if last is None or last.key else last.node()

    def _take(self, found: re.Match[str], number: int, start: int) -> bool:
        """Read a line that has something on it; False where that is not plain."""
        indent, dash, key, value, _ = found.groups()
        if key is None and value is None:
            return False
        block = self._block(len(indent), number, dash, key)
        if block is None or len(self._open) > _DEEPEST:
            return False
        if key is not None:
            if len(key) > _LONGEST_KEY:
                return False
            block.key = self._scalar(key, number, found.start(3) - start + 1)
        if value is not None:
            node = self._value(value, number, found.start(4) - start + 1)
            if node is None:
                return False
            block.add(node)
        return True

    def _is_odd(self) -> bool:
        """Return whether to leave the rest to the parser, which says what is amiss."""
        if len(self._open) < 2:
            return False
        root, part = self._open[:2]
        values = [value for _, value in part.entries[:MANY]]
        return is_odd(root.key.text if root.key else "", part.items is None, values)

    def _block(
        self, column: int, number: int, dash: str | None, key: str | None
    ) -> _Block | None:
        """Return the block that a line belongs to; None where it fits none."""
        opened = self._open
        block = opened[-1] if opened else None
        if block is None:
            if column or dash or key is None:
                return None
            return self._begin(column, number)
        if block.key is not None:
            if column < block.column or (column == block.column and not dash):
                return None  # The key has no value.
            if dash is None and key is None:
                return None
            block = self._begin(column, number, is_list=dash is not None)
        else:
            while block.column > column or (
                block.column == column and block.items is not None and not dash
            ):
                if len(opened) == 1 or not self._close():
                    return None
                block = opened[-1]
        if block.column != column or (dash is None) != (block.items is None):
            return None
        if dash is None:
            return block if key is not None else None
        return block if key is None else self._begin(column + len(dash), number)

    def _begin(self, column: int, number: int, *, is_list: bool = False) -> _Block:
        position = self._source, number, column + 1, None
        block = _Block(column, position, is_list=is_list)
        self._open.append(block)
        return block

    def _close(self) -> bool:
        """End the innermost block; it must not wait for a value."""
        done = self._open.pop()
        if done.key is not None:
            return False
        self._open[-1].add(done.node())
        return True

    def _value(self, value: str, number: int, column: int) -> Node | None:
        if value[0] not in "[{":
            return self._scalar(value, number, column)
        if len(value) > _LONGEST_FLOW:
            return None
        if value in self._flows:
            flow = self._flows[value]
        else:
            # A line has no end of line in it, so one stops whatever looks for more.
            flow = _flow(f"{value}\n")
            if flow is not None and flow.end != len(value):
                flow = None
            if len(self._flows) < _MOST_KEPT:
                self._flows[value] = flow
        return None if flow is None else self._flow_node(flow, number, column)

    def _scalar(self, text: str, number: int, column: int) -> TextNode:
        is_quoted = text[0] in "\"'"
        text = text[1:-1] if is_quoted else text
        text = self._texts.setdefault(text, text)  # Labels and numbers come up often.
        position = self._source, number, column, None
        return TextNode(text, position, is_quoted, True)  # noqa: FBT003

    def _flow_node(self, flow: _Flow, number: int, column: int) -> Node:
        source, texts = self._source, self._texts
        nodes = [
            TextNode(
                texts.setdefault(text, text),
                (source, number, column + start, None),
                is_quoted,
                True,  # noqa: FBT003
            )
            if inside is None
            else self._flow_node(part, number, column)
            for part in flow.inside or ()
            for start, _, text, is_quoted, inside in (part,)
        ]
        position = source, number, column + flow.start, None
        if flow.text == "[":
            return ListNode(tuple(nodes), position)
        return MapNode(tuple(zip(nodes[::2], nodes[1::2], strict=True)), position)  # type: ignore[arg-type]


def _flow(text: str, start: int = 0, depth: int = 0) -> _Flow | None:
    """Take brackets apart that open here; None where that is not plain."""
    bracket = text[start]
    parts: list[_Flow] = []
    end = _end_of_space(text, start + 1)
    if text[end] == _CLOSING[bracket]:
        return _Flow(start, end + 1, bracket, inside=())
    while depth < _DEEPEST:
        if bracket == "{":
            pair = _with_key(_PAIR, text, end)
            if pair is not None:
                parts.append(_Flow.scalar(pair[1], end))
                parts.append(_Flow.scalar(pair[2], pair.start(2)))
                if pair[3] == "}":
                    return _Flow(start, pair.end(3), bracket, inside=tuple(parts))
                end = pair.end()
                continue
            key = _with_key(_KEY, text, end)
            if key is None:
                return None
            parts.append(_Flow.scalar(key[1], end))
            end = key.end()
        part = _inside(text, end, depth + 1)
        if part is None:
            return None
        parts.append(part)
        end = _end_of_space(text, part.end)
        if text[end] == _CLOSING[bracket]:
            return _Flow(start, end + 1, bracket, inside=tuple(parts))
        if text[end] != ",":
            return None
        end = _end_of_space(text, end + 1)
    return None


def _inside(text: str, start: int, depth: int) -> _Flow | None:
    """Take a value inside brackets apart, which may have brackets itself."""
    if text[start] in _CLOSING:
        return _flow(text, start, depth)
    found = _TEXT.match(text, start)
    return _Flow.scalar(found[0], start) if found else None


def _with_key(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    found = pattern.match(text, start)
    return found if found and len(found[1]) <= _LONGEST_KEY else None


def _end_of_space(text: str, start: int) -> int:
    while text[start] == " ":
        start += 1
    return start
