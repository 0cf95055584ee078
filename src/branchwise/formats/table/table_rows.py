"""Rows of tables, gathered into the actions, clauses and defenses they are about."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from branchwise.errors import Issue, Path, did_you_mean
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import MOST_ISSUES
from branchwise.formats.place import Place, issue_at
from branchwise.formats.table import table_cells
from branchwise.formats.table.grid import Row, layout_issue
from branchwise.formats.table.table_cells import is_none
from branchwise.formats.table.table_header import Block
from branchwise.model.conditions.condition import quoted

# The columns an action has one cell of, and the keys they stand for in a document.
_FIELDS: Final = {
    "prerequisite": "requires",
    "preclusion": "precluded_by",
    "cost": "cost",
    "attempts": "attempts",
    "distance": "distance",
    "sample size": "sample_size",
    "effects": "effects",
}
_CLAUSE_FIELDS: Final = ("cost", "distance", "sample size")
_CONDITIONS: Final = frozenset({"prerequisite", "preclusion"})
_AMOUNTS: Final = frozenset({"cost", "effects"})
# The columns in which an outcome says what follows from it, and their keys.
_CONSEQUENCES: Final = {
    "outcome effects": "effects",
    "outcome cost": "cost",
    "ends": "ends",
}
_EFFECTS: Final = ("forbids", "raises", "changes", "scales")
# What is said below these keys may be a map of a number and its interval.
_MEASURED: Final = ("actions", "cost_weight")
_Entry = tuple[TextNode, Node]
_ByAction = dict[str, tuple[TextNode, list[_Entry]]]


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
    if column in _AMOUNTS:
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
        given, when = block.cell(row, "given"), block.cell(row, "when")
        name = name_node(given, issues)
        if name is None and clauses:
            name = clauses[-1].action
        is_new = bool(when.text or given.text)
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
        if clauses and (entry := read_outcome(block, row, path, issues)):
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
            found.append(clause.node(("actions", name, "given", len(found)), issues))
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
    nothing = TextNode("", action.name.position)
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
    entry = read_outcome(block, row, path, issues)
    if entry is not None:
        action.outcomes.append(_with_consequences(block, row, entry, path, issues))
    if is_none(reward.text):
        return
    if entry is not None:
        label = entry[0]
        condition = f"{quoted(action.name.text)}={quoted(label.text)}"
        when = TextNode(condition, label.place, is_quoted=True)
        body: dict[str, Node] = {"when": when, "value": number_node(reward)}
        action.rewards.append(map_node(body, reward.place))
    elif "outcome" in block.columns and is_none(block.cell(row, "probability").text):
        issues.append(_no_outcome(block.cell(row, "outcome"), path))


def _with_consequences(
    block: Block, row: Row, entry: _Entry, path: Path, issues: list[Issue]
) -> _Entry:
    """Add what follows from an outcome, if its row says anything."""
    label, probability = entry
    body: dict[str, Node] = {}
    for column, key in _CONSEQUENCES.items():
        cell = block.cell(row, column)
        if is_none(cell.text):
            continue
        place = (*path, label.text, key)
        body[key] = cell if key == "ends" else amounts_node(cell, place, issues)
    if not body:
        return entry
    return label, map_node({"probability": probability, **body}, probability.place)


def read_outcome(
    block: Block, row: Row, path: Path, issues: list[Issue]
) -> _Entry | None:
    """Return the outcome in a row and its probability, if there is one."""
    label = name_node(block.cell(row, "outcome"), issues)
    probability = block.cell(row, "probability")
    if label is None:
        if probability.text and "outcome" in block.columns:
            issues.append(_no_outcome(block.cell(row, "outcome"), path))
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


def _no_outcome(cell: TextNode, path: Path) -> Issue:
    what = "this row does not say which outcome it is about"
    return issue_at(cell.place, path, what, "write a label in the column `outcome`")


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
        issues.append(_no_outcome(label, path))
    else:
        changed = defense.probabilities.setdefault(effect, {})
        _, labels = changed.setdefault(action.text, (action, []))
        labels.append((name, number_node(amount)))


def _excluded(cell: TextNode, name: str, issues: list[Issue]) -> ListNode:
    names = table_cells.listed_names(cell.text)
    if names is None:
        what = f"`{cell.text[:40]}` is no list of names"
        fix = 'write for example `patch, "a, b"`'
        path: Path = ("defenses", name, "excludes")
        issues.append(issue_at(cell.place, path, what, fix))
    nodes = (TextNode(each, cell.place, is_quoted=True) for each in names or ())
    return ListNode(tuple(nodes), cell.place)


def name_node(cell: TextNode, issues: list[Issue]) -> TextNode | None:
    """Read a name, which may stand in quotes; None where there is none."""
    if is_none(cell.text):
        return None
    name = table_cells.unquoted(cell.text)
    if name is None:
        what = f"`{cell.text[:40]}` is misquoted"
        fix = r"inside the double quotes write `\"` for a quote "
        fix += r"and `\\` for a backslash"
        issues.append(layout_issue(cell.place, what, fix))
        name = cell.text
    # Whatever it looks like, it is a name: `null` and `~` do not stand for nothing.
    return TextNode(name, cell.position, is_quoted=True)


def condition_node(cell: TextNode) -> TextNode:
    """Read a condition: its text, which is never nothing."""
    return TextNode(cell.text, cell.position, is_quoted=True)


def number_node(cell: TextNode) -> TextNode:
    """Read a number, which may stand in quotes so that no spreadsheet changes it."""
    text = table_cells.unquoted(cell.text) or cell.text
    return TextNode(text, cell.position, is_quoted=True)


def amounts_node(cell: TextNode, path: Path, issues: list[Issue]) -> Node:
    """Read a number, or one for each resource."""
    is_quoted = cell.text.startswith('"') and table_cells.unquoted(cell.text)
    if is_quoted or (":" not in cell.text and not cell.text.startswith("{")):
        return number_node(cell)
    amounts = table_cells.named_amounts(cell.text)
    if amounts is None:
        what = f"`{cell.text[:40]}` is neither a number nor one for each resource"
        fix = 'write for example `money: 3, days: 1`, or `"a: b": 3`'
        issues.append(issue_at(cell.place, path, what, fix))
        return TextNode("0", cell.place)
    entries: list[tuple[TextNode, Node]] = []
    for name, text in amounts:
        amount: Node = TextNode(text, cell.place)
        is_change = "effects" in path  # of counters, which have no intervals
        if name == "value" and path[0] in _MEASURED and not is_change:
            # A resource of this name is not a number beside its interval.
            amount = map_node({name: amount}, cell.place)
        entries.append((TextNode(name, cell.place, is_quoted=True), amount))
    return MapNode(tuple(entries), cell.place)


def map_node(body: dict[str, Node], place: Place) -> MapNode:
    """Make a map whose keys stand where their values do."""
    entries = ((TextNode(key, node.place), node) for key, node in body.items())
    return MapNode(tuple(entries), place)
