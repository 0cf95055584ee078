"""The legend of a dependency graph: what its lines and shapes mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.model.problem import Reward
from branchwise.report.dependency_graph.dependencies import Dependencies, Gate, Relation
from branchwise.report.dependency_graph.dependency_boxes import ROW_SIZE, GateBox
from branchwise.report.dependency_graph.dependency_shapes import gate_svg, star_outline
from branchwise.report.dependency_graph.dependency_wires import wire_svg
from branchwise.report.tree_drawing.lettering import text_width
from branchwise.report.tree_drawing.svg_pieces import ACCENT, MUTED, number, tag

__all__ = ["legend"]

_WIRE: Final = 44.0  # how long a wire is shown
_SPACE: Final = 26.0  # between two entries
_HEIGHT: Final = 30.0
_WORDS: Final = {
    Relation.NEEDS: "is needed",
    Relation.RULES_OUT: "must not have happened",
    Relation.CHANGES: "changes odds or cost",
    Gate.AND: "all of them",
    Gate.OR: "any of them",
}


def legend(graph: Dependencies, top: float) -> tuple[list[str], tuple[float, float]]:
    """
    Explain what a graph shows, in one row below it.

    Returns
    -------
    tuple
        What to draw, and how far that reaches to the right and down.
    """
    shown = {link.relation for link in graph.links}
    gates = {item for item in graph.items if isinstance(item, Gate)}
    written = []
    x = 24.0
    for what, words in _WORDS.items():
        if what in shown or what in gates:
            written += list(_entry(what, words, x, top))
            x += _symbol_width(what) + 10 + text_width(words, ROW_SIZE) + _SPACE
    if any(isinstance(item, Reward) for item in graph.items):
        written += list(_star_entry(x, top))
        x += 34 + text_width("reward", ROW_SIZE)
    return written, (x, top + _HEIGHT)


def _entry(what: Relation | Gate, words: str, x: float, top: float) -> Iterator[str]:
    yield f'<g transform="translate({number(x)} {number(top)})">'
    if isinstance(what, Relation):
        route = ((0.0, 13.0), (0.0, 13.0), (_WIRE, 13.0), (_WIRE, 13.0))
        yield '<g fill="none">'
        yield from wire_svg(route, what)
        yield "</g>"
    else:
        yield from gate_svg(GateBox(what))
    yield _words(words, _symbol_width(what) + 10)
    yield "</g>"


def _symbol_width(what: Relation | Gate) -> float:
    return _WIRE if isinstance(what, Relation) else GateBox(what).width


def _star_entry(x: float, top: float) -> Iterator[str]:
    yield f'<g transform="translate({number(x)} {number(top)})">'
    look = {"fill": ACCENT, "stroke": ACCENT, "class": "bw-star"}
    yield tag("path", {"d": star_outline(13, 13, 13), **look})
    yield _words("reward", 34)
    yield "</g>"


def _words(words: str, x: float) -> str:
    place = {"x": number(x), "y": "17", "fill": MUTED, "font-size": f"{ROW_SIZE:g}"}
    return tag("text", {**place, "class": "bw-odds"}, words)
