"""Cells as the nodes of a document."""

from __future__ import annotations

from typing import Final

from branchwise.errors import Issue, Path
from branchwise.formats.document.nodes import MapNode, Node, TextNode, issue_at
from branchwise.formats.document.place import Place
from branchwise.formats.table.table_cells import is_none, named_amounts, unquoted

# What is said below these keys may be a map of a number and its interval.
_MEASURED: Final = ("actions", "cost_weight")


def layout_issue(place: Place, what: str, fix: str) -> Issue:
    """Make an issue about the table itself, not about any part of the problem."""
    return Issue(str(place), what, fix, path=("table",))


def name_node(cell: TextNode, issues: list[Issue]) -> TextNode | None:
    """Read a name, which may stand in quotes; None where there is none."""
    if is_none(cell.text):
        return None
    name = unquoted(cell.text)
    if name is None:
        what = f"`{cell.text[:40]}` is misquoted"
        fix = r"inside the double quotes write `\"` for a quote "
        fix += r"and `\\` for a backslash"
        issues.append(layout_issue(cell.place, what, fix))
        name = cell.text
    # Whatever it looks like, it is a name: `null` and `~` do not stand for nothing.
    return TextNode(name, cell.place, is_quoted=True)


def condition_node(cell: TextNode) -> TextNode:
    """Read a condition: its text, which is never nothing."""
    return TextNode(cell.text, cell.place, is_quoted=True)


def number_node(cell: TextNode) -> TextNode:
    """Read a number, which may stand in quotes so that no spreadsheet changes it."""
    return TextNode(unquoted(cell.text) or cell.text, cell.place, is_quoted=True)


def amounts_node(cell: TextNode, path: Path, issues: list[Issue]) -> Node:
    """Read a number, or one for each resource."""
    if ":" not in cell.text and not cell.text.startswith("{"):
        return number_node(cell)
    amounts = named_amounts(cell.text)
    if amounts is None:
        what = f"`{cell.text[:40]}` is neither a number nor one for each resource"
        fix = 'write for example `money: 3, days: 1`, or `"a: b": 3`'
        issues.append(issue_at(cell.place, path, what, fix))
        return TextNode("0", cell.place)
    entries: list[tuple[TextNode, Node]] = []
    for name, text in amounts:
        amount: Node = TextNode(text, cell.place)
        if name == "value" and path[0] in _MEASURED:
            # A resource of this name is not a number beside its interval.
            amount = map_node({name: amount}, cell.place)
        entries.append((TextNode(name, cell.place, is_quoted=True), amount))
    return MapNode(tuple(entries), cell.place)


def map_node(body: dict[str, Node], place: Place) -> MapNode:
    """Make a map whose keys stand where their values do."""
    entries = ((TextNode(key, node.place), node) for key, node in body.items())
    return MapNode(tuple(entries), place)
