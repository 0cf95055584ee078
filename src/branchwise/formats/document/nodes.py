"""A document before it means anything: text, lists and maps that know their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from branchwise.formats.place import Place

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

    def texts(self) -> list[str] | None:
        """Return keys and values in turn; None where a value is no text."""
        texts: list[str] = []
        for key, value in self.entries:
            if not isinstance(value, TextNode):
                return None
            texts += key.text, value.text
        return texts


Node = TextNode | ListNode | MapNode
