"""Trees in the language of Mermaid, which many wikis and code hosts draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.report.tree_drawing.drawing import (
    Kind,
    Mark,
    draw,
    edge_words,
    node_words,
    title_of,
)
from branchwise.report.tree_drawing.folded import shown_part
from branchwise.report.tree_drawing.mermaid_text import heading, quoted_text
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

__all__ = ["solution_mermaid", "tree_mermaid"]

# Shapes differ, too, so that nothing depends on color.
_SHAPES: Final = {
    Kind.FIRST: "[[{}]]",
    Kind.DECISION: "[{}]",
    Kind.REWARD: "([{}])",
    Kind.NOTHING: "([{}])",
    Kind.STUB: ">{}]",
}
_LOOKS: Final = {
    Kind.FIRST: "fill:#1b2733,stroke:#1b2733,color:#ffffff",
    Kind.DECISION: "fill:#ffffff,stroke:#6b7a8a,color:#1b2733",
    Kind.REWARD: "fill:#0f766e,stroke:#0f766e,color:#ffffff",
    Kind.NOTHING: "fill:#f3f5f8,stroke:#d5dbe2,color:#5c6876",
    Kind.STUB: "fill:#ffffff,stroke:#9aa6b3,color:#5c6876,stroke-dasharray:4 3",
}


def solution_mermaid(solution: Solution, *, max_nodes: int = 100) -> str:
    """
    Write the tree of a solution for Mermaid.

    Parameters
    ----------
    solution
        What to write.
    max_nodes
        A larger tree is folded to about so many of its likeliest nodes. Mermaid
        refuses a text of more than 50,000 characters unless told otherwise.
    """
    return tree_mermaid(solution.tree, title=title_of(solution), max_nodes=max_nodes)


def tree_mermaid(tree: DecisionTree, *, title: str = "", max_nodes: int = 100) -> str:
    """Write a tree for Mermaid."""
    marks = draw(tree, shown_part(tree, max_nodes)).marks
    lines = [*heading(title), "flowchart LR", *_statements(marks), ""]
    return "\n".join(lines)


def _statements(marks: tuple[Mark, ...]) -> Iterator[str]:
    numbers = {mark: number for number, mark in enumerate(marks)}
    for mark, number in numbers.items():
        shape = _SHAPES[mark.kind].format(quoted_text(node_words(mark)))
        yield f"  n{number}{shape}:::{mark.kind.value}"
    for mark, number in numbers.items():
        if mark.parent is not None:
            arrow = "-.->" if mark.kind is Kind.STUB else "-->"
            label = quoted_text(edge_words(mark))
            yield f"  n{numbers[mark.parent]} {arrow}|{label}| n{number}"
    for kind in dict.fromkeys(mark.kind for mark in marks):
        yield f"  classDef {kind.value} {_LOOKS[kind]}"
