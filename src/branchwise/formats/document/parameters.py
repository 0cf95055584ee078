"""Named parameters, as documents write them, and numbers computed from them."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from branchwise.errors import Path
from branchwise.formats.document.intervals import read_measured
from branchwise.formats.document.nodes import MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.source_text import excerpt
from branchwise.model.numbers.expression import RESERVED, NamedParameter
from branchwise.model.numbers.expression_text import names_in

_EXAMPLE = "parameters: {prevalence: 0.3, visit: 120}"
_Entries = dict[str, tuple[TextNode, Node]]


def read_parameters(notes: Notes, node: Node | None) -> list[NamedParameter]:
    """Read the parameters, in whatever order they use each other; note them."""
    catalogue = notes.catalogue(node, "parameters", _EXAMPLE)
    if catalogue is None:
        return []
    entries: _Entries = {}
    for key, value in notes.entries(catalogue, ("parameters",)):
        if not _is_reserved(notes, key):
            entries[key.text] = key, value
    notes.parameters = dict.fromkeys(entries)
    for name in _in_order(notes, entries):
        notes.parameters[name] = _parameter(notes, *entries[name])
    return [each for each in notes.parameters.values() if each is not None]


def _is_reserved(notes: Notes, key: TextNode) -> bool:
    if key.text not in RESERVED:
        return False
    kind = "a function" if key.text in {"min", "max"} else "a word for numbers"
    what = f"{excerpt(key.text)} is {kind}, so that no parameter can be called so"
    fix = f"call it `{key.text}_`, say, here and where it counts"
    notes.add(key.place, ("parameters", key.text), what, fix)
    return True


def _in_order(notes: Notes, entries: _Entries) -> list[str]:
    """Return the names so that each comes after what it uses; note the circles."""
    uses = {
        name: [n for n in _names(value) if n in entries]
        for name, (_, value) in entries.items()
    }
    while True:
        try:
            return list(TopologicalSorter(uses).static_order())
        except CycleError as error:
            circle = error.args[1][::-1]
            _note_circle(notes, entries, circle)
            uses = {name: used for name, used in uses.items() if name not in circle}
            uses = {n: [u for u in used if u in uses] for n, used in uses.items()}


def _names(node: Node) -> list[str]:
    if isinstance(node, TextNode):
        return names_in(node.text.replace("[", ",").replace("]", ""))
    parts = [value for _, value in node] if isinstance(node, MapNode) else node.items
    return [name for part in parts for name in _names(part)]


def _note_circle(notes: Notes, entries: _Entries, circle: list[str]) -> None:
    first = min(circle, key=list(entries).index)
    names = circle[:-1]
    start = names.index(first)
    route = " -> ".join([*names[start:], *names[:start], first])
    path: Path = ("parameters", first)
    what = f"{excerpt(route)} go round in a circle: none of them has a value"
    fix = f"write a number for one of them, {excerpt(f'{first}: 0.5')}, say"
    notes.add(entries[first][0].place, path, what, fix)


def _parameter(notes: Notes, key: TextNode, node: Node) -> NamedParameter | None:
    path: Path = ("parameters", key.text)
    before = len(notes.issues)
    number, ends = read_measured(notes, node, path)
    if len(notes.issues) > before or path in notes.unreadable:
        return None
    low, high = ends or (None, None)
    return NamedParameter(key.text, number, low=low, high=high)
