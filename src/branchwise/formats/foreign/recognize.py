"""Which tool a document comes from, by the keys at its top."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from branchwise.errors import Issue
from branchwise.formats.document.nodes import MapNode, Node

TREE: Final = "silver_decisions"
"""The module that reads trees of decisions."""

_OF_TREES: Final = "SilverDecisions"
_MARKS: Final = {
    "nasim": {"subnets", "topology", "exploits", "host_configurations"},
    TREE: {_OF_TREES},
    "attack_flow": {"type", "objects"},
    "attack_flow_builder": {"schema", "objects"},
}

_FIRST_FLOWS: Final = {"flow", "actions", "relationships"}  # of Attack Flow 1
_READERS: Final = {"xml": "adtool", "pddl": "ppddl.problem", "prism": "storm.model"}


def recognized(root: Node) -> str | None:
    """
    Return the module that reads a document; None for a problem of ours.

    No problem of ours has the keys that others have at the top.
    """
    if not isinstance(root, MapNode) or root.is_empty:
        return None
    keys = {key.text for key, _ in root}
    if "actions" in keys:
        return "attack_flow" if keys >= _FIRST_FLOWS else None
    return next((name for name, marks in _MARKS.items() if marks <= keys), None)


def may_be_a_tree(text: str) -> bool:
    """Whether a document may be a tree of decisions, as far as a glance shows."""
    return f'"{_OF_TREES}"' in text


def foreign_nodes(module: str, root: Node, source: str) -> tuple[Node, list[Issue]]:
    """Read a document of another tool as one of ours; the issues are assumptions."""
    return _nodes(module, root, source)


def foreign_file(
    format_: str, data: bytes, source: str, constants: object = None
) -> tuple[Node, list[Issue]]:
    """Read a file of another tool that is neither YAML nor JSON; see above."""
    more = (constants,) if constants else ()  # which one format has
    return _nodes(_READERS[format_], data, source, *more)


def _nodes(
    module: str, said: object, source: str, *more: object
) -> tuple[Node, list[Issue]]:
    # Each format has a module of its own, which few need: start-up is felt.
    found = import_module(f"branchwise.formats.foreign.{module}")
    nodes: tuple[Node, list[Issue]] = found.document_nodes(said, source, *more)
    return nodes
