"""Reading the table of actions, and the table of what changes their probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from branchwise.errors import Issue, Path, did_you_mean
from branchwise.formats.document.nodes import (
    ListNode,
    MapNode,
    Node,
    TextNode,
    issue_at,
)
from branchwise.formats.document.notes import MOST_ISSUES
from branchwise.formats.document.place import Place
from branchwise.formats.table.grid import Row
from branchwise.formats.table.table_cells import is_none
from branchwise.formats.table.table_header import Block
from branchwise.formats.table.table_nodes import (
    amounts_node,
    condition_node,
    layout_issue,
    map_node,
    name_node,
    number_node,
)
from branchwise.model.condition import quoted

# The columns an action has one cell of, and the keys they stand for in a document.
_FIELDS: Final = {
    "prerequisite": "requires",
    "preclusion": "precluded_by",
    "cost": "cost",
    "attempts": "attempts",
    "distance": "distance",
    "sample size": "sample_size",
}
_CLAUSE_FIELDS: Final = ("cost", "distance", "sample size")
_CONDITIONS: Final = frozenset({"prerequisite", "preclusion"})
_Entry = tuple[TextNode, Node]


@dataclass(slots=True)
class ActionRows:
    """An action in the making: the cells that are about it."""

    name: TextNode
    outcomes_place: Place
    fields: dict[str, TextNode] = field(default_factory=dict)
    outcomes: list[_Entry] = field(default_factory=list)
    rewards: list[Node] = field(default_factory=list)
    clauses: list[Node] = field(default_factory=list)

    def node(self, issues: list[Issue]) -> MapNode:
        """Return the action as a document would have it."""
        body: dict[str, Node] = {}
        for column, cell in self.fields.items():
            body |= _field(column, cell, ("actions", self.name.text), issues)
        body["outcomes"] = MapNode(tuple(self.outcomes), self.outcomes_place)
        if self.clauses:
            body["given"] = ListNode(tuple(self.clauses), self.clauses[0].place)
        return map_node(body, self.name.place)


@dataclass(slots=True)
class ClauseRows:
    """A clause of conditioning in the making."""

    action: TextNode
    when: TextNode
    fields: dict[str, TextNode]
    outcomes: list[_Entry] = field(default_factory=list)

    def node(self, path: Path, issues: list[Issue]) -> MapNode:
        """Return the clause as a document would have it."""
        body: dict[str, Node] = {"when": condition_node(self.when)}
        for column, cell in self.fields.items():
            body |= _field(column, cell, path, issues) if cell.text else {}
        if self.outcomes:
            entries = tuple(self.outcomes)
            body["outcomes"] = MapNode(entries, entries[0][0].place)
        return map_node(body, self.when.place)


def _field(
    column: str, cell: TextNode, path: Path, issues: list[Issue]
) -> dict[str, Node]:
    """Return what a document says in place of a cell that stands only once."""
    key = _FIELDS[column]
    if column in _CONDITIONS:
        return {key: condition_node(cell)}
    if column == "cost":
        return {key: amounts_node(cell, (*path, key), issues)}
    return {key: number_node(cell)}


def read_actions(block: Block, issues: list[Issue]) -> list[ActionRows]:
    """Gather the rows of each action."""
    actions: list[ActionRows] = []
    for row in block.rows:
        name = name_node(block.cell(row, "action"), issues)
        if name is not None and not (actions and actions[-1].name.text == name.text):
            place = block.cell(row, "outcome").place
            actions.append(ActionRows(name, place, _fields(block, row)))
        elif actions:
            issues.extend(_differences(block, row, actions[-1]))
        else:
            if "action" in block.columns:
                issues.append(block.stray_row(row, "action", "action"))
            continue
        _add_outcome(block, row, actions[-1], issues)
    return actions


def read_clauses(block: Block, issues: list[Issue]) -> list[ClauseRows]:
    """Gather the rows of each clause; one starts where an action or condition does."""
    clauses: list[ClauseRows] = []
    for row in block.rows:
        name = name_node(block.cell(row, "given"), issues)
        when = block.cell(row, "when")
        if name is None and clauses:
            name = clauses[-1].action
        is_new = bool(when.text or block.cell(row, "given").text)
        if name is None:
            issues.append(block.stray_row(row, "action", "given"))
            continue
        path = ("actions", name.text, "given")
        if is_new and is_none(when.text):
            what = "the clause does not say when it counts"
            fix = "write a condition; to go on with the clause above, "
            fix += "leave `given` blank"
            issues.append(issue_at(when.place, path, what, fix))
            when = TextNode("never", when.place)
        if is_new:
            fields = {column: block.cell(row, column) for column in _CLAUSE_FIELDS}
            clauses.append(ClauseRows(name, when, fields))
        else:
            issues.extend(_clause_differences(block, row, clauses[-1], path))
        if clauses and (entry := _outcome(block, row, path, issues)):
            clauses[-1].outcomes.append(entry)
    return clauses


def attach_clauses(
    clauses: list[ClauseRows], actions: list[ActionRows], issues: list[Issue]
) -> None:
    """Assign every clause to its action."""
    known = {action.name.text: action for action in reversed(actions)}
    for clause in clauses:
        name = clause.action.text
        if name in known:
            found = known[name].clauses
            path = ("actions", name, "given", len(found))
            found.append(clause.node(path, issues))
        else:
            near = did_you_mean(name, list(known)) if len(issues) < MOST_ISSUES else ""
            what = f"there is no action `{name[:40]}`{near}"
            fix = "write the name of an action of the table of actions"
            issues.append(layout_issue(clause.action.place, what, fix))


def _fields(block: Block, row: Row) -> dict[str, TextNode]:
    """Return the cells that say something; a dash instead of a number does not pass."""
    said = ((c, block.cell(row, c)) for c in _FIELDS if block.has_text(row, c))
    return {c: cell for c, cell in said if c == "cost" or not is_none(cell.text)}


def _differences(block: Block, row: Row, action: ActionRows) -> Iterator[Issue]:
    """Report the cells that say something else than the action's first row."""
    nothing = TextNode("", action.name.place)
    for column, key in _FIELDS.items():
        if not block.has_text(row, column):
            continue
        cell = block.cell(row, column)
        own = action.fields.get(column, nothing)
        if cell.text != own.text and (own.text or not is_none(cell.text)):
            yield _difference(cell, own, column, ("actions", action.name.text, key))


def _clause_differences(
    block: Block, row: Row, clause: ClauseRows, path: Path
) -> Iterator[Issue]:
    """Report the cells that say something else than the clause's first row."""
    for column, own in clause.fields.items():
        cell = block.cell(row, column)
        if cell.text not in {"", own.text}:
            yield _difference(cell, own, column, path)


def _difference(cell: TextNode, own: TextNode, column: str, path: Path) -> Issue:
    above = f"`{own.text[:40]}`" if own.text else "none"
    what = f"the {column} `{cell.text[:40]}` differs from the one above, {above}"
    fix = "leave the cell blank, or name another action in this row"
    return issue_at(cell.place, path, what, fix)


def _add_outcome(
    block: Block, row: Row, action: ActionRows, issues: list[Issue]
) -> None:
    path = ("actions", action.name.text, "outcomes")
    reward = block.cell(row, "reward")
    entry = _outcome(block, row, path, issues)
    if entry is not None:
        action.outcomes.append(entry)
    if is_none(reward.text):
        return
    if entry is not None:
        label = entry[0]
        condition = f"{quoted(action.name.text)}={quoted(label.text)}"
        when = TextNode(condition, label.place, is_quoted=True)
        body: dict[str, Node] = {"when": when, "value": number_node(reward)}
        action.rewards.append(map_node(body, reward.place))
    elif "outcome" in block.columns and is_none(block.cell(row, "probability").text):
        issues.append(no_outcome(block.cell(row, "outcome"), path))


def _outcome(block: Block, row: Row, path: Path, issues: list[Issue]) -> _Entry | None:
    """Return the outcome in a row and its probability, if there is one."""
    label = name_node(block.cell(row, "outcome"), issues)
    probability = block.cell(row, "probability")
    if label is None:
        if probability.text and "outcome" in block.columns:
            issues.append(no_outcome(block.cell(row, "outcome"), path))
        return None
    if not probability.text:
        if "probability" in block.columns:
            what = f"the outcome `{label.text[:40]}` has no probability"
            fix = "write a number such as 0.4, or `rest` for what the others leave"
            path = (*path, label.text)
            issues.append(issue_at(probability.place, path, what, fix))
        # The label is known all the same, and conditions may name it.
        return label, TextNode("0", probability.place)
    return label, number_node(probability)


def no_outcome(cell: TextNode, path: Path) -> Issue:
    """Say that a row is about an outcome that it does not name."""
    what = "this row does not say which outcome it is about"
    return issue_at(cell.place, path, what, "write a label in the column `outcome`")
