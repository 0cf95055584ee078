"""From an issue about a problem back to the place in the file it came from."""

from __future__ import annotations

from dataclasses import replace

from branchwise.errors import Issue, Path
from branchwise.formats.document.conditions import CONDITION_KEYS, place_of_name
from branchwise.formats.document.nodes import (
    ListNode,
    MapNode,
    Node,
    TextNode,
    issue_at,
)
from branchwise.formats.document.place import Place

__all__ = ["Places"]

_Entry = tuple[TextNode | None, Node]


class Places:
    """Finds the place of any part of a document by its path."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._entries: dict[int, dict[str | int, _Entry]] = {}

    def located(self, issue: Issue) -> Issue:
        """Return where in the file an issue is."""
        place = self.place(issue.path, issue.culprit)
        return replace(issue, where=issue_at(place, issue.path, "", "").where)

    def place(self, path: Path, culprit: str = "") -> Place:
        """Return the place of the culprit, or of the nearest part that is there."""
        key, node = self._nearest(path)
        if path and path[-1] in CONDITION_KEYS:
            named = place_of_name(node, culprit)
            if named is not None:
                return named
        if key is None:
            return node.place
        # Where a value spans lines, its key is what the eye looks for.
        is_text = isinstance(node, TextNode) and not node.is_nothing
        return node.place if is_text and key.text != culprit else key.place

    def _nearest(self, path: Path) -> _Entry:
        found: _Entry = None, self._root
        for step in path:
            inside = self._inside(found[1]).get(step)
            if inside is None:
                break
            found = inside
        return found

    def _inside(self, node: Node) -> dict[str | int, _Entry]:
        if id(node) not in self._entries:
            entries: dict[str | int, _Entry] = {}
            if isinstance(node, MapNode):
                for key, value in node:
                    entries.setdefault(key.text, (key, value))
            elif isinstance(node, ListNode):
                entries = {index: (None, item) for index, item in enumerate(node.items)}
            self._entries[id(node)] = entries
        return self._entries[id(node)]
