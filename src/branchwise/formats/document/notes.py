"""What is found wrong while a document is read, and what could not be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from branchwise.errors import MOST_COUNTED, Issue, Path, did_you_mean
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.place import Place, issue_at
from branchwise.formats.source_text import excerpt
from branchwise.model.numbers.expression import NamedParameter

Entry = tuple[TextNode, Node]
_CELL = re.compile(r"(?:(?P<sheet>.*)!)?(?P<column>[A-Z]+)(?P<row>\d+)")
MOST_ISSUES: Final = 100
"""How many are listed one by one; the others are counted."""


class EnoughIssuesError(Exception):
    """There are so many issues that to read on would help no one."""


class Notes:
    """
    Issues collected along the way, so that the reader hears of all of them.

    Attributes
    ----------
    issues
        What is wrong so far.
    unreadable
        The paths whose meaning is not known because of that.
    condition_size
        How many characters the conditions read so far have.
    num_more
        How many issues there are besides.
    parameters
        The named parameters; None for one whose value stayed unread.
    """

    def __init__(self, issues: Sequence[Issue] = ()) -> None:
        self.issues = list(issues)
        self.unreadable = {issue.path for issue in issues}
        self.num_more = 0
        self.condition_size = 0
        self.parameters: dict[str, NamedParameter | None] = {}

    def add(self, place: Place, path: Path, what: str, fix: str) -> None:
        """Note what is wrong with one part, which thereby stays unread."""
        self._append(issue_at(place, path, what, fix))
        self.unreadable.add(path)

    def _append(self, issue: Issue) -> None:
        if len(self.issues) == MOST_COUNTED:
            raise EnoughIssuesError
        self.issues.append(issue)

    def add_wrong_kind(self, node: Node, path: Path, wanted: str, fix: str) -> None:
        """Note that a list stands where a map belongs, or the like."""
        what = f"{kind_of(node)} stands where {wanted} belongs"
        self.add(node.place, path, what, fix)

    def entries(self, node: MapNode, path: Path, unread: Path = ()) -> Iterator[Entry]:
        """Return a map's entries; of keys that repeat, only the first.

        What stays unread of a repeated one is all of it, or the part given.
        """
        first: dict[str, TextNode] = {}
        for key, value in node:
            if key.text == "<<" and not key.is_quoted:
                self._add_merge_key(key, path)
            elif key.text in first:
                self._add_duplicate(key, first[key.text], path)
                self.unreadable.add((*path, key.text, *unread))
            else:
                first[key.text] = key
                yield key, value

    def catalogue(self, node: Node | None, kind: str, example: str) -> MapNode | None:
        """Return a map from names to actions, or the like; None where there is none."""
        if node is None or isinstance(node, MapNode):
            return node
        words = "hidden facts" if kind == "hidden" else kind
        fix = f"write a map from names to {words}: `{example}`"
        self.add_wrong_kind(node, (kind,), f"a map of {words}", fix)
        return None

    def named_fields(
        self, entry: Entry, path: Path, allowed: Sequence[str], what: str, example: str
    ) -> dict[str, Node]:
        """Return what a map says of a name; None where it says nothing."""
        key, node = entry
        if isinstance(node, MapNode):
            return self.fields(node, path, allowed, what)
        if not (isinstance(node, TextNode) and node.is_nothing):
            fix = f"write {excerpt(key.text)} as `{example}`"
            self.add_wrong_kind(node, path, f"{what} (a map)", fix)
        return {}

    def fields(
        self, node: MapNode, path: Path, allowed: Sequence[str], what: str
    ) -> dict[str, Node]:
        """Return the values a map has for the keys it may have; nothing is left out."""
        found: dict[str, Node] = {}
        for key, value in node.entries:
            if isinstance(value, TextNode) and value.is_nothing:
                break
            if key.text not in allowed:
                break
            found[key.text] = value
        if len(found) == len(node.entries):
            return found  # As nearly always: nothing to say.
        found = {}
        for key, value in self.entries(node, path):
            if key.text not in allowed:
                self._add_unknown(key, path, allowed, what)
            elif not (isinstance(value, TextNode) and value.is_nothing):
                found[key.text] = value
        return found

    def _add_merge_key(self, key: TextNode, path: Path) -> None:
        what = "`<<` would merge another map into this one, which is not done here"
        self.add(key.place, path, what, "write the keys out, and remove the `<<` line")

    def _add_duplicate(self, key: TextNode, first: TextNode, path: Path) -> None:
        where = first.place.line_text
        what = f"the key {excerpt(key.text)} stands here twice, first in {where}"
        fix = "remove one of the two, or give it another name"
        self._append(issue_at(key.place, (*path, key.text), what, fix))

    def _add_unknown(
        self, key: TextNode, path: Path, allowed: Sequence[str], what: str
    ) -> None:
        is_told = len(self.issues) < MOST_ISSUES
        near = did_you_mean(key.text, allowed) if is_told else ""
        keys = ", ".join(f"`{name}`" for name in allowed)
        name = re.search("`(.*)`", near)
        fix = f"write `{name[1]}`" if name else f"remove it; the keys here are {keys}"
        problem = f"{what} has no key {excerpt(key.text)}{near}"
        self._append(issue_at(key.place, (*path, key.text), problem, fix))
        # The value may well belong to the key that was meant.
        self.unreadable.add((*path, name[1]) if name else (*path, key.text))

    def sorted_issues(self, source: str) -> list[Issue]:
        """Return the issues in the order of the file, cut where there are too many."""
        issues = sorted(dict.fromkeys(self.issues), key=_order_in(source))
        surplus = len(issues) - MOST_ISSUES + self.num_more
        if surplus <= 0:
            return issues
        is_cut = issues[0].severity == "error" and surplus + MOST_ISSUES >= MOST_COUNTED
        at_least = "at least " if is_cut else ""
        what = f"there are {at_least}{surplus:,} more issues like these"
        fix = "put right those above, then check again"
        # Warnings come only without errors, so the first tells what all are.
        rest = Issue(source, what, fix, issues[0].severity, stands_for=surplus)
        return [*issues[:MOST_ISSUES], rest]


def kind_of(node: Node) -> str:
    """Name the kind of a node in a message."""
    if isinstance(node, ListNode):
        return "a list"
    if isinstance(node, MapNode):
        return "a map"
    return "nothing" if node.is_nothing else f"the text {excerpt(node.text)}"


def _order_in(source: str) -> Callable[[Issue], tuple[object, ...]]:
    def order(issue: Issue) -> tuple[object, ...]:
        place = issue.where.removeprefix(source).removeprefix(":")
        position = place.split(" ")[0]
        line, _, column = position.partition(":")
        if line.isdecimal() and column.isdecimal():
            return "", int(line), int(column), ""
        cell = _CELL.match(position)
        if cell is None:
            return "", 0, 0, position
        letters = cell["column"]
        return cell["sheet"] or "", int(cell["row"]), len(letters), letters

    return order
