"""Spans: which characters of a text hold which part of a document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import yaml

from branchwise.errors import FormatError, Path
from branchwise.formats.file_limits import DEEPEST, MOST_EVENTS
from branchwise.formats.place import Place
from branchwise.formats.source_text import refuse

_LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)
_BLOCK_SCALARS: Final = ("|", ">")
_ANCHOR: Final = re.compile(r"&\S+\s+")


@dataclass(slots=True)
class Span:
    """
    A part of a document, and the characters that hold it.

    Parameters
    ----------
    kind
        What it is; an alias stands for a part that is written elsewhere.
    start, end
        Its first character, and the one after its last: without the line's comment, and
        without the anchor before it.
    text
        Of a text, without quotes and as one line; of an alias its name.
    is_flow
        Whether it stands in braces or brackets, or is a text.
    is_quoted
        Whether a text stands in quotes.
    entries, items
        What is in a map, and in a list.
    anchor
        What aliases call this part; empty where there is none.
    begin
        Its first character, or that of its anchor.
    target
        Of an alias, the part that it stands for.
    """

    kind: Literal["text", "map", "list", "alias"]
    start: int
    end: int
    text: str = ""
    is_flow: bool = True
    is_quoted: bool = False
    entries: list[tuple[Span, Span]] = field(default_factory=list)
    items: list[Span] = field(default_factory=list)
    anchor: str = ""
    begin: int = 0
    target: Span | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether this is a value left out, or an empty map or list."""
        if self.kind == "text":
            return not self.is_quoted and self.text in {"", "~", "null", "Null", "NULL"}
        return self.kind != "alias" and not (self.entries or self.items)

    def child(self, step: str | int) -> Span | None:
        """Return what is called so in a map, or has this number in a list."""
        if self.kind == "list":
            is_there = isinstance(step, int) and 0 <= step < len(self.items)
            return self.items[step] if is_there else None  # type: ignore[index]
        entry = self.entry(step)
        return None if entry is None else entry[1]

    def entry(self, key: str | int) -> tuple[Span, Span] | None:
        """Return the key and the value of this name."""
        return next((each for each in self.entries if each[0].text == key), None)

    def plain(self) -> Any:
        """Return it as plain data, a map as a list of pairs: keys may repeat."""
        if self.kind == "list":
            return [item.plain() for item in self.items]
        if self.kind == "map":
            return {"entries": [[k.text, v.plain()] for k, v in self.entries]}
        return {"alias": self.text} if self.kind == "alias" else self.text

    def at(self, path: Path) -> Span | None:
        """Return the part at a path; None where there is none."""
        found: Span | None = self
        for step in path:
            found = None if found is None else found.child(step)
        return found

    def shown(self, path: Path) -> tuple[int, int]:
        """Return the characters to point at for a path: of a large part, its name."""
        key, found = None, self
        for step in path:
            child = found.child(step)
            if child is None:
                break
            entry = found.entry(step)
            key, found = entry and entry[0], child
        is_small = found.kind == "text" and found.end > found.start
        shown = found if is_small or key is None else key
        return (shown.start, shown.end) if shown is not self else (0, 0)


def spans_of(text: str) -> Span | None:
    """
    Return what is where in a YAML or JSON text; None where it holds nothing.

    Examples
    --------
    >>> text = "budget: 6 # days"
    >>> span = spans_of(text).at(("budget",))
    >>> text[span.start : span.end]
    '6'
    """
    reader = _Reader(text)
    try:
        for number, event in enumerate(yaml.parse(text, Loader=_LOADER)):
            if number > MOST_EVENTS or len(reader.open) > DEEPEST:
                raise _unreadable()
            reader.take(event)
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise _unreadable() from None
    return reader.root


def _unreadable() -> FormatError:
    what, fix = "the text cannot be taken apart", "put it right in the text first"
    return refuse(Place("text"), what, fix)


class _Reader:
    """Builds spans from events, with a stack instead of recursion."""

    def __init__(self, text: str) -> None:
        self.root: Span | None = None
        self.open: list[tuple[Span, list[Span]]] = []
        self._text = text
        self._anchors: set[str] = set()
        self._known: dict[str, Span] = {}
        # A byte order mark is no character to the parser.
        self._shift = 1 if text.startswith("\ufeff") else 0

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise _unreadable()
        elif anchor := getattr(event, "anchor", None):
            self._anchors.add(anchor)
        if isinstance(event, yaml.ScalarEvent):
            self._add(self._scalar(event), self._marks(event)[0])
        elif isinstance(event, yaml.AliasEvent):
            start, end = self._marks(event)
            target = self._known.get(str(event.anchor))
            alias = Span("alias", start, end, str(event.anchor), target=target)
            self._add(alias, start)
        elif isinstance(event, yaml.CollectionStartEvent):
            kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
            start, end = self._marks(event)
            inside = self._inside(event, start, end)
            span = Span(kind, inside, end, is_flow=bool(event.flow_style))  # type: ignore[arg-type]
            span.anchor, span.begin = str(event.anchor or ""), start
            self.open.append((span, []))
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)

    def _marks(self, event: yaml.Event) -> tuple[int, int]:
        start, end = event.start_mark, event.end_mark
        assert start is not None
        assert end is not None
        return start.index + self._shift, end.index + self._shift

    def _inside(self, event: yaml.NodeEvent, start: int, end: int) -> int:
        """Return where a part begins without its anchor."""
        anchor = _ANCHOR.match(self._text, start, end) if event.anchor else None
        return anchor.end() if anchor else start

    def _scalar(self, event: yaml.ScalarEvent) -> Span:
        start, end = self._marks(event)
        start = self._inside(event, start, end)
        if event.style in _BLOCK_SCALARS:
            end = start + len(self._text[start:end].rstrip())
        if not event.value and event.style is None:
            end = start
        span = Span("text", start, end, event.value, is_quoted=event.style is not None)
        span.anchor = str(event.anchor or "")
        return span

    def _close(self, event: yaml.Event) -> None:
        span, children = self.open.pop()
        if span.kind == "map":
            pairs = zip(children[::2], children[1::2], strict=True)
            span.entries = list(pairs)
        else:
            span.items = children
        if span.is_flow:
            span.end = self._marks(event)[1]
        elif children:
            # The parser ends a block where the next one begins, past all comments.
            span.start = min(span.start, children[0].start)
            span.end = max(child.end for child in children)
        self._add(span, span.begin)

    def _add(self, span: Span, begin: int) -> None:
        span.begin = begin
        if span.anchor:
            self._known[span.anchor] = span
        if self.open:
            self.open[-1][1].append(span)
        elif self.root is None:
            self.root = span
