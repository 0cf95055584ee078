"""Hidden facts, as documents write them."""

from typing import Final

from branchwise.errors import Path
from branchwise.formats.document.actions import read_given
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.document.outcomes import read_outcomes
from branchwise.model.hidden import Hidden

_KEYS: Final = ("outcomes", "given")
_EXAMPLE: Final = "hidden: {disease: {present: 0.3, absent: rest}}"


def read_hidden(notes: Notes, node: Node | None) -> list[Hidden]:
    """Read the hidden facts; what cannot be read has a stand-in."""
    catalogue = notes.catalogue(node, "hidden", _EXAMPLE)
    if catalogue is None:
        return []
    entries = notes.entries(catalogue, ("hidden",))
    return [_fact(notes, key, value) for key, value in entries]


def _fact(notes: Notes, key: TextNode, node: Node) -> Hidden:
    path: Path = ("hidden", key.text)
    if not isinstance(node, MapNode):
        fix = "write what it may be: `{present: 0.3, absent: rest}`"
        notes.add_wrong_kind(node, path, "a hidden fact (a map)", fix)
        return Hidden(key.text, outcomes=())
    if not _is_long(node):
        return Hidden(key.text, outcomes=read_outcomes(notes, node, path))
    fields = notes.fields(node, path, _KEYS, "a hidden fact")
    outcomes, given = fields.get("outcomes"), fields.get("given")
    place = (*path, "outcomes")
    if outcomes is None and place not in notes.unreadable:
        fix = "say what it may be: `outcomes: {present: 0.3, absent: rest}`"
        notes.add(key.place, place, "there are no outcomes", fix)
    return Hidden(
        key.text,
        outcomes=() if outcomes is None else read_outcomes(notes, outcomes, place),
        given=()
        if given is None
        else read_given(notes, given, (*path, "given"), _KEYS[:1]),
    )


def _is_long(node: MapNode) -> bool:
    """Whether this is `{outcomes: {...}, given: [...]}`, not labels with numbers."""
    kinds = {"outcomes": MapNode, "given": ListNode}
    return any(isinstance(value, kinds.get(k.text, ())) for k, value in node)
