"""Pictures in DOT, the language of Graphviz: trees, and what others write in it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from branchwise.report.text.outline import shown_part
from branchwise.report.tree_drawing.drawing import Kind, Mark, draw, title_of
from branchwise.report.tree_drawing.lettering import legible
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

_GRAPH: Final = {"rankdir": "LR", "fontname": "Helvetica", "labelloc": "t"}
_NODE: Final = {"fontname": "Helvetica", "fontsize": "12", "shape": "box"}
_EDGE: Final = {"fontname": "Helvetica", "fontsize": "10"}

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
    """Write the tree of a solution in DOT, as `tree_dot` does."""
    return tree_dot(solution.tree, title=title_of(solution), max_nodes=max_nodes)


def tree_dot(tree: DecisionTree, *, title: str = "", max_nodes: int = 200) -> str:
    """Write a tree in DOT; a large one is folded to about its likeliest nodes."""
    marks = draw(tree, shown_part(tree, max_nodes)).marks
    return digraph("tree", title, _statements(marks), arrow_size="0.6")


def _statements(marks: tuple[Mark, ...]) -> Iterator[str]:
    numbers = {mark: number for number, mark in enumerate(marks)}
    for mark, number in numbers.items():
        text = {"label": mark.words, "tooltip": mark.tooltip}
        yield statement(f"n{number}", {**text, **_LOOKS[mark.kind]})
    for mark, number in numbers.items():
        if mark.parent is not None:
            look = {"style": "dashed"} if mark.kind is Kind.STUB else {}
            width = f"{0.6 + 4 * mark.probability:.2f}"
            edge = {"label": mark.edge_words, "penwidth": width, **look}
            yield statement(f"n{numbers[mark.parent]} -> n{number}", edge)


def digraph(
    name: str, title: str, statements: Iterable[str], *, arrow_size: str
) -> str:
    """Put a picture together that runs from left to right, in one look."""
    heading = {"label": title} if title else {}
    return "\n".join(
        [
            f"digraph {name} {{",
            statement("graph", {**_GRAPH, **heading}),
            statement("node", _NODE),
            statement("edge", {**_EDGE, "arrowsize": arrow_size}),
            *statements,
            "}",
            "",
        ]
    )


def statement(subject: str, attributes: Mapping[str, str]) -> str:
    """Write a statement; the values of its attributes are text of any origin."""
    pairs = (f"{key}={quoted_text(text)}" for key, text in attributes.items())
    inside = ", ".join(pairs)
    return f"  {subject} [{inside}];" if inside else f"  {subject};"


def quoted_text(text: str) -> str:
    r"""
    Write a text of any origin so that Graphviz shows it as it is, line by line.

    Backslashes would start an escape, ampersands an HTML entity.

    >>> print(quoted_text('say "no"'), quoted_text("two\nlines"), quoted_text("&lt;"))
    "say \"no\"" "two\nlines" "&amp;lt;"
    """
    safe = str.maketrans({"\\": r"\\", '"': r"\"", "&": "&amp;"})
    lines = (legible(line).translate(safe) for line in text.split("\n"))
    return '"{}"'.format("\\n".join(lines))
