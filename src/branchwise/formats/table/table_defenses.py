"""Reading the table of defenses: one row for each thing that one of them does."""

from __future__ import annotations

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
from branchwise.formats.table.grid import Row
from branchwise.formats.table.table_actions import no_outcome
from branchwise.formats.table.table_cells import is_none, listed_names
from branchwise.formats.table.table_header import Block
from branchwise.formats.table.table_nodes import (
    amounts_node,
    map_node,
    name_node,
    number_node,
)

_EFFECTS: Final = ("forbids", "raises", "changes", "scales")
_Entry = tuple[TextNode, Node]
_ByAction = dict[str, tuple[TextNode, list[_Entry]]]


@dataclass(slots=True)
class DefenseRows:
    """A defense in the making: the cells that are about it."""

    name: TextNode
    cost: TextNode
    excludes: TextNode
    forbids: list[Node] = field(default_factory=list)
    raises: list[_Entry] = field(default_factory=list)
    probabilities: dict[str, _ByAction] = field(default_factory=dict)

    def node(self, issues: list[Issue]) -> MapNode:
        """Return the defense as a document would have it."""
        body: dict[str, Node] = {}
        if not is_none(self.cost.text):
            body["cost"] = number_node(self.cost)
        if not is_none(self.excludes.text):
            body["excludes"] = _excluded(self.excludes, self.name.text, issues)
        if self.forbids:
            body["forbids"] = ListNode(tuple(self.forbids), self.forbids[0].place)
        if self.raises:
            body["raises"] = MapNode(tuple(self.raises), self.raises[0][0].place)
        for effect, actions in self.probabilities.items():
            entries = tuple(
                (action, MapNode(tuple(labels), action.place))
                for action, labels in actions.values()
            )
            body[effect] = MapNode(entries, entries[0][0].place)
        return map_node(body, self.name.place)


def read_defenses(block: Block, issues: list[Issue]) -> list[DefenseRows]:
    """Gather the rows of each defense."""
    defenses: list[DefenseRows] = []
    for row in block.rows:
        name = name_node(block.cell(row, "defense"), issues)
        if name is not None and not (defenses and defenses[-1].name.text == name.text):
            cost, excludes = block.cell(row, "cost"), block.cell(row, "excludes")
            defenses.append(DefenseRows(name, cost, excludes))
        elif not defenses:
            issues.append(block.stray_row(row, "defense", "defense"))
            continue
        _add_effect(block, row, defenses[-1], issues)
    return defenses


def _add_effect(
    block: Block, row: Row, defense: DefenseRows, issues: list[Issue]
) -> None:
    cell = block.cell(row, "effect")
    effect = cell.text.casefold()
    path: Path = ("defenses", defense.name.text)
    if is_none(effect):
        return
    if effect not in _EFFECTS:
        what = f"there is no effect `{cell.text[:40]}`{did_you_mean(effect, _EFFECTS)}"
        fix = f"write {', '.join(_EFFECTS[:-1])} or {_EFFECTS[-1]}"
        issues.append(issue_at(cell.place, path, what, fix))
        return
    action = name_node(block.cell(row, "action"), issues)
    if action is None:
        what, fix = "this row names no action", "write one in the column `action`"
        place = block.cell(row, "action").place
        issues.append(issue_at(place, (*path, effect), what, fix))
        return
    if effect == "forbids":
        defense.forbids.append(action)
        return
    amount, label = block.cell(row, "amount"), block.cell(row, "outcome")
    path = (*path, effect, action.text)
    if not amount.text:
        what, fix = "this row has no amount", "write a number in the column `amount`"
        issues.append(issue_at(amount.place, path, what, fix))
    elif effect == "raises":
        defense.raises.append((action, amounts_node(amount, path, issues)))
    elif (name := name_node(label, issues)) is None:
        issues.append(no_outcome(label, path))
    else:
        changed = defense.probabilities.setdefault(effect, {})
        _, labels = changed.setdefault(action.text, (action, []))
        labels.append((name, number_node(amount)))


def _excluded(cell: TextNode, name: str, issues: list[Issue]) -> ListNode:
    names = listed_names(cell.text)
    if names is None:
        what = f"`{cell.text[:40]}` is no list of names"
        fix = 'write for example `patch, "a, b"`'
        path: Path = ("defenses", name, "excludes")
        issues.append(issue_at(cell.place, path, what, fix))
    nodes = (TextNode(each, cell.place, is_quoted=True) for each in names or ())
    return ListNode(tuple(nodes), cell.place)
