"""YAML text to nodes: every scalar stays text, and nothing in it can run or explode."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import yaml

from branchwise.errors import FormatError, Issue, Path, did_you_mean
from branchwise.formats.document.actions import EXAMPLE
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.syntax.yaml_errors import syntax_issue
from branchwise.formats.document.syntax.yaml_lines import MANY, is_odd
from branchwise.formats.file_limits import DEEPEST, MOST_ALIASED, MOST_EVENTS, STRETCH
from branchwise.formats.place import Place, issue_at
from branchwise.formats.source_text import excerpt, line_at

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
        reader.take(_events(text, source))
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
    is_map: bool
    children: list[Node] = field(default_factory=list)

    @property
    def step(self) -> str | int | None:
        """The key or index of the child that comes next."""
        if not self.is_map:
            return len(self.children)
        last = self.children[-1] if len(self.children) % 2 else None
        return last.text if isinstance(last, TextNode) else None


class _Extent(NamedTuple):
    """How many nodes there are in one, and how many levels of them."""

    size: int
    height: int


_LEAF: Final = _Extent(1, 0)


class _Reader:
    """Builds nodes from events in one pass, with a stack instead of recursion."""

    def __init__(self, text: str, source: str) -> None:
        self.root: Node | None = None
        self.issues: list[Issue] = []
        self._text = text
        self._source = source
        self._open: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._extents: dict[int, _Extent] = {}
        self._texts: dict[str, str] = {}
        self._num_aliased = 0

    def take(self, events: Iterable[yaml.Event]) -> None:
        """Build the root from the events of a document."""
        opened = self._open
        for count, event in enumerate(events):
            if count % STRETCH == 0 and count:
                self._check_sense(event, count)
            # Most events are scalars, and the kinds have no kinds of their own.
            if isinstance(event, yaml.ScalarEvent):
                done: Node = self._scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._begin(event)
                continue
            elif isinstance(event, yaml.CollectionEndEvent):
                done = self._close()
            elif isinstance(event, yaml.AliasEvent):
                done = self._aliased(event)
            else:
                self._check_document(event)
                continue
            if opened:
                opened[-1].children.append(done)
            else:
                self.root = done

    def _check_sense(self, event: yaml.Event, count: int) -> None:
        """Refuse a long file soon where it has gone on for long without a meaning."""
        if count >= MOST_EVENTS:
            what = f"there are more than {MOST_EVENTS:,} values and brackets"
            raise self._refuse(event, what, "split the problem")
        if self._is_odd():
            what = f"{count:,} values and brackets, and this still stands where it "
            what += "does not belong"
            raise self._refuse(event, what, f"write for example `{EXAMPLE}`")

    def _is_odd(self) -> bool:
        if self._open and not self._open[0].is_map:
            return True
        if len(self._open) < 2:
            return False
        root, part = self._open[:2]
        return is_odd(str(root.step), part.is_map, part.children[1 : 2 * MANY : 2])

    def _check_document(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            what = "a second document starts here; a problem file holds one"
            raise self._refuse(event, what, "move it into a file of its own")

    def _scalar(self, event: yaml.ScalarEvent) -> TextNode:
        if event.tag is not None:
            self._note_tag(event)
        start, end, text = event.start_mark, event.end_mark, event.value
        assert start is not None
        assert end is not None
        is_quoted = bool(event.style)
        line = start.line
        length = len(text) + 2 if is_quoted else len(text)
        node = TextNode(
            self._texts.setdefault(text, text),  # Labels and numbers come up often.
            (self._source, line + 1, start.column + 1, None),
            is_quoted,
            line == end.line and end.index - start.index == length,
        )
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        if event.tag is not None:
            self._note_tag(event)
        self._check_depth(event, height=1)
        is_map = isinstance(event, yaml.MappingStartEvent)
        self._open.append(_Open(event, self._place(event), is_map))

    def _close(self) -> Node:
        done = self._open.pop()
        node = self._map(done) if done.is_map else self._list(done)
        if done.event.anchor is not None:
            self._anchors[done.event.anchor] = node
        return node

    def _list(self, done: _Open) -> ListNode:
        return ListNode(tuple(done.children), done.place)

    def _map(self, done: _Open) -> MapNode:
        entries = []
        children = iter(done.children)
        for key, value in zip(children, children, strict=True):
            if isinstance(key, TextNode):
                entries.append((key, value))
                continue
            kind = "list" if isinstance(key, ListNode) else "map"
            what = f"a {kind} stands where a key belongs"
            fix = "write a name there, in quotes if it starts with `[` or `{`"
            self.issues.append(issue_at(key.place, self._path(), what, fix))
        return MapNode(tuple(entries), done.place)

    def _aliased(self, event: yaml.AliasEvent) -> Node:
        name = str(event.anchor)
        if any(opened.event.anchor == name for opened in self._open):
            what = f"{excerpt(f'*{name}')} stands inside {excerpt(f'&{name}')} itself"
            fix = f"replace {excerpt(f'*{name}')} by what it stands for"
            raise self._refuse(event, f"{what}, and so has no end", fix)
        node = self._anchors.get(name)
        if node is None:
            alias, anchor = excerpt(f"*{name}"), excerpt(f"&{name}")
            near = did_you_mean(name, list(self._anchors))
            what = f"{alias} refers to no {anchor} above{near}"
            fix = f"write {anchor} before the first use, or put {alias} in quotes"
            raise self._refuse(event, what, fix)
        extent = self._extent(node)
        self._num_aliased += extent.size
        if self._num_aliased > MOST_ALIASED:
            what = f"written out, the aliases give over {MOST_ALIASED:,} values"
            raise self._refuse(event, what, "use fewer aliases (`*name`)")
        self._check_depth(event, extent.height)
        return node

    def _extent(self, node: Node) -> _Extent:
        """Measure what an alias stands for; each part once, however often used."""
        if isinstance(node, TextNode):
            return _LEAF
        if id(node) not in self._extents:
            inside = (
                [part for entry in node for part in entry]
                if isinstance(node, MapNode)
                else node.items
            )
            extents = [self._extent(part) for part in inside]
            self._extents[id(node)] = _Extent(
                1 + sum(each.size for each in extents),
                1 + max((each.height for each in extents), default=0),
            )
        return self._extents[id(node)]

    def _check_depth(self, event: yaml.Event, height: int) -> None:
        if len(self._open) + height > DEEPEST:
            what = f"nested more than {DEEPEST} levels deep"
            raise self._refuse(
                event, what, "remove the surplus brackets or indentation"
            )

    def _note_tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        found = _TAG.search(self._text, _index(event))
        written = found[0] if found else str(event.tag)
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
        path = self._path()[:10]  # A path as deep as the nesting helps no reader.
        issue = issue_at(self._place(event), path, f"{what}: {excerpt(line)}", fix)
        return FormatError([issue])


def _index(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.index
