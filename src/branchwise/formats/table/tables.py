"""Tables, CSV or xlsx, to the same nodes that a document of that problem gives."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from branchwise.errors import Issue, Path, did_you_mean
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import MOST_ISSUES
from branchwise.formats.place import Place, issue_at
from branchwise.formats.table import table_facts, table_rows
from branchwise.formats.table.csv_grid import grid_from_csv
from branchwise.formats.table.grid import Grid
from branchwise.formats.table.table_cells import is_none
from branchwise.formats.table.table_header import (
    ACTIONS,
    Block,
    blocks_of,
    may_hold_table,
)
from branchwise.formats.table.xlsx_grid import grids_from_xlsx

_SETTINGS: Final = (
    "name", "budget", "combine", "cost_weight", "finish", "objective", "unfinished",
    "defense_budget",
)  # fmt: skip


def table_nodes_from_csv(data: bytes, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a CSV file as a document, and list what is wrong with its layout."""
    return _nodes([grid_from_csv(data, source)], source, [])


def table_nodes_from_xlsx(data: bytes, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a workbook as a document, and list what is wrong with its layout."""
    grids, issues = grids_from_xlsx(data, source)
    return _nodes(grids, source, issues)


@dataclass(slots=True)
class _Tables:
    """What the tables of a file hold, in the order of the file."""

    actions: list[table_rows.ActionRows] = field(default_factory=list)
    clauses: list[table_rows.ClauseRows] = field(default_factory=list)
    rewards: list[Node] = field(default_factory=list)
    settings: list[tuple[TextNode, Node]] = field(default_factory=list)
    defenses: list[table_rows.DefenseRows] = field(default_factory=list)
    parameters: list[tuple[TextNode, Node]] = field(default_factory=list)
    hidden: list[table_facts.HiddenRows] = field(default_factory=list)
    counters: list[tuple[TextNode, Node]] = field(default_factory=list)
    has_actions: bool = False

    def add(self, block: Block, issues: list[Issue]) -> None:
        """Read one table."""
        match block.kind.title:
            case "actions":
                self.has_actions = True
                actions = table_rows.read_actions(block, issues)
                self.actions += actions
                self.rewards += (reward for one in actions for reward in one.rewards)
            case "given":
                self.clauses += table_rows.read_clauses(block, issues)
            case "defenses":
                self.defenses += table_rows.read_defenses(block, issues)
            case "settings":
                self.settings += _settings(block, issues)
            case "hidden":
                self.hidden += table_facts.read_hidden(block, issues)
            case "counters":
                self.counters += table_facts.read_counters(block, issues)
            case "parameters":
                self.parameters += _parameters(block, issues)
            case "rewards":
                self.rewards += _rewards(block, len(self.rewards), issues)

    def node(self, place: Place, issues: list[Issue]) -> MapNode:
        """Return the problem as a document would have it."""
        table_rows.attach_clauses(self.clauses, self.actions, issues)
        actions = MapNode(
            tuple((action.name, action.node(issues)) for action in self.actions),
            self.actions[0].name.place if self.actions else place,
        )
        lists: dict[str, Node] = {"actions": actions}
        if self.rewards:
            lists["rewards"] = ListNode(tuple(self.rewards), self.rewards[0].place)
        if self.defenses:
            entries = tuple((each.name, each.node(issues)) for each in self.defenses)
            lists["defenses"] = MapNode(entries, entries[0][0].place)
        hidden = [(fact.name, fact.node()) for fact in self.hidden]
        for key, found in (
            ("parameters", self.parameters),
            ("hidden", hidden),
            ("counters", self.counters),
        ):
            if found:
                lists[key] = MapNode(tuple(found), found[0][0].place)
        return MapNode((*self.settings, *table_rows.map_node(lists, place)), place)


def _nodes(
    grids: Iterable[Grid], source: str, issues: list[Issue]
) -> tuple[MapNode, list[Issue]]:
    tables = _Tables()
    filled = [grid for grid in grids if grid.rows]
    for grid in filled:
        if len(filled) > 1 and not may_hold_table(grid):
            issues.append(_left_out(grid))
            continue
        for block in blocks_of(grid, issues):
            tables.add(block, issues)
    place = Place(source)
    if not tables.has_actions:
        what = "there is no table of actions" if filled else "the file is empty"
        fix = f"start one with a header row: `{', '.join(ACTIONS.columns)}`"
        issues.append(issue_at(place, ("actions",), what, fix))
    return tables.node(place, issues), issues


def _left_out(grid: Grid) -> Issue:
    """Say that a sheet of notes, or of something else, is not looked at."""
    first = grid.rows[0]
    place = str(first.place(first.filled[0]))
    what = f"the sheet `{grid.sheet[:40]}` has no table of ours and is left out"
    fix = "delete the sheet, or give its table a header row"
    return Issue(place, what, fix, severity="warning", path=("table",))


def _settings(block: Block, issues: list[Issue]) -> list[tuple[TextNode, Node]]:
    settings = []
    for row in block.rows:
        cell, value = block.cell(row, "setting"), block.cell(row, "value")
        key = cell.text.casefold().replace(" ", "_")
        if key not in _SETTINGS:
            hint = did_you_mean(key, _SETTINGS) if len(issues) < MOST_ISSUES else ""
            what = f"there is no setting `{cell.text[:40]}`{hint}"
            fix = f"use {', '.join(_SETTINGS)}; delete any other row"
            issues.append(issue_at(cell.place, (key,), what, fix))
            continue
        node = _setting(key, value, issues)
        if node is not None:
            settings.append((TextNode(key, cell.place), node))
    return settings


def _setting(key: str, value: TextNode, issues: list[Issue]) -> Node | None:
    if key == "name":
        return table_rows.name_node(value, issues)
    # A budget of `-` could be none at all, or no limit: that is for its owner to say.
    if not value.text or (is_none(value.text) and key != "budget"):
        return None
    if key in {"combine", "objective"}:
        return TextNode(value.text.casefold(), value.place)
    if key == "finish":
        return table_rows.condition_node(value)
    return table_rows.amounts_node(value, (key,), issues)


def _parameters(block: Block, issues: list[Issue]) -> list[tuple[TextNode, Node]]:
    found: list[tuple[TextNode, Node]] = []
    for row in block.rows:
        name = table_rows.name_node(block.cell(row, "parameter"), issues)
        value = block.cell(row, "value")
        if name is None:
            issues.append(block.stray_row(row, "parameter", "parameter"))
        elif value.text:
            found.append((name, table_rows.number_node(value)))
        else:
            what, fix = "the parameter has no value", "write a number such as 0.3"
            path = ("parameters", name.text)
            issues.append(issue_at(value.place, path, what, fix))
    return found


def _rewards(block: Block, count: int, issues: list[Issue]) -> list[Node]:
    """Read a table of rewards, of which so many were read before."""
    rewards: list[Node] = []
    for row in block.rows:
        when, value = block.cell(row, "reward when"), block.cell(row, "value")
        body: dict[str, Node] = {}
        path: Path = ("rewards", count + len(rewards))
        per = table_rows.name_node(block.cell(row, "per"), issues)
        if per is not None:
            body["per"] = per
        if is_none(when.text):
            if per is None:
                issues.append(_no_condition(when, path))
        else:
            body["when"] = table_rows.condition_node(when)
        if value.text:
            body["value"] = table_rows.number_node(value)
        else:
            what, fix = "the reward has no value", "write a number such as 50"
            issues.append(issue_at(value.place, (*path, "value"), what, fix))
        rewards.append(table_rows.map_node(body, when.place))
    return rewards


def _no_condition(cell: TextNode, path: Path) -> Issue:
    fix = "write a condition such as `a1=ok and a2`, or `always`"
    what = "the reward does not say when it is paid"
    return issue_at(cell.place, (*path, "when"), what, fix)
