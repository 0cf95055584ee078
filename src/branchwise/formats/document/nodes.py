"""A document before it means anything: text, lists and maps that know their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from branchwise.formats.place import Place
from branchwise.records import dataclass

Position = tuple[str, int, int, str | None]
"""A `Place`, or its parts: a large file has a million, and few are ever shown."""


class _Placed:
    """What stands somewhere in a file."""

    __slots__ = ()
    position: Position

    @property
    def place(self) -> Place:
        """Where it starts."""
        return Place._make(self.position)


# Not frozen, which would make each seven times as slow to build.
@dataclass(slots=True)
class TextNode(_Placed):
    """
    A piece of text; whether it is a number or a name depends on where it stands.

    Parameters
    ----------
    text
        The text, unquoted.
    position
        Where it starts.
    is_quoted
        Whether it was written in quotes. An unquoted empty text, ``~`` or ``null``
        stands for nothing at all.
    is_verbatim
        Whether the file holds the text on one line just as it is here, so that its
        characters have columns.
    """

    text: str
    position: Position
    is_quoted: bool = False
    is_verbatim: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether this stands for a value left out."""
        return not self.is_quoted and self.text in {"", "~", "null", "Null", "NULL"}

    def place_at(self, offset: int) -> Place:
        """Return where a character of the text stands, as nearly as that is known."""
        if not self.is_verbatim:
            return self.place
        source, line, column, _ = self.position
        return Place(source, line, column + self.is_quoted + offset)


@dataclass(slots=True)
class ListNode(_Placed):
    """A list."""

    items: tuple[Node, ...]
    position: Position


@dataclass(slots=True)
class MapNode(_Placed):
    """A map; keys may repeat here, so that the repetition can be reported."""

    entries: tuple[tuple[TextNode, Node], ...]
    position: Position

    def __iter__(self) -> Iterator[tuple[TextNode, Node]]:
        return iter(self.entries)

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands between the brackets."""
        return not self.entries

    def texts(self) -> Sequence[str] | None:
        """Return keys and values in turn; None where a value is no text."""
        texts: list[str] = []
        for key, value in self.entries:
            if not isinstance(value, TextNode):
                return None
            texts += key.text, value.text
        return texts


class FlatMapNode(MapNode):
    """
    A map of plain texts on one line: ``{ok: 0.6, fail: 0.4}``, spaced like this.

    A large file has one for each action, of which mostly only the texts matter: its
    entries are made where they are asked for.
    """

    __slots__ = ("_made", "_written")
    is_empty = False

    def __init__(self, written: str, position: Position) -> None:
        self._written = written
        self._made: tuple[tuple[TextNode, Node], ...] | None = None
        self.position = position

    @property
    def entries(self) -> tuple[tuple[TextNode, Node], ...]:  # type: ignore[override]
        """The keys with their values."""
        if self._made is None:
            self._made = self._entries()
        return self._made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MapNode):
            return NotImplemented
        return (self.entries, self.position) == (other.entries, other.position)

    __hash__ = None  # type: ignore[assignment]

    def texts(self) -> Sequence[str]:
        """Return keys and values in turn."""
        return _texts_in(self._written)

    def _entries(self) -> tuple[tuple[TextNode, Node], ...]:
        source, line, column, sheet = self.position
        entries: list[tuple[TextNode, Node]] = []
        column += 1  # past the bracket
        for pair in self._written[1:-1].split(", "):
            key, _, value = pair.partition(": ")
            after = column + len(key) + 2
            name = TextNode(key, (source, line, column, sheet), False, True)  # noqa: FBT003
            text = TextNode(value, (source, line, after, sheet), False, True)  # noqa: FBT003
            entries.append((name, text))
            column = after + len(value) + 2
        return tuple(entries)


# A large file has few such maps that it does not repeat.
@lru_cache(maxsize=10_000)
def _texts_in(written: str) -> tuple[str, ...]:
    return tuple(written[1:-1].replace(", ", ": ").split(": "))


Node = TextNode | ListNode | MapNode
