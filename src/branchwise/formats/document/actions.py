"""Actions, as documents write them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from branchwise.errors import Path
from branchwise.formats.document.amounts import read_attempts
from branchwise.formats.document.conditions import read_condition
from branchwise.formats.document.intervals import read_cost
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.document.outcomes import read_known, read_outcomes
from branchwise.model.action import Action, Given
from branchwise.model.condition import ALWAYS, NEVER, Condition

__all__ = ["ACTION_KEYS", "EXAMPLE", "read_actions"]

EXAMPLE = "actions: {drill: {outcomes: {oil: 0.2, dry: 0.8}}}"
ACTION_KEYS = (
    "cost",
    "requires",
    "precluded_by",
    "attempts",
    "outcomes",
    "distance",
    "sample_size",
    "given",
)
_GIVEN_KEYS = ("when", "outcomes", "distance", "sample_size", "cost")


def read_actions(notes: Notes, node: Node | None) -> list[Action]:
    """Read the catalogue of actions; what cannot be read has a stand-in."""
    catalogue = notes.catalogue(node, "actions", EXAMPLE)
    if catalogue is None:
        return []
    first = list(notes.entries(catalogue, ("actions",), unread=("outcomes",)))
    actions = [_action(notes, key, value) for key, value in first]
    kept = {id(key) for key, _ in first}
    for key, value in catalogue:
        if id(key) not in kept and key.text != "<<":
            _action(notes, key, value)  # A repeated one may have errors of its own.
    return actions


def _action(notes: Notes, key: TextNode, node: Node) -> Action:
    path: Path = ("actions", key.text)
    example = "{outcomes: {ok: 0.6, fail: 0.4}}"
    fields = notes.named_fields((key, node), path, ACTION_KEYS, "an action", example)
    outcomes = fields.get("outcomes")
    if outcomes is None or (isinstance(outcomes, MapNode) and not outcomes.entries):
        _note_missing_outcomes(notes, key, path)
        outcomes = None
    return Action(
        key.text,
        outcomes=read_outcomes(notes, outcomes, (*path, "outcomes")),
        cost=read_cost(notes, fields.get("cost"), (*path, "cost")),
        requires=_condition(notes, fields, path, "requires") or ALWAYS,
        precluded_by=_condition(notes, fields, path, "precluded_by") or NEVER,
        attempts=read_attempts(notes, fields.get("attempts"), (*path, "attempts")),
        distance=_known(notes, fields, path, "distance"),
        sample_size=_known(notes, fields, path, "sample_size"),
        given=_given(notes, fields.get("given"), (*path, "given")),
    )


def _note_missing_outcomes(notes: Notes, key: TextNode, path: Path) -> None:
    if path in notes.unreadable or (*path, "outcomes") in notes.unreadable:
        return  # They may be there, under a name that was not understood.
    fix = "add some: `outcomes: {ok: 0.6, fail: 0.4}`"
    notes.add(key.place, (*path, "outcomes"), "there are no outcomes", fix)


def _condition(
    notes: Notes, fields: Mapping[str, Node], path: Path, key: str
) -> Condition | None:
    node = fields.get(key)
    return None if node is None else read_condition(notes, node, (*path, key))


def _known(
    notes: Notes, fields: Mapping[str, Node], path: Path, key: str
) -> Fraction | None:
    return read_known(notes, fields.get(key), (*path, key))


def _given(notes: Notes, node: Node | None, path: Path) -> list[Given]:
    if node is None:
        return []
    if not isinstance(node, ListNode):
        fix = "start each clause with `- `, or write `[{when: a1=ok, cost: 2}]`"
        notes.add_wrong_kind(node, path, "a list of clauses", fix)
        return []
    return [
        _clause(notes, item, (*path, index)) for index, item in enumerate(node.items)
    ]


def _clause(notes: Notes, node: Node, path: Path) -> Given:
    if not isinstance(node, MapNode):
        fix = "write `{when: a1=ok, cost: 2}`"
        notes.add_wrong_kind(node, path, "a clause (a map)", fix)
        return Given(ALWAYS)
    fields = notes.fields(node, path, _GIVEN_KEYS, "a clause of `given`")
    if "when" not in fields and (*path, "when") not in notes.unreadable:
        what = "the clause does not say when it counts"
        notes.add(node.place, (*path, "when"), what, "add `when: a1=ok`, say")
    odds, cost = fields.get("outcomes"), fields.get("cost")
    return Given(
        _condition(notes, fields, path, "when") or ALWAYS,
        outcomes=None
        if odds is None
        else read_outcomes(notes, odds, (*path, "outcomes")),
        cost=None if cost is None else read_cost(notes, cost, (*path, "cost")),
        distance=_known(notes, fields, path, "distance"),
        sample_size=_known(notes, fields, path, "sample_size"),
    )
