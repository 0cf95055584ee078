"""YAML text to nodes: every scalar stays text, and nothing in it can run or explode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from branchwise.errors import FormatError, Issue, Path, did_you_mean
from branchwise.formats.file_limits import DEEPEST
from branchwise.formats.nodes import (
    ListNode,
    MapNode,
    Node,
    TextNode,
    issue_at,
)
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, line_at
from branchwise.formats.yaml_errors import syntax_issue

__all__ = ["yaml_nodes"]

_MOST_ALIASED_NODES = 1_000_000
_TAG = re.compile(r"!\S*")
_LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)


def yaml_nodes(text: str, source: str) -> tuple[Node, list[Issue]]:
    """
    Read YAML text as nodes; what is wrong but can be read past comes as issues.

    Examples
    --------
    >>> root, issues = yaml_nodes("answers: [yes, 012]", "oil.yaml")
    >>> [answer.text for answer in root.entries[0][1].items]
    ['yes', '012']
    """
    reader = _Reader(text, source)
    try:
        for event in _events(text, source):
            reader.take(event)
    except FormatError as error:
        raise FormatError([*reader.issues, *error.issues]) from None
    root = reader.root or TextNode("", Place(source, 1, 1))
    return root, reader.issues


def _events(text: str, source: str) -> Iterator[yaml.Event]:
    # Events are as far as PyYAML takes part: its composer overflows the stack on
    # deep input, and its constructor turns `no` into a boolean.
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except (yaml.YAMLError, ValueError) as error:
        raise FormatError([syntax_issue(error, text, source)]) from None


@dataclass(slots=True)
class _Open:
    """A list or map whose end has not come yet."""

    event: yaml.CollectionStartEvent
    place: Place
    children: list[Node] = field(default_factory=list)
    size: int = 1
    height: int = 1

    @property
    def is_map(self) -> bool:
        return isinstance(self.event, yaml.MappingStartEvent)

    @property
    def step(self) -> str | int | None:
        """The key or index of the child that comes next."""
        if not self.is_map:
            return len(self.children)
        last = self.children[-1] if len(self.children) % 2 else None
        return last.text if isinstance(last, TextNode) else None


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    size: int
    height: int


class _Reader:
    """Builds nodes from events in one pass, with a stack instead of recursion."""

    def __init__(self, text: str, source: str) -> None:
        self.root: Node | None = None
        self.issues: list[Issue] = []
        self._text = text
        self._source = source
        self._open: list[_Open] = []
        self._anchors: dict[str, _Anchored] = {}
        self._num_aliased = 0

    def take(self, event: yaml.Event) -> None:
        match event:
            case yaml.ScalarEvent():
                self._check_tag(event)
                self._finish(event, _Anchored(self._scalar(event), 1, 0))
            case yaml.AliasEvent():
                self._finish(event, self._aliased(event))
            case yaml.CollectionStartEvent():
                self._check_tag(event)
                self._check_depth(event, height=1)
                self._open.append(_Open(event, self._place(event)))
            case yaml.CollectionEndEvent():
                self._close()
            case yaml.DocumentStartEvent() if self.root is not None:
                what = "a second document starts here; a problem file holds one"
                raise self._refuse(event, what, "move it into a file of its own")

    def _scalar(self, event: yaml.ScalarEvent) -> TextNode:
        start, end = event.start_mark, event.end_mark
        assert start is not None
        assert end is not None
        is_quoted = event.style not in {None, ""}
        length = len(event.value) + 2 * is_quoted
        return TextNode(
            event.value,
            self._place(event),
            is_quoted=is_quoted,
            is_verbatim=start.line == end.line and end.index - start.index == length,
        )

    def _close(self) -> None:
        done = self._open.pop()
        node = self._map(done) if done.is_map else self._list(done)
        self._finish(done.event, _Anchored(node, done.size, done.height))

    def _list(self, done: _Open) -> ListNode:
        return ListNode(tuple(done.children), done.place)

    def _map(self, done: _Open) -> MapNode:
        entries = []
        for key, value in zip(done.children[::2], done.children[1::2], strict=True):
            if isinstance(key, TextNode):
                entries.append((key, value))
                continue
            kind = "list" if isinstance(key, ListNode) else "map"
            what = f"a {kind} stands where a key belongs"
            fix = "write a name there, in quotes if it starts with `[` or `{`"
            self.issues.append(issue_at(key.place, self._path(), what, fix))
        return MapNode(tuple(entries), done.place)

    def _finish(self, event: yaml.NodeEvent, done: _Anchored) -> None:
        if event.anchor is not None and not isinstance(event, yaml.AliasEvent):
            self._anchors[event.anchor] = done
        if not self._open:
            self.root = done.node
            return
        parent = self._open[-1]
        parent.children.append(done.node)
        parent.size += done.size
        parent.height = max(parent.height, done.height + 1)

    def _aliased(self, event: yaml.AliasEvent) -> _Anchored:
        name = str(event.anchor)
        if any(opened.event.anchor == name for opened in self._open):
            what = f"`*{name}` stands inside `&{name}` itself, and so has no end"
            raise self._refuse(event, what, f"replace `*{name}` by what it stands for")
        anchored = self._anchors.get(name)
        if anchored is None:
            known = list(self._anchors)
            what = f"`*{name}` refers to no `&{name}` above{did_you_mean(name, known)}"
            fix = f"write `&{name}` before the first use, or put `*{name}` in quotes"
            raise self._refuse(event, what, fix)
        self._num_aliased += anchored.size
        if self._num_aliased > _MOST_ALIASED_NODES:
            what = f"written out, the aliases give over {_MOST_ALIASED_NODES:,} values"
            raise self._refuse(event, what, "use fewer aliases (`*name`)")
        self._check_depth(event, anchored.height)
        return anchored

    def _check_depth(self, event: yaml.Event, height: int) -> None:
        if len(self._open) + height > DEEPEST:
            what = f"nested more than {DEEPEST} levels deep"
            raise self._refuse(
                event, what, "remove the surplus brackets or indentation"
            )

    def _check_tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.tag is None:
            return
        found = _TAG.search(self._text, _index(event))
        written = found[0] if found else event.tag
        what = f"{excerpt(written)} is a tag, and this format has none"
        fix = f"remove {excerpt(written)}; what starts with `!` as a name needs quotes"
        self.issues.append(issue_at(self._place(event), self._path(), what, fix))

    def _path(self) -> Path:
        steps = (opened.step for opened in self._open)
        return tuple(step for step in steps if step is not None)

    def _place(self, event: yaml.Event) -> Place:
        mark = event.start_mark
        assert mark is not None
        return Place(self._source, mark.line + 1, mark.column + 1)

    def _refuse(self, event: yaml.Event, what: str, fix: str) -> FormatError:
        line = line_at(self._text, _index(event))
        path = self._path()[:10]  # A path as deep as the nesting helps nobody.
        issue = issue_at(self._place(event), path, f"{what}: {excerpt(line)}", fix)
        return FormatError([issue])


def _index(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.index
