"""Actions, as documents write them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from branchwise.errors import Path
from branchwise.formats.document.amounts import read_attempts, read_number
from branchwise.formats.document.conditions import read_condition
from branchwise.formats.document.counters import read_effects
from branchwise.formats.document.intervals import read_cost
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.document.outcomes import read_outcomes
from branchwise.model.action import Action, Given
from branchwise.model.checks.probability import ADD_OUTCOMES
from branchwise.model.conditions.condition import ALWAYS

EXAMPLE = "actions: {drill: {outcomes: {oil: 0.2, dry: 0.8}}}"
ACTION_KEYS = (
    "cost",
    "requires",
    "precluded_by",
    "attempts",
    "outcomes",
    "distance",
    "sample_size",
    "effects",
    "given",
)
_GIVEN_KEYS = ("outcomes", "distance", "sample_size", "cost")


def read_actions(notes: Notes, node: Node | None) -> list[Action]:
    """Read the catalogue of actions; what cannot be read has a stand-in."""
    catalogue = notes.catalogue(node, "actions", EXAMPLE)
    if catalogue is None:
        return []
    first = list(notes.entries(catalogue, ("actions",), unread=("outcomes",)))
    actions = [_action(notes, key, value) for key, value in first]
    if len(first) < len(catalogue.entries):
        kept = {id(key) for key, _ in first}
        for key, value in catalogue:
            if id(key) not in kept and key.text != "<<":
                _action(notes, key, value)  # A repeated one may have its own errors.
    return actions


def _action(notes: Notes, key: TextNode, node: Node) -> Action:
    path: Path = ("actions", key.text)
    example = "{outcomes: {ok: 0.6, fail: 0.4}}"
    fields = notes.named_fields((key, node), path, ACTION_KEYS, "an action", example)
    outcomes = fields.get("outcomes")
    if outcomes is None or (isinstance(outcomes, MapNode) and outcomes.is_empty):
        _note_missing_outcomes(notes, key, path)
    said = _said(notes, fields, path, _READERS)
    return Action(key.text, outcomes=said.pop("outcomes", ()), **said)


def _note_missing_outcomes(notes: Notes, key: TextNode, path: Path) -> None:
    if path in notes.unreadable or (*path, "outcomes") in notes.unreadable:
        return  # They may be there, under a name that was not understood.
    what = "there are no outcomes"
    notes.add(key.place, (*path, "outcomes"), what, ADD_OUTCOMES)


_Reader = Callable[[Notes, Node, Path], Any]


def _said(
    notes: Notes, fields: Mapping[str, Node], path: Path, readers: dict[str, _Reader]
) -> dict[str, Any]:
    """Read what is said, in the order of the readers; what cannot be is left out."""
    said = {}
    for key, read in readers.items():
        node = fields.get(key)
        if node is not None:
            found = read(notes, node, (*path, key))
            if found is not None:
                said[key] = found
    return said


def read_given(
    notes: Notes, node: Node, path: Path, keys: tuple[str, ...] = _GIVEN_KEYS
) -> list[Given]:
    """Read the clauses of an action or a hidden fact, which may say these things."""
    if not isinstance(node, ListNode):
        fix = "start each clause with `- `, or write `[{when: a1=ok, cost: 2}]`"
        notes.add_wrong_kind(node, path, "a list of clauses", fix)
        return []
    return [
        _clause(notes, item, (*path, index), ("when", *keys))
        for index, item in enumerate(node.items)
    ]


def _clause(notes: Notes, node: Node, path: Path, keys: tuple[str, ...]) -> Given:
    if not isinstance(node, MapNode):
        fix = "write `{when: a1=ok, cost: 2}`"
        notes.add_wrong_kind(node, path, "a clause (a map)", fix)
        return Given(ALWAYS)
    fields = notes.fields(node, path, keys, "a clause of `given`")
    if "when" not in fields and (*path, "when") not in notes.unreadable:
        what = "the clause does not say when it counts"
        notes.add(node.place, (*path, "when"), what, "add `when: a1=ok`, say")
    said = _said(notes, fields, path, _CLAUSE_READERS)
    return Given(said.pop("when", ALWAYS), **said)


_READERS: Final[dict[str, _Reader]] = {
    "outcomes": read_outcomes,
    "cost": read_cost,
    "requires": read_condition,
    "precluded_by": read_condition,
    "attempts": read_attempts,
    "distance": read_number,
    "sample_size": read_number,
    "effects": read_effects,
    "given": read_given,
}
_CLAUSE_READERS: Final[dict[str, _Reader]] = {
    "when": read_condition,
    "outcomes": read_outcomes,
    "cost": read_cost,
    "distance": read_number,
    "sample_size": read_number,
}
