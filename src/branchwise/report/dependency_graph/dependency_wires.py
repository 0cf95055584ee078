"""The wires of a dependency graph in SVG: solid, dashed or dotted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from branchwise.report.dependency_graph.dependencies import Relation
from branchwise.report.dependency_graph.layered import Route
from branchwise.report.tree_drawing.svg_pieces import number, tag

__all__ = ["wire_svg"]

# They differ in their lines and in their ends, so that nothing depends on color.
_LOOKS: Final = {
    Relation.NEEDS: {"stroke": "#6b7a8a", "stroke-width": "1.5"},
    Relation.RULES_OUT: {
        "stroke": "#b45309",
        "stroke-width": "1.5",
        "stroke-dasharray": "7 4",
    },
    Relation.CHANGES: {
        "stroke": "#6b7a8a",
        "stroke-width": "1.5",
        "stroke-dasharray": "1.5 4",
    },
}
_CLASSES: Final = {
    Relation.NEEDS: "bw-needs",
    Relation.RULES_OUT: "bw-rules-out",
    Relation.CHANGES: "bw-changes",
}
_HEAD: Final = 7.0  # how long the head of an arrow is
_BAR: Final = 6.0  # how far a bar reaches up and down


def wire_svg(route: Route, relation: Relation, reach: float = 0.0) -> Iterator[str]:
    """
    Draw a wire, with an arrow at its end, or a bar where it rules out.

    Parameters
    ----------
    route
        Where it runs.
    relation
        What it says.
    reach
        How far it is drawn to the right where it comes back to its own column.
    """
    style = {"class": _CLASSES[relation]}
    look = _LOOKS[relation]
    x, y = route[-1]
    direction = 1 if len(route) > 2 and route[0][0] < x else -1
    yield tag("path", {"d": _line(route, reach), **look, **style})
    end = {"stroke": look["stroke"], "stroke-width": "2", **style}
    if relation is Relation.RULES_OUT:
        stand = number(x - direction * 2)
        bar = f"M{stand} {number(y - _BAR)}V{number(y + _BAR)}"
        yield tag("path", {"d": bar, **end})
        return
    back = number(x - direction * _HEAD)
    tip = f"{number(x)} {number(y)}"
    arrow = f"M{back} {number(y - 4)}L{tip}L{back} {number(y + 4)}"
    yield tag("path", {"d": arrow, **end, "stroke-width": "1.5"})


def _line(route: Route, reach: float) -> str:
    start = f"M{number(route[0][0])} {number(route[0][1])}"
    if len(route) == 2:
        (x, y), (end, low) = route
        out = number(max(x, end) + reach)
        turn = f"C{out} {number(y)} {out} {number(low)} {number(end)} {number(low)}"
        return start + turn
    parts = [start]
    for step, ((x, y), (end, low)) in enumerate(pairwise(route)):
        if step % 2 == 0:
            parts.append(f"H{number(end)}" if end != x else "")
            continue
        middle = number((x + end) / 2)
        curve = f"C{middle} {number(y)} {middle} {number(low)}"
        straight = f"H{number(end)}"
        is_level = abs(y - low) < 0.05
        parts.append(straight if is_level else f"{curve} {number(end)} {number(low)}")
    return "".join(parts)
