"""A document before it means anything: text, lists and maps that know their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from branchwise.errors import Issue, Path, printable
from branchwise.formats.document.place import Place

__all__ = ["ListNode", "MapNode", "Node", "Place", "TextNode", "issue_at"]


# Not frozen, as places are not: a large file has a million nodes.
@dataclass(slots=True)
class TextNode:
    """
    A piece of text; whether it is a number or a name depends on where it stands.

    Parameters
    ----------
    text
        The text, unquoted.
    place
        Where it starts.
    is_quoted
        Whether it was written in quotes. An unquoted empty text, ``~`` or ``null``
        stands for nothing at all.
    is_verbatim
        Whether the file holds the text on one line just as it is here, so that its
        characters have columns.
    """

    text: str
    place: Place
    is_quoted: bool = False
    is_verbatim: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether this stands for a value left out."""
        return not self.is_quoted and self.text in {"", "~", "null", "Null", "NULL"}

    def place_at(self, offset: int) -> Place:
        """Say where a character of the text stands, as nearly as that is known."""
        if not self.is_verbatim:
            return self.place
        column = self.place.column + self.is_quoted + offset
        return Place(self.place.source, self.place.line, column)


@dataclass(slots=True)
class ListNode:
    """A list."""

    items: tuple[Node, ...]
    place: Place


@dataclass(slots=True)
class MapNode:
    """A map; keys may repeat here, so that the repetition can be reported."""

    entries: tuple[tuple[TextNode, Node], ...]
    place: Place

    def __iter__(self) -> Iterator[tuple[TextNode, Node]]:
        return iter(self.entries)


Node = TextNode | ListNode | MapNode


def issue_at(place: Place, path: Path, what: str, fix: str) -> Issue:
    """Make an issue about one place in a file."""
    where = f"{place} {printable('.'.join(str(step) for step in path))}".rstrip()
    return Issue(where, what, fix, path=path)
