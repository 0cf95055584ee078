"""Text in parentheses to lists of words that know their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from branchwise.formats.file_limits import DEEPEST
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, refuse

_TOKEN: Final = re.compile(r"[()]|[^\s();]+|;[^\n]*|\n")
_MOST_WORDS: Final = 500_000


@dataclass(frozen=True, slots=True)
class Word:
    """A word; upper and lower case are alike."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Group:
    """What stands between two parentheses."""

    parts: tuple[Part, ...]
    place: Place

    @property
    def head(self) -> str:
        """The first word; nothing where there is none."""
        first = self.parts[0] if self.parts else None
        return first.text if isinstance(first, Word) else ""


Part = Word | Group


def groups_of(text: str, source: str) -> list[Group]:
    """
    Return what stands in parentheses at the top; a comment goes from `;` to the end.

    >>> [group] = groups_of("(define (domain Tire)) ; one", "tire.pddl")
    >>> group.head, group.parts[1].parts[1].text
    ('define', 'tire')
    """
    reader = _Reader()
    for count, (token, place) in enumerate(_tokens(text, source)):
        if count == _MOST_WORDS:
            what = f"there are more than {_MOST_WORDS:,} words and parentheses"
            raise refuse(place, what, "take a smaller problem")
        reader.take(token, place)
    return reader.groups()


def _tokens(text: str, source: str) -> Iterator[tuple[str, Place]]:
    """Yield parentheses and words with their places."""
    line, start = 1, 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "\n":
            line, start = line + 1, match.end()
        elif token[0] != ";":
            yield token, Place(source, line, match.start() - start + 1)


class _Reader:
    """Builds groups in one pass, with a stack instead of recursion."""

    def __init__(self) -> None:
        self._found: list[Group] = []
        self._open: list[tuple[Place, list[Part]]] = []

    def take(self, token: str, place: Place) -> None:
        """Read a word or a parenthesis."""
        if token == "(":
            if len(self._open) == DEEPEST:
                what = f"nested more than {DEEPEST} levels deep"
                raise refuse(place, what, "remove the surplus parentheses")
            self._open.append((place, []))
        elif not self._open:
            what = f"{excerpt(token)} stands outside of all parentheses"
            raise refuse(place, what, "write `(define ...)`")
        elif token == ")":
            where, parts = self._open.pop()
            group = Group(tuple(parts), where)
            if self._open:
                self._open[-1][1].append(group)
            else:
                self._found.append(group)
        else:
            self._open[-1][1].append(Word(token.lower(), place))

    def groups(self) -> list[Group]:
        """Return what was read."""
        if self._open:
            place, _ = self._open[-1]
            raise refuse(place, "this parenthesis is never closed", "close it: `)`")
        return self._found


def word_of(part: Part, what: str) -> str:
    """Return a word."""
    if isinstance(part, Group):
        raise refuse(part.place, f"a list stands where {what} belongs", "write a word")
    return part.text


def group_of(part: Part, what: str) -> Group:
    """Return a list."""
    if isinstance(part, Word):
        said = f"{excerpt(part.text)} stands where {what} belongs"
        raise refuse(part.place, said, "put it in parentheses")
    return part
