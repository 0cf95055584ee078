"""Plain YAML, line by line: what large files are made of, in a third of the time.

A file is plain if each line has a key, a value, or both: text without special marks, or
brackets that close on the same line. All else is left to the parser, which gives the
same nodes for what is plain.
"""

import re
from collections.abc import Sequence
from typing import Final

from branchwise.formats.document.nodes import (
    FlatMapNode,
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
# What follows is none of the marks, so that to give any back (as without the second
# `+`) would help no match, and only make it slower to find that there is none.
_PLAIN = rf"{_START}[{_MARKS}]*+(?:\ ++[{_MARKS}]++)*+"
_VALUE = rf"{_START}[{_MARKS},\[\]{{}}]*+(?:\ ++[{_MARKS},\[\]{{}}]++)*+"
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
# A key inside brackets, with a text and the mark after it, or before more brackets.
_ENTRY: Final = re.compile(
    rf"""({_PLAIN}|{_QUOTED}):\ +
    (?:({_PLAIN}|{_QUOTED})\ *([,}}])\ *|(?=[\[{{]))""",
    re.VERBOSE,
)
_NEXT: Final = re.compile(r" *([,\]}]) *")
# A map of texts as people mostly write it: after each colon and comma one space.
_FLAT: Final = re.compile(
    rf"\{{{_PLAIN}:\ {_PLAIN}(?:,\ {_PLAIN}:\ {_PLAIN})*\}}", re.VERBOSE
)
_OPENING: Final = "[{"
_LONGEST_KEY: Final = 1_000  # YAML takes no key of more than 1,024 characters.
_LONGEST_FLOW: Final = 1_000_000
_DEEPEST: Final = 20


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
        self._brackets = _Brackets(source, self._texts)

    def root(self, text: str) -> Node | None:
        for number, found in enumerate(_LINE.finditer(text), start=1):
            if found.lastindex != 1 and not self._take(found, number):
                return None
            if number % STRETCH == 0 and self._is_odd():
                return None
        while len(self._open) > 1:
            if not self._close():
                return None
        last = self._open.pop() if self._open else None
        return None if last is None or last.key else last.node()

    def _take(self, found: re.Match[str], number: int) -> bool:
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
            block.key = self._scalar(key, number, block.column + 1)
        if value is None:
            return True
        column = found.start(4) - found.start() + 1
        if value[0] in _OPENING:
            node = self._brackets.node(value, number, column)
            if node is None:
                return False
            block.add(node)
        else:
            block.add(self._scalar(value, number, column))
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
        if not opened:
            if column or dash or key is None:
                return None
            return self._begin(column, number)
        block = opened[-1]
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

    def _scalar(self, text: str, number: int, column: int) -> TextNode:
        is_quoted = text[0] in "\"'"
        text = text[1:-1] if is_quoted else text
        text = self._texts.setdefault(text, text)  # Labels and numbers come up often.
        position = self._source, number, column, None
        return TextNode(text, position, is_quoted, True)  # noqa: FBT003


_Found = tuple[Node, int]
"""What stands in brackets, and where in the line the next thing starts."""


class _Brackets:
    """Builds nodes from brackets that close on the line they open on."""

    def __init__(self, source: str, texts: dict[str, str]) -> None:
        self._source = source
        self._texts = texts
        self._number = self._column = 0

    def node(self, value: str, number: int, column: int) -> Node | None:
        """Take a value apart that starts here; None where it is not plain."""
        if len(value) > _LONGEST_FLOW:
            return None
        self._number, self._column = number, column
        # A line has no end of line in it, so one stops whatever looks for more.
        found = self._opened(f"{value}\n", 0, 0)
        return found[0] if found is not None and found[1] == len(value) else None

    def _opened(self, text: str, start: int, depth: int) -> _Found | None:
        if depth == _DEEPEST:
            return None
        flat = _FLAT.match(text, start)
        # So short that no key in it can be too long.
        if flat is not None and flat.end() - start <= _LONGEST_KEY:
            written = self._texts.setdefault(flat[0], flat[0])
            return FlatMapNode(written, self._position(start)), flat.end()
        if text[start] == "{":
            return self._map(text, start, depth)
        return self._list(text, start, depth)

    def _map(self, text: str, start: int, depth: int) -> _Found | None:
        entries: list[tuple[TextNode, Node]] = []
        mark, end = ",", _end_of_space(text, start + 1)
        if text[end] == "}":
            return MapNode((), self._position(start)), end + 1
        while mark == ",":
            found = _ENTRY.match(text, end)
            if found is None:
                return None
            written, value, mark = found.groups()
            if len(written) > _LONGEST_KEY:
                return None
            key = self._text(written, end)
            end = found.end()
            if value is not None:
                entries.append((key, self._text(value, found.start(2))))
                continue
            inside = self._opened(text, end, depth + 1)
            following = inside and _NEXT.match(text, inside[1])
            if inside is None or not following:
                return None
            entries.append((key, inside[0]))
            mark, end = following[1], following.end()
        node = MapNode(tuple(entries), self._position(start))
        return (node, end) if mark == "}" else None

    def _list(self, text: str, start: int, depth: int) -> _Found | None:
        items: list[Node] = []
        mark, end = ",", _end_of_space(text, start + 1)
        if text[end] == "]":
            return ListNode((), self._position(start)), end + 1
        while mark == ",":
            inside = self._item(text, end, depth)
            following = inside and _NEXT.match(text, inside[1])
            if inside is None or not following:
                return None
            items.append(inside[0])
            mark, end = following[1], following.end()
        node = ListNode(tuple(items), self._position(start))
        return (node, end) if mark == "]" else None

    def _item(self, text: str, start: int, depth: int) -> _Found | None:
        if text[start] in _OPENING:
            return self._opened(text, start, depth + 1)
        found = _TEXT.match(text, start)
        return (self._text(found[0], start), found.end()) if found else None

    def _text(self, written: str, start: int) -> TextNode:
        is_quoted = written[0] in "\"'"
        text = written[1:-1] if is_quoted else written
        text = self._texts.setdefault(text, text)
        position = self._source, self._number, self._column + start, None
        return TextNode(text, position, is_quoted, True)  # noqa: FBT003

    def _position(self, start: int) -> Position:
        return self._source, self._number, self._column + start, None


def _end_of_space(text: str, start: int) -> int:
    while text[start] == " ":
        start += 1
    return start
