"""The wires of a dependency graph in SVG, and the legend that explains it."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from branchwise.model.problem import Reward
from branchwise.report.dependency_graph.boxes import OUTLINE, GateBox, star_outline
from branchwise.report.dependency_graph.dependencies import Dependencies, Gate, Relation
from branchwise.report.dependency_graph.layered import Route
from branchwise.report.tree_drawing.lettering import text_width
from branchwise.report.tree_drawing.svg_pieces import LABEL_SIZE, Color, number, tag

_ARROW: Final = 7.0  # how long the head of an arrow is
_BAR: Final = 6.0  # how far a bar reaches up and down
_WIRE: Final = 44.0  # how long a wire is shown
_SPACE: Final = 26.0  # between two entries
_LEGEND_HEIGHT: Final = 30.0
_RELATIONS: Final = {
    Relation.NEEDS: "is needed",
    Relation.RULES_OUT: "must not have happened",
    Relation.CHANGES: "changes probabilities, costs or counters",
}
_GATES: Final = {Gate.AND: "all of them", Gate.OR: "any of them"}


def _look(stroke: str, dashes: str, style: str) -> dict[str, str]:
    dashed = {"stroke-dasharray": dashes} if dashes else {}
    return {"stroke": stroke, "stroke-width": "1.5", **dashed, "class": style}


# They differ in their lines and in their ends, so that nothing depends on color.
_LOOKS: Final = {
    Relation.NEEDS: _look(OUTLINE, "", "bw-needs"),
    Relation.RULES_OUT: _look("#b45309", "7 4", "bw-rules-out"),
    Relation.CHANGES: _look(OUTLINE, "1.5 4", "bw-changes"),
}


def wire_svg(route: Route, relation: Relation, reach: float = 0.0) -> Iterator[str]:
    """
    Draw a wire, with an arrow at its end, or a bar where it rules out.

    It reaches so far to the right where it comes back to its own column.
    """
    look = _LOOKS[relation]
    x, y = route[-1]
    direction = 1 if len(route) > 2 and route[0][0] < x else -1
    yield tag("path", {"d": _line(route, reach), **look})
    end = {"stroke": look["stroke"], "stroke-width": "2", "class": look["class"]}
    if relation is Relation.RULES_OUT:
        stand = number(x - direction * 2)
        bar = f"M{stand} {number(y - _BAR)}V{number(y + _BAR)}"
        yield tag("path", {"d": bar, **end})
        return
    back = number(x - direction * _ARROW)
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


def legend(graph: Dependencies, top: float) -> tuple[list[str], tuple[float, float]]:
    """Explain a graph in one row below; return that, and how far it reaches."""
    written, x = [], 24.0
    for symbol, width, words in _entries(graph):
        place = {"x": number(width + 10), "y": "17", "fill": Color.MUTED}
        place |= {"font-size": f"{LABEL_SIZE:g}", "class": "bw-probabilities"}
        written += [
            f'<g transform="translate({number(x)} {number(top)})">',
            *symbol,
            tag("text", place, words),
            "</g>",
        ]
        x += width + 10 + text_width(words, LABEL_SIZE) + _SPACE
    return written, (x - _SPACE, top + _LEGEND_HEIGHT)


def _entries(graph: Dependencies) -> Iterator[tuple[Iterable[str], float, str]]:
    """Return the symbols that a graph uses, with their widths and what they mean."""
    relations = {link.relation for link in graph.links}
    route = ((0.0, 13.0), (0.0, 13.0), (_WIRE, 13.0), (_WIRE, 13.0))
    for relation, words in _RELATIONS.items():
        if relation in relations:
            yield ['<g fill="none">', *wire_svg(route, relation), "</g>"], _WIRE, words
    for gate, words in _GATES.items():
        if gate in graph.items:
            box = GateBox(gate)
            yield box.svg(box.width), box.width, words
    counts = [g for g in graph.items if isinstance(g, Gate) and g.is_count]
    if counts:
        box = GateBox(counts[0])
        yield box.svg(box.width), box.width, "at least so many of them"
    if any(isinstance(item, Reward) for item in graph.items):
        look = {"fill": Color.ACCENT, "stroke": Color.ACCENT, "class": "bw-star"}
        yield [tag("path", {"d": star_outline(13, 13, 13), **look})], 24.0, "reward"
