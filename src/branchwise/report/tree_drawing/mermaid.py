"""Pictures in the language of Mermaid, which many wikis and code hosts draw."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from branchwise.report.text.outline import shown_part
from branchwise.report.tree_drawing.drawing import Kind, Mark, draw, title_of
from branchwise.report.tree_drawing.lettering import legible
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

# Mermaid takes a label for HTML and for Markdown, and has marks of its own; so any
# ASCII sign that is not known to be harmless is written as a number.
_RISKY: Final = re.compile(r"[!-/:-@\[-`{-~]")
_HARMLESS: Final = re.compile(r"(?<=\d)[.,](?=\d)|(?<= )%|,(?= )")

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
    """Write the tree of a solution for Mermaid, as `tree_mermaid` does."""
    return tree_mermaid(solution.tree, title=title_of(solution), max_nodes=max_nodes)


def tree_mermaid(tree: DecisionTree, *, title: str = "", max_nodes: int = 100) -> str:
    """
    Write a tree for Mermaid; a large one is folded to about its likeliest nodes.

    Mermaid refuses a text of more than 50,000 characters unless configured otherwise.
    """
    marks = draw(tree, shown_part(tree, max_nodes)).marks
    kinds = dict.fromkeys(mark.kind for mark in marks)
    looks = {kind.value: _LOOKS[kind] for kind in kinds}
    return flowchart(title, _statements(marks), looks)


def _statements(marks: tuple[Mark, ...]) -> Iterator[str]:
    numbers = {mark: number for number, mark in enumerate(marks)}
    for mark, number in numbers.items():
        shape = _SHAPES[mark.kind].format(quoted_text(mark.words))
        yield f"  n{number}{shape}:::{mark.kind.value}"
    for mark, number in numbers.items():
        if mark.parent is not None:
            arrow = "-.->" if mark.kind is Kind.STUB else "-->"
            label = quoted_text(mark.edge_words)
            yield f"  n{numbers[mark.parent]} {arrow}|{label}| n{number}"


def flowchart(title: str, statements: Iterable[str], looks: Mapping[str, str]) -> str:
    """Put a picture together; the title is of any origin, looks are by class."""
    name = legible(title)
    heading = ["---", f"title: {json.dumps(name)}", "---"] if name else []
    classes = [f"  classDef {kind} {look}" for kind, look in looks.items()]
    return "\n".join([*heading, "flowchart LR", *statements, *classes, ""])


def quoted_text(text: str) -> str:
    r"""
    Write a text of any origin so that Mermaid shows it as it is, line by line.

    >>> print(quoted_text("ok, 37.5 %"), quoted_text("<b>"), quoted_text("1. a\nb"))
    "ok, 37.5 %" "#60;b#62;" "1#46; a<br>b"
    """
    lines = "<br>".join(map(_escaped, text.split("\n")))
    return f'"{lines or " "}"'  # It cannot read a label without anything in it.


def _escaped(line: str) -> str:
    plain = legible(line)
    kept = {match.start() for match in _HARMLESS.finditer(plain)}
    return "".join(
        f"#{ord(sign)};" if _RISKY.match(sign) and place not in kept else sign
        for place, sign in enumerate(plain)
    )
