"""Attack Flow 2 in STIX 2.1 (a bundle in JSON) to nodes of a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.errors import Issue
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.foreign.draft import Part
from branchwise.formats.foreign.flow import Flow, Kind, Link, Step, flow_document
from branchwise.formats.foreign.parts import field, fields_of, items_of, one_of, text_of
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, refuse

OWN: Final = "x_branchwise_"
"""What our own properties of STIX objects begin with."""

OWN_OF_FLOW: Final = (
    "parameters", "budget", "hidden", "counters", "combine", "cost_weight", "finish",
    "objective", "unfinished", "defense_budget", "defenses",
)  # fmt: skip
"""What is said so of the flow itself: all of a problem but actions and rewards."""

_OF_ACTION: Final = (
    "cost", "requires", "precluded_by", "attempts", "effects", "outcomes", "distance",
    "sample_size", "given",
)  # fmt: skip
_OF_CONDITION: Final = ("value", "outcome", "when", "per")
_ARROWS: Final = {"effect_refs": True, "on_true_refs": True, "on_false_refs": False}
_KINDS: Final[dict[str, Kind]] = {
    "attack-action": "action",
    "attack-condition": "condition",
}
_FRAME: Final = frozenset(
    {"attack-flow", "extension-definition", "identity", "relationship", "note"}
)


def document_nodes(root: Node, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a bundle with a flow as a document; the issues say what was assumed."""
    bundle = fields_of(root, "the bundle")
    if "flow" in bundle:
        what = "this is Attack Flow 1, and only version 2, in STIX, is read"
        raise refuse(root.place, what, "open it in Attack Flow Builder, and save it")
    kind = text_of(field(bundle, root, "type", "the bundle"), "`type`")
    if kind != "bundle":
        what = f"this is a {excerpt(kind)}, not a bundle of STIX objects"
        raise refuse(root.place, what, "export it from Attack Flow Builder as STIX")
    objects = field(bundle, root, "objects", "the bundle")
    reading = _Reading()
    for node in items_of(objects, "the objects"):
        reading.take(node)
    return flow_document(reading.flow(root.place, source))


class _Reading:
    """Gathers the objects of a bundle."""

    def __init__(self) -> None:
        self._steps: dict[str, Step] = {}
        self._links: list[tuple[Link, Place]] = []
        self._flows: list[tuple[str, Place, dict[str, Part]]] = []
        self._num_others = 0

    def take(self, node: Node) -> None:
        """Read one object."""
        what = "an object"
        said = fields_of(node, what)
        kind = text_of(field(said, node, "type", what), "`type`")
        if kind == "attack-flow":
            name = text_of(field(said, node, "name", what), "a name")
            self._flows.append((name, node.place, _own(said, OWN_OF_FLOW)))
        elif kind in _KINDS or kind == "attack-operator":
            key = text_of(field(said, node, "id", what), "an identifier")
            if key in self._steps:
                problem = f"two objects have the identifier {excerpt(key)}"
                raise refuse(node.place, problem, "remove one of the two")
            self._steps[key] = _step(kind, said, node)
            self._links += _links(key, said)
        elif kind not in _FRAME:
            self._num_others += 1

    def flow(self, place: Place, source: str) -> Flow:
        """Return what was gathered."""
        if len(self._flows) != 1:
            what = f"the bundle has {len(self._flows)} objects `attack-flow`, not one"
            raise refuse(place, what, f"keep one flow in {excerpt(source)}")
        for link, where in self._links:
            is_step = link.end.startswith("attack-") and "asset" not in link.end
            if is_step and link.end not in self._steps:
                what = f"there is no object {excerpt(link.end)} that this leads to"
                raise refuse(where, what, "add the object, or remove the reference")
        name, where, said = self._flows[0]
        links = [link for link, _ in self._links]
        return Flow(name, where, self._steps, links, said, self._num_others)


def _step(kind: str, said: dict[str, Node], node: Node) -> Step:
    if kind == "attack-operator":
        operator = field(said, node, "operator", "the operator")
        is_all = one_of(operator, "operator", ("AND", "OR")) == "AND"
        return Step("AND" if is_all else "OR", "", node.place, {})
    key = "name" if kind == "attack-action" else "description"
    name = text_of(field(said, node, key, f"the `{kind}`"), f"`{key}`")
    own = _own(said, _OF_ACTION if kind == "attack-action" else _OF_CONDITION)
    value, outcome = own.pop("value", None), own.pop("outcome", "")
    return Step(_KINDS[kind], name, node.place, own, value, str(outcome))


def _links(key: str, said: dict[str, Node]) -> Iterator[tuple[Link, Place]]:
    for name, is_true in _ARROWS.items():
        if name in said:
            for node in items_of(said[name], f"`{name}`"):
                yield Link(key, text_of(node, "a reference"), is_true), node.place


def _own(said: dict[str, Node], keys: tuple[str, ...]) -> dict[str, Part]:
    """Return what a file that branchwise wrote says besides."""
    return {key: _part(said[OWN + key]) for key in keys if OWN + key in said}


def _part(node: Node) -> Part:
    if isinstance(node, TextNode):
        return node.text
    if isinstance(node, ListNode):
        return [_part(item) for item in node.items]
    return {key.text: _part(value) for key, value in node}
