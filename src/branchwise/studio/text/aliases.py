"""Aliases: parts that are written once and stand in several places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from branchwise.errors import Path
from branchwise.formats.file_limits import DEEPEST
from branchwise.studio.text.edits import Editor, Splice, refused
from branchwise.studio.text.spans import Span, spans_of
from branchwise.studio.text.spelling import Value

_LARGEST_COPY: Final = 10_000
"""How many parts of a document an alias may stand for where it is written out."""


def written_out(text: str, path: Path) -> Iterator[Splice]:
    """
    Return how to write out every alias that leads to a part of a document.

    Afterwards the part can be changed, and nothing else is changed with it.

    >>> text = "{a: &x {cost: 1, in: &y {b: 2}}, c: *x, d: {in: *y}}"
    >>> for splice in written_out(text, ("c", "in", "b")):
    ...     text = splice.apply(text)
    >>> text
    '{a: &x {cost: 1, in: &y {b: 2}}, c: {cost: 1, in: {b: 2}}, d: {in: *y}}'
    """
    # An alias begins with a star, and large documents have none.
    root = spans_of(text) if "*" in text else None
    for depth in range(1, len(path)):
        found = root.at(path[:depth]) if root else None
        if found is not None and found.kind == "alias":
            yield (splice := _written_out(text, path[:depth], found))
            text = splice.apply(text)
            root = spans_of(text)


def let_go(text: str, path: Path) -> Iterator[Splice]:
    """Return how to write out every alias of what stands in a part of a document."""
    root = spans_of(text)
    part = root.at(path) if root else None
    if root is None or part is None:
        return
    inside = {id(span) for _, span in parts_of(part) if span.anchor}
    outside = [
        (place, span)
        for place, span in parts_of(root)
        if span.kind == "alias"
        and id(span.target) in inside
        and place[: len(path)] != path
    ]
    for place, span in reversed(outside):
        yield (splice := _written_out(text, place, span))
        text = splice.apply(text)


def shared_parts(root: Span) -> list[dict[str, Any]]:
    """Return where each alias stands, and where what it stands for is written."""
    written = {id(span): place for place, span in parts_of(root) if span.anchor}
    return [
        {
            "path": list(place),
            "name": span.text,
            "of": list(written[id(span.target)]),
        }
        for place, span in parts_of(root)
        if span.kind == "alias" and id(span.target) in written
    ]


def parts_of(span: Span, path: Path = ()) -> Iterator[tuple[Path, Span]]:
    """Return every part of a document with its path, in the order of the text."""
    yield path, span
    for key, value in span.entries:
        yield from parts_of(value, (*path, key.text))
    for number, item in enumerate(span.items):
        yield from parts_of(item, (*path, number))


def _written_out(text: str, path: Path, alias: Span) -> Splice:
    """Return how to put what an alias stands for in its place."""
    if alias.target is None:
        raise refused()
    splice = Editor(text, is_json=False).replaced(path, _Copy().of(alias.target))
    after = spans_of(splice.apply(text))
    copy = after.at(path) if after else None
    if copy is None or copy.plain() != _plain(alias.target):
        raise refused()
    return splice


def _plain(span: Span) -> Any:
    """Return a part as plain data, with all that aliases in it stand for."""
    if span.kind == "alias" and span.target is not None:
        return _plain(span.target)
    if span.kind == "list":
        return [_plain(item) for item in span.items]
    if span.kind == "map":
        return {"entries": [[key.text, _plain(value)] for key, value in span.entries]}
    return span.plain()


class _Copy:
    """Copies a part, up to a size."""

    def __init__(self) -> None:
        self._left = _LARGEST_COPY

    def of(self, span: Span, depth: int = 0) -> Value:
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            raise refused()
        if span.kind == "alias":
            if span.target is None:
                raise refused()
            return self.of(span.target, depth + 1)
        if span.kind == "list":
            return [self.of(item, depth + 1) for item in span.items]
        if span.kind == "map":
            entries = span.entries
            return {key.text: self.of(value, depth + 1) for key, value in entries}
        return span.text
