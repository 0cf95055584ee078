"""A document in the making, whose parts stand in a file of another tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from branchwise.errors import Issue
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.foreign.parts import LONGEST_NAME
from branchwise.formats.place import Place, issue_at
from branchwise.model.conditions.condition import NEVER, Condition
from branchwise.model.numbers.expression import parameter_text
from branchwise.model.numbers.number import number_text

Part = str | int | Fraction | Condition | Mapping[str, "Part"] | Sequence["Part"]
"""What a document says in one place: text, a number, a condition, a map or a list."""

_CHANGE: Final = "convert the file to YAML and change it there"


class Draft:
    """
    A document in the making.

    Every part knows the place in the other tool's file that it comes from, so that
    whatever is found wrong with it later is found there.

    Attributes
    ----------
    issues
        What was assumed, and what was left out: warnings, each with its place.
    """

    def __init__(self, place: Place, name: str = "") -> None:
        self.issues: list[Issue] = []
        self._place = place
        self._fields: dict[str, Part] = {"name": name} if name else {}
        self._parts: dict[str, list[tuple[TextNode, Node]]] = {}
        self._rewards: list[Node] = []
        self._names: set[str] = set()
        self._counts: dict[str, int] = {}

    def say(self, key: str, part: Part) -> None:
        """Give a key of the problem itself its value."""
        if key in ("parameters", "hidden", "counters") and isinstance(part, Mapping):
            for name, each in part.items():
                self._names.add(name)
                self._add(key, name, each, self._place)
            return
        self._fields[key] = part

    def free_name(self, wish: str) -> str:
        """Return a name that nothing has yet: this one, or with a number behind it."""
        name = wish = " ".join(wish.split())[:LONGEST_NAME] or "unnamed"
        while name in self._names:
            self._counts[wish] = self._counts.get(wish, 1) + 1
            name = f"{wish} ({self._counts[wish]})"
        self._names.add(name)
        return name

    def parameter(self, wish: str, value: Part, place: Place) -> str:
        """Name a number; return how expressions write the name."""
        name = self.free_name(wish)
        self._add("parameters", name, value, place)
        return parameter_text(name)

    def counter(self, name: str, range_: str, start: int, place: Place) -> None:
        """Add a counter."""
        self._add("counters", name, {"range": range_, "start": start}, place)

    def action(self, name: str, said: Mapping[str, Part], place: Place) -> None:
        """Add an action; what is usual need not be said."""
        self._add("actions", name, said, place)

    def reward(
        self, when: Part, value: Part, place: Place, per: Part | None = None
    ) -> None:
        """Add a reward, or one for each of what a counter counts."""
        said = {"value": value} if per is None else {"per": per, "value": value}
        if when not in (NEVER, ""):
            said = {"when": when, **said}
        self._rewards.append(_node(said, place))

    def assume(self, place: Place, what: str, fix: str = _CHANGE) -> None:
        """Say what the file does not, or what of it is left out."""
        issue = issue_at(place, (), what, fix)
        where = issue.where
        self.issues.append(Issue(where, what, fix, "warning", is_assumption=True))

    @property
    def num_actions(self) -> int:
        """How many actions there are so far."""
        return len(self._parts.get("actions", ()))

    def node(self) -> MapNode:
        """Return the document."""
        place = self._place
        entries = [_entry(key, part, place) for key, part in self._fields.items()]
        for key, named in self._parts.items():
            entries.append((TextNode(key, place), MapNode(tuple(named), place)))
        if self._rewards:
            rewards = ListNode(tuple(self._rewards), place)
            entries.append((TextNode("rewards", place), rewards))
        return MapNode(tuple(entries), place)

    def _add(self, kind: str, name: str, part: Part, place: Place) -> None:
        named = self._parts.setdefault(kind, [])
        named.append((TextNode(name, place), _node(part, place)))


def _entry(key: str, part: Part, place: Place) -> tuple[TextNode, Node]:
    return TextNode(key, place), _node(part, place)


def _node(part: Part, place: Place) -> Node:
    if isinstance(part, str):
        return TextNode(part, place, is_quoted=True)
    if isinstance(part, int | Fraction):
        return TextNode(number_text(Fraction(part)), place)
    if isinstance(part, Condition):
        return TextNode(str(part), place)
    if isinstance(part, Mapping):
        entries = (_entry(key, value, place) for key, value in part.items())
        return MapNode(tuple(entries), place)
    return ListNode(tuple(_node(item, place) for item in part), place)
