"""Rows of tables, gathered into the hidden facts and counters they are about."""

from dataclasses import dataclass, field

from branchwise.errors import Issue, Path
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.place import Place, issue_at
from branchwise.formats.table.table_cells import is_none
from branchwise.formats.table.table_header import Block
from branchwise.formats.table.table_rows import (
    condition_node,
    map_node,
    name_node,
    number_node,
    read_outcome,
)

_Entry = tuple[TextNode, Node]


@dataclass(slots=True)
class HiddenRows:
    """A hidden fact in the making: what it may be, and its clauses."""

    name: TextNode
    place: Place
    outcomes: list[_Entry] = field(default_factory=list)
    clauses: list[tuple[TextNode, list[_Entry]]] = field(default_factory=list)

    def node(self) -> MapNode:
        """Return the hidden fact as a document would have it."""
        outcomes = MapNode(tuple(self.outcomes), self.place)
        if not self.clauses:
            return outcomes
        given = [
            map_node(
                {
                    "when": condition_node(when),
                    **({"outcomes": MapNode(tuple(told), when.place)} if told else {}),
                },
                when.place,
            )
            for when, told in self.clauses
        ]
        body: dict[str, Node] = {"given": ListNode(tuple(given), given[0].place)}
        if self.outcomes:
            body["outcomes"] = outcomes
        return map_node(body, self.name.place)


def read_hidden(block: Block, issues: list[Issue]) -> list[HiddenRows]:
    """Gather the rows of each hidden fact; a condition starts a clause of it."""
    facts: list[HiddenRows] = []
    for row in block.rows:
        name = name_node(block.cell(row, "hidden"), issues)
        when = block.cell(row, "when")
        if name is not None and not (facts and facts[-1].name.text == name.text):
            facts.append(HiddenRows(name, block.cell(row, "outcome").place))
        elif not facts:
            issues.append(block.stray_row(row, "hidden fact", "hidden"))
            continue
        fact = facts[-1]
        path: Path = ("hidden", fact.name.text)
        if not is_none(when.text):
            fact.clauses.append((when, []))
        entry = read_outcome(block, row, path, issues)
        if entry is not None:
            told = fact.clauses[-1][1] if fact.clauses else fact.outcomes
            told.append(entry)
    return facts


def read_counters(block: Block, issues: list[Issue]) -> list[_Entry]:
    """Read the counters, one in each row."""
    counters: list[_Entry] = []
    for row in block.rows:
        name = name_node(block.cell(row, "counter"), issues)
        start, ends = block.cell(row, "start"), block.cell(row, "range")
        if name is None:
            issues.append(block.stray_row(row, "counter", "counter"))
            continue
        body: dict[str, Node] = {}
        if not is_none(start.text):
            body["start"] = number_node(start)
        if is_none(ends.text):
            what, fix = "the counter has no range", "write `0..3`, say"
            path = ("counters", name.text, "range")
            issues.append(issue_at(ends.place, path, what, fix))
        else:
            body["range"] = number_node(ends)
        counters.append((name, map_node(body, name.place)))
    return counters
