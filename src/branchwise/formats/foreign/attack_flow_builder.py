"""Files of Attack Flow Builder (`.afb`) to nodes of a document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from branchwise.errors import Issue
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.foreign.flow import Flow, Kind, Link, Step, flow_document
from branchwise.formats.foreign.parts import field, fields_of, items_of, text_of
from branchwise.formats.source_text import excerpt, refuse

_SCHEMA: Final = "attack_flow_v2"
_KINDS: Final[dict[str, Kind]] = {
    "action": "action",
    "condition": "condition",
    "AND_operator": "AND",
    "OR_operator": "OR",
}
_NAMES: Final = {"action": "name", "condition": "description"}
_FALSE_SIDE: Final = "branch:False"


def document_nodes(root: Node, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a drawing of a flow as a document; the issues say what was assumed."""
    said = fields_of(root, "the file")
    schema = text_of(said["schema"], "`schema`")
    if schema != _SCHEMA:
        what = f"the schema is {excerpt(schema)}, and only `{_SCHEMA}` is read"
        raise refuse(said["schema"].place, what, "open and save it in the builder")
    return flow_document(_Reading(said["objects"]).flow(source))


class _Reading:
    """Gathers the objects of a drawing."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._objects: dict[str, tuple[str, dict[str, Node], Node]] = {}
        for each in items_of(node, "the objects"):
            said = fields_of(each, "an object")
            kind = text_of(field(said, each, "id", "an object"), "`id`")
            key = text_of(field(said, each, "instance", "an object"), "`instance`")
            self._objects[key] = kind, said, each

    def flow(self, source: str) -> Flow:
        """Return what was gathered."""
        steps: dict[str, Step] = {}
        name, num_others = Path(source).stem, 0
        for key, (kind, said, node) in self._objects.items():
            if kind in _KINDS:
                called = _property(said, _NAMES.get(kind, "operator")) or kind
                steps[key] = Step(_KINDS[kind], called, node.place, {})
            elif kind == "flow":
                name = _property(said, "name") or name
            elif "anchors" in said:
                num_others += 1
        links = list(self._links())
        return Flow(name, self._node.place, steps, links, {}, num_others)

    def _links(self) -> Iterator[Link]:
        ends = dict(self._latches())
        for kind, said, node in self._objects.values():
            if kind != "dynamic_line":
                continue
            latches = (field(said, node, key, "a line") for key in ("source", "target"))
            start, end = (ends.get(text_of(each, "a latch")) for each in latches)
            if start is not None and end is not None:
                yield Link(start[0], end[0], start[1] != _FALSE_SIDE)

    def _latches(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield where each end of a line is latched: at what, and on which side."""
        for key, (_, said, _) in self._objects.items():
            if "anchors" not in said:
                continue
            for side, anchor in fields_of(said["anchors"], "the anchors").items():
                found = self._objects.get(text_of(anchor, "an anchor"))
                if found is None or "latches" not in found[1]:
                    continue
                for latch in items_of(found[1]["latches"], "the latches"):
                    yield text_of(latch, "a latch"), (key, side)


def _property(said: dict[str, Node], name: str) -> str:
    """Return the text of a property; they are pairs in a list."""
    if "properties" not in said:
        return ""
    for pair in items_of(said["properties"], "the properties"):
        key, *values = pair.items if isinstance(pair, ListNode) else (pair,)
        if isinstance(key, TextNode) and key.text == name and values:
            return values[0].text if isinstance(values[0], TextNode) else ""
    return ""
