"""JSON text to nodes: numbers keep their text, and a repeated key is still there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]

from branchwise.errors import FormatError, Issue
from branchwise.formats.document.nodes import (
    ListNode,
    MapNode,
    Node,
    Position,
    TextNode,
)
from branchwise.formats.file_limits import DEEPEST, STRETCH
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, line_at, position_at, refuse

_SPACE = re.compile(r"[ \t\r\n]*")
_MARKS = frozenset('[]{},:"')
_WORD = re.compile(r"[^\s,:\[\]{}\"]+")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_LITERALS = {"true": "true", "false": "false", "null": ""}
_WORDS = {*_LITERALS, "NaN", "Infinity", "-Infinity"}  # The last three fail later.
_OTHER_LITERALS = {"True": "true", "False": "false", "None": "null"}


def json_nodes(
    text: str, source: str, deepest: int = DEEPEST
) -> tuple[Node, list[Issue]]:
    """
    Read JSON text as nodes; the issues are always empty, as JSON reads or does not.

    What is nested deeper than a number of levels is refused.

    Examples
    --------
    >>> root, issues = json_nodes('{"budget": 0.10}', "oil.json")
    >>> root.entries[0][1].text
    '0.10'
    """
    if not text.strip():
        return TextNode("", Place(source, 1, 1)), []
    return _Reader(text, source, deepest).document(), []


@dataclass(slots=True)
class _Open:
    """A list or map whose end has not come yet."""

    start: int
    position: Position
    closing: str
    children: list[Node] = field(default_factory=list)
    keys: list[TextNode] = field(default_factory=list)


class _Reader:
    """Reads one value after the other, with a stack instead of recursion."""

    def __init__(self, text: str, source: str, deepest: int) -> None:
        self._text = text
        self._deepest = deepest
        self._source = source
        self._next = 0
        self._open: list[_Open] = []
        self._texts: dict[str, str] = {}
        # How far lines were counted, their number, and where the last one starts.
        self._counted, self._line, self._line_start = 0, 1, 0

    def document(self) -> Node:
        values = enumerate(self._values())
        root = next(node for number, node in values if self._is_enough(number))
        if self._open:
            return ListNode((), self._open[0].position)
        self._skip_space()
        if self._next < len(self._text):
            what = f"{self._word()} stands after the end of the document"
            raise self._refuse(what, "remove it")
        return root

    def _is_enough(self, number: int) -> bool:
        """Return whether all is read; of a long list, which is no problem, a part."""
        if number == STRETCH and self._open:
            return self._open[0].closing == "]"
        return not self._open

    def _values(self) -> Iterator[Node]:
        """Read values until the file ends, and give each one when it is complete."""
        while True:
            mark = self._peek()
            done = self._begin(mark) if mark in {"[", "{"} else self._scalar(mark)
            while done is not None:
                yield done
                self._open[-1].children.append(done)
                done = self._follow()

    def _begin(self, mark: str) -> Node | None:
        """Open a list or map; an empty one is complete at once."""
        if len(self._open) == self._deepest:
            what = f"nested more than {self._deepest:,} levels deep"
            is_tree = self._deepest > DEEPEST
            fix = (
                "draw fewer nodes in a row"
                if is_tree
                else "remove the surplus brackets"
            )
            raise self._refuse(what, fix)
        position = self._position(self._next)
        self._open.append(_Open(self._next, position, "]" if mark == "[" else "}"))
        self._next += 1
        if self._peek() == self._open[-1].closing:
            return self._close()
        self._begin_entry()
        return None

    def _begin_entry(self) -> None:
        """Take the key and the colon, where we are in a map."""
        opened = self._open[-1]
        mark = self._peek()
        if mark == opened.closing:
            self._next = self._text.rindex(",", 0, self._next)
            what = f"a comma stands before `{opened.closing}`"
            raise self._refuse(what, "remove the comma")
        if opened.closing == "]":
            return
        if mark != '"':
            raise self._refuse_key()
        opened.keys.append(self._string())
        if self._peek() != ":":
            what = f"a colon is missing before {self._word()}"
            raise self._refuse(what, "write `:` between key and value")
        self._next += 1

    def _follow(self) -> Node | None:
        """Go on after a value: to the next entry, or to the end of what holds it."""
        opened = self._open[-1]
        mark = self._peek()
        if mark == opened.closing:
            return self._close()
        if mark != ",":
            if not mark:
                self._next = opened.start
                what = "a bracket is opened and never closed"
                raise self._refuse(what, f"close it with `{opened.closing}`")
            what = f"a comma is missing before {self._word()}"
            raise self._refuse(what, f"write `,`, or `{opened.closing}` to end here")
        self._next += 1
        self._begin_entry()
        return None

    def _close(self) -> Node:
        self._next += 1
        done = self._open.pop()
        if done.closing == "]":
            return ListNode(tuple(done.children), done.position)
        return MapNode(tuple(zip(done.keys, done.children, strict=True)), done.position)

    def _scalar(self, mark: str) -> Node:
        if mark == '"':
            return self._string()
        found = _WORD.match(self._text, self._next)
        if found is None:
            missing = f"a value is missing before {self._word()}"
            raise self._refuse(missing if mark else "the file ends too early", "add it")
        word, position = found[0], self._position(self._next)
        if word not in _WORDS and not _NUMBER.fullmatch(word):
            raise self._refuse_word(word)
        self._next = found.end()
        text = _LITERALS.get(word, word)
        text = self._texts.setdefault(text, text)
        return TextNode(text, position, is_verbatim=text == word)

    def _string(self) -> TextNode:
        start = self._next
        try:
            text, self._next = scanstring(self._text, start + 1, True)  # noqa: FBT003
        except JSONDecodeError as error:
            raise self._refuse_string(error) from None
        if not text.isascii() and _SURROGATE.search(text):
            what = "half of a surrogate pair is no character"
            raise self._refuse(what, r"write the character itself, or both `\u` codes")
        is_verbatim = self._next - start == len(text) + 2
        position = self._position(start)
        text = self._texts.setdefault(text, text)  # Keys and labels come up often.
        return TextNode(text, position, True, is_verbatim)  # noqa: FBT003

    def _peek(self) -> str:
        mark = self._text[self._next : self._next + 1]
        if mark not in _MARKS:
            self._skip_space()
            mark = self._text[self._next : self._next + 1]
        return mark

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._next)
        self._next = found.end() if found else self._next
        if self._text.startswith(("//", "/*", "#"), self._next):
            fix = "remove it, or save the file as YAML, which has comments with `#`"
            raise self._refuse("JSON has no comments", fix)

    def _word(self) -> str:
        found = _WORD.match(self._text, self._next)
        word = found[0] if found else self._text[self._next : self._next + 1]
        return excerpt(word) if word else "the end of the file"

    def _refuse_key(self) -> FormatError:
        if self._next == len(self._text):
            fix = f"close what is open: `{self._open[-1].closing}`"
            return self._refuse("the file ends too early", fix)
        word = self._word()
        if word.startswith("`'"):
            return self._refuse_word(word)
        name = word.strip("`")
        return self._refuse(f"the key {word} has no quotes", f'write `"{name}"`')

    def _refuse_word(self, word: str) -> FormatError:
        if word in _OTHER_LITERALS:
            what = f"`{word}` is not JSON"
            return self._refuse(what, f"write `{_OTHER_LITERALS[word]}`")
        if "'" in word[:2]:
            return self._refuse("JSON has no single quotes", "write `\"` for `'`")
        if re.match(r"[+-.]?\d", word):
            fix = f'write it as JSON does (`0.5`, `10`), or in quotes: `"{word}"`'
            return self._refuse(f"{excerpt(word)} is not a JSON number", fix)
        what = f"{excerpt(word)} has no quotes"
        return self._refuse(what, 'put text in double quotes: `"..."`')

    def _refuse_string(self, error: JSONDecodeError) -> FormatError:
        if "Unterminated" in error.msg:
            return self._refuse(
                "a quote is opened and never closed", 'close it with `"`'
            )
        self._next = error.pos
        if "control" in error.msg:
            what = "a line break or tab stands inside quotes"
            return self._refuse(what, r"write `\n` or `\t`, or close the quotes before")
        what = "a backslash starts something unknown"
        return self._refuse(what, r"write `\\` for a backslash")

    def _refuse(self, what: str, fix: str) -> FormatError:
        line = line_at(self._text, self._next)
        place = Place._make(self._position(self._next))
        return refuse(place, f"{what}: {excerpt(line)}", fix)

    def _position(self, index: int) -> Position:
        if index < self._counted:
            return (self._source, *position_at(self._text, index), None)
        passed = self._text.count("\n", self._counted, index)
        if passed:
            self._line += passed
            self._line_start = self._text.rindex("\n", 0, index) + 1
        self._counted = index
        return self._source, self._line, index - self._line_start + 1, None
