"""Defenses, as documents write them."""

from collections.abc import Iterator
from fractions import Fraction

from branchwise.errors import Path
from branchwise.formats.document.amounts import or_zero, read_amounts, read_number
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.document.outcomes import read_outcomes
from branchwise.model.defense import Defense

_KEYS = ("cost", "excludes", "forbids", "raises", "changes", "scales")
_EXAMPLE = "defenses: {patch: {cost: 2, forbids: [drill]}}"


def read_defenses(notes: Notes, node: Node | None) -> list[Defense]:
    """Read the defenses; what cannot be read has a stand-in."""
    catalogue = notes.catalogue(node, "defenses", _EXAMPLE)
    if catalogue is None:
        return []
    entries = notes.entries(catalogue, ("defenses",))
    return [_defense(notes, key, value) for key, value in entries]


def _defense(notes: Notes, key: TextNode, node: Node) -> Defense:
    path: Path = ("defenses", key.text)
    example = "{cost: 2, forbids: [drill]}"
    fields = notes.named_fields((key, node), path, _KEYS, "a defense", example)
    cost = fields.get("cost")
    number = Fraction(1) if cost is None else read_number(notes, cost, (*path, "cost"))
    return Defense(
        key.text,
        cost=or_zero(number),
        excludes=_names(notes, fields.get("excludes"), (*path, "excludes")),
        forbids=_names(notes, fields.get("forbids"), (*path, "forbids")),
        raises={
            name: read_amounts(notes, more, place, default=0)
            for name, more, place in _entries(notes, fields, path, "raises")
        },
        changes={
            name: read_outcomes(notes, probabilities, place)
            for name, probabilities, place in _entries(notes, fields, path, "changes")
        },
        scales={
            name: _shares(notes, left, place)
            for name, left, place in _entries(notes, fields, path, "scales")
        },
    )


def _names(notes: Notes, node: Node | None, path: Path) -> list[str]:
    """Read a list of names, or one name."""
    if node is None:
        return []
    if isinstance(node, MapNode):
        notes.add_wrong_kind(node, path, "a list of names", "write `[one, another]`")
        return []
    items = node.items if isinstance(node, ListNode) else (node,)
    names = []
    for index, item in enumerate(items):
        if isinstance(item, TextNode) and not item.is_nothing:
            names.append(item.text)
        else:
            place = (*path, index)
            notes.add_wrong_kind(item, place, "a name", "write a name, or remove it")
    return names


_FIXES = {
    "raises": "write what is added to each: `{drill: 2}`",
    "changes": "write the new probabilities of each: `{drill: {oil: 0.1, dry: rest}}`",
    "scales": "write what is left of each: `{drill: {oil: 0.5}}`",
}


def _entries(
    notes: Notes, fields: dict[str, Node], path: Path, key: str
) -> Iterator[tuple[str, Node, Path]]:
    """Return what is said of each action under a key."""
    node = fields.get(key)
    if node is None:
        return
    if not isinstance(node, MapNode):
        notes.add_wrong_kind(node, (*path, key), "a map from actions", _FIXES[key])
        return
    for name, value in notes.entries(node, (*path, key)):
        yield name.text, value, (*path, key, name.text)


def _shares(notes: Notes, node: Node, path: Path) -> dict[str, Fraction]:
    if not isinstance(node, MapNode):
        fix = "write what is left of some outcomes: `{oil: 0.5}`"
        notes.add_wrong_kind(node, path, "a map of labels and shares", fix)
        return {}
    return {
        key.text: or_zero(read_number(notes, value, (*path, key.text)))
        for key, value in notes.entries(node, path)
    }
