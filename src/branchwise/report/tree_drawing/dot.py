"""Trees in DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.report.tree_drawing.dot_text import statement
from branchwise.report.tree_drawing.drawing import (
    Kind,
    Mark,
    draw,
    edge_words,
    node_words,
    title_of,
)
from branchwise.report.tree_drawing.folded import shown_part
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

__all__ = ["solution_dot", "tree_dot"]

_GRAPH: Final = {"rankdir": "LR", "fontname": "Helvetica", "labelloc": "t"}
_NODE: Final = {"fontname": "Helvetica", "fontsize": "12", "shape": "box"}
_EDGE: Final = {"fontname": "Helvetica", "fontsize": "10", "arrowsize": "0.6"}

# Shapes differ, too, so that nothing depends on color.
_LOOKS: Final = {
    Kind.FIRST: {"style": "filled,bold", "fillcolor": "#1b2733", "fontcolor": "white"},
    Kind.DECISION: {"style": "filled", "fillcolor": "white"},
    Kind.REWARD: {
        "shape": "ellipse",
        "style": "filled",
        "fillcolor": "#0f766e",
        "fontcolor": "white",
    },
    Kind.NOTHING: {"shape": "ellipse", "style": "filled", "fillcolor": "#f3f5f8"},
    Kind.STUB: {"shape": "note", "style": "dashed", "fontcolor": "#5c6876"},
}


def solution_dot(solution: Solution, *, max_nodes: int = 200) -> str:
    """
    Write the tree of a solution in DOT.

    Parameters
    ----------
    solution
        What to write.
    max_nodes
        A larger tree is folded to about so many of its likeliest nodes.
    """
    return tree_dot(solution.tree, title=title_of(solution), max_nodes=max_nodes)


def tree_dot(tree: DecisionTree, *, title: str = "", max_nodes: int = 200) -> str:
    """Write a tree in DOT."""
    marks = draw(tree, shown_part(tree, max_nodes)).marks
    return "\n".join(["digraph tree {", *_statements(marks, title), "}", ""])


def _statements(marks: tuple[Mark, ...], title: str) -> Iterator[str]:
    numbers = {mark: number for number, mark in enumerate(marks)}
    heading = {"label": title} if title else {}
    yield statement("graph", {**_GRAPH, **heading})
    yield statement("node", _NODE)
    yield statement("edge", _EDGE)
    for mark, number in numbers.items():
        told = {"label": node_words(mark), "tooltip": mark.tooltip}
        yield statement(f"n{number}", {**told, **_LOOKS[mark.kind]})
    for mark, number in numbers.items():
        if mark.parent is not None:
            yield statement(f"n{numbers[mark.parent]} -> n{number}", _edge(mark))


def _edge(mark: Mark) -> dict[str, str]:
    look = {"style": "dashed"} if mark.kind is Kind.STUB else {}
    width = f"{0.6 + 4 * mark.probability:.2f}"
    return {"label": edge_words(mark), "penwidth": width, **look}
