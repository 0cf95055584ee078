"""Moves: changing the order of what stands in a map or a list."""

from __future__ import annotations

from typing import Any

from branchwise.errors import FormatError, Path
from branchwise.studio.text.edits import Splice, missing, refused
from branchwise.studio.text.spans import Span, spans_of

Piece = tuple[int, int]
"""The first character of what moves together, and the one after its last."""


def move(text: str, path: Path, number: int) -> Splice:
    r"""
    Return how to let a part of a map or a list stand at another place in it.

    Comments on its lines and directly above it go with it.

    >>> text = "a: 1 # one\n# the second\nb: 2\n\nc: {x: 1, y: 2}\n"
    >>> move(text, ("b",), 0).apply(text)
    '# the second\nb: 2\na: 1 # one\n\nc: {x: 1, y: 2}\n'
    >>> move(text, ("c", "y"), 0).apply(text)
    'a: 1 # one\n# the second\nb: 2\n\nc: {y: 2, x: 1}\n'
    """
    root = spans_of(text)
    parent = root.at(path[:-1]) if root and path else None
    if root is None or parent is None or parent.child(path[-1]) is None:
        raise missing(path)
    pieces = _pieces(text, parent)
    old = _number_of(parent, path[-1])
    if not 0 <= number < len(pieces):
        raise missing((*path[:-1], number))
    order = [*range(len(pieces))]
    order.insert(number, order.pop(old))
    splice = _splice(text, pieces, order)
    try:
        after = spans_of(splice.apply(text))
    except FormatError:
        raise refused() from None
    if after is None or after.plain() != _ordered(root.plain(), path[:-1], order):
        raise refused()
    return splice


def _number_of(parent: Span, step: str | int) -> int:
    if parent.kind == "list":
        return int(step)
    return [key.text for key, _ in parent.entries].index(str(step))


def _pieces(text: str, parent: Span) -> list[Piece]:
    """Return what moves together; what stands between stays where it is."""
    parts = [(item.begin, item.end) for item in parent.items]
    parts += [(key.begin, max(v.end, key.end + 1)) for key, v in parent.entries]
    if parent.is_flow:
        return parts
    return [_lines(text, start, end) for start, end in parts]


def _lines(text: str, start: int, end: int) -> Piece:
    """Return the whole lines of a part, with comments directly above it."""
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip(" -\ufeff"):
        raise refused()
    stop = text.find("\n", end)
    while line > 0:
        above = text.rfind("\n", 0, line - 1) + 1
        if not text[above:line].lstrip().startswith("#"):
            break
        line = above
    stop = len(text) if stop < 0 else stop
    return line, stop - 1 if text[stop - 1 : stop] == "\r" else stop


def _splice(text: str, pieces: list[Piece], order: list[int]) -> Splice:
    start, end = pieces[0][0], pieces[-1][1]
    new = ""
    for place, number in enumerate(order):
        if place:
            new += text[pieces[place - 1][1] : pieces[place][0]]
        new += text[slice(*pieces[number])]
    return Splice(start, end, new)


def _ordered(data: Any, path: Path, order: list[int]) -> Any:
    """Return plain data in which the parts at a path stand in another order."""
    if path:
        step, *rest = path
        if isinstance(data, list):
            inside = [*data]
            inside[int(step)] = _ordered(data[int(step)], tuple(rest), order)
            return inside
        return {
            "entries": [
                [key, _ordered(value, tuple(rest), order) if key == step else value]
                for key, value in data["entries"]
            ]
        }
    if isinstance(data, list):
        return [data[number] for number in order]
    return {"entries": [data["entries"][number] for number in order]}
