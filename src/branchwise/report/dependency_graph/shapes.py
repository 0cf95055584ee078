"""The parts of a dependency graph in SVG: boxes, gates, stars, wires and a legend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from branchwise.model.problem import Reward
from branchwise.report.dependency_graph.boxes import (
    HEAD,
    ROW,
    STAR,
    ActionBox,
    GateBox,
    StarBox,
)
from branchwise.report.dependency_graph.dependencies import Dependencies, Gate, Relation
from branchwise.report.dependency_graph.layered import Route
from branchwise.report.tree_drawing.lettering import text_width
from branchwise.report.tree_drawing.svg_pieces import (
    ACCENT,
    INK,
    LABEL_SIZE,
    MUTED,
    PAPER,
    number,
    tag,
    text,
)

_OUTLINE: Final = "#6b7a8a"
"""The color of frames and wires."""

_WASH: Final = "#e9eef3"
_POINTS: Final = 5
_WAIST: Final = 0.6  # of a star: the radius between its points, as a share

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
_ARROW: Final = 7.0  # how long the head of an arrow is
_BAR: Final = 6.0  # how far a bar reaches up and down
_WIRE: Final = 44.0  # how long a wire is shown
_SPACE: Final = 26.0  # between two entries
_LEGEND_HEIGHT: Final = 30.0
_RELATIONS: Final = {
    Relation.NEEDS: "is needed",
    Relation.RULES_OUT: "must not have happened",
    Relation.CHANGES: "changes probabilities or cost",
}
_GATES: Final = {Gate.AND: "all of them", Gate.OR: "any of them"}


def action_svg(box: ActionBox, width: float) -> Iterator[str]:
    """Draw an action: its name and cost, and a row for each outcome."""
    right = number(width - 12)
    size = {"width": number(width), "height": number(box.height), "rx": "8"}
    frame = {**size, "fill": PAPER, "stroke": _OUTLINE, "stroke-width": "1.5"}
    name = {"x": "12", "y": "19", "fill": INK, "font-weight": "600"}
    cost = {"x": right, "y": "19", "fill": MUTED, "font-size": f"{LABEL_SIZE:g}"}
    yield tag("title", {}, text(box.tooltip))
    yield tag("rect", {**frame, "class": "bw-box"})
    yield tag("text", {**name, "class": "bw-outcome"}, text(box.name))
    cost |= {"text-anchor": "end", "class": "bw-probabilities"}
    yield tag("text", cost, text(box.cost))
    rule = {"d": f"M0 {HEAD:g}H{number(width)}", "stroke": _OUTLINE, "class": "bw-rule"}
    yield tag("path", {**rule, "stroke-width": "0.75"})
    for place, row in enumerate(box.rows):
        y = number(HEAD + ROW * place + 15)
        words = {"x": "12", "y": y, "fill": INK, "font-size": f"{LABEL_SIZE:g}"}
        if row.outcome is None:
            words |= {"fill": MUTED, "font-style": "italic"}
        style = "bw-probabilities" if row.outcome is None else "bw-outcome"
        yield tag("text", {**words, "class": style}, text(row.text))
        if row.chance:
            look = {"x": right, "y": y, "fill": MUTED, "font-size": f"{LABEL_SIZE:g}"}
            look |= {"text-anchor": "end", "class": "bw-probabilities"}
            yield tag("text", look, text(row.chance))


def gate_svg(box: GateBox) -> Iterator[str]:
    """Draw a gate with its word."""
    look = {"fill": _WASH, "stroke": _OUTLINE, "stroke-width": "1.5"}
    yield tag("path", {"d": _gate_outline(box), **look, "class": "bw-gate"})
    words = {"x": number(box.width / 2), "y": "17", "fill": INK, "font-weight": "600"}
    words |= {"text-anchor": "middle", "font-size": f"{LABEL_SIZE:g}"}
    yield tag("text", {**words, "class": "bw-outcome"}, box.gate.value)


def star_svg(box: StarBox) -> Iterator[str]:
    """Draw a reward; a penalty is hollow."""
    middle = box.width / 2
    look = {"fill": ACCENT, "stroke": ACCENT, "class": "bw-star"}
    letters_look = {"fill": "#ffffff", "class": "bw-on-star"}
    if box.is_penalty:
        look = {"fill": PAPER, "stroke": ACCENT, "class": "bw-lost"}
        letters_look = {"fill": INK, "class": "bw-outcome"}
    letters = {"x": number(middle), "text-anchor": "middle", "font-weight": "700"}
    yield tag("title", {}, text(box.tooltip))
    outline = _star_outline(middle, STAR, STAR)
    yield tag("path", {"d": outline, **look, "stroke-width": "2"})
    if box.is_inside:
        yield tag(
            "text", {**letters, "y": number(STAR + 6), **letters_look}, text(box.text)
        )
    else:
        under = {"y": number(2 * STAR + 13), "fill": INK, "class": "bw-outcome"}
        yield tag("text", {**letters, **under}, text(box.text))


def _gate_outline(box: GateBox) -> str:
    """Draw AND round on its right, as engineers do, OR pointed; others are boxes."""
    width, height = box.width, box.height
    middle = height / 2
    if box.gate is Gate.AND:
        flat = number(width - middle)
        return f"M0 0H{flat}A{middle:g} {middle:g} 0 0 1 {flat} {height:g}H0Z"
    if box.gate is Gate.OR:
        start, end, dent = number(width * 0.45), number(width), number(middle * 0.6)
        top = f"M0 0H{start}Q{number(width * 0.8)} 0 {end} {middle:g}"
        bottom = f"Q{number(width * 0.8)} {height:g} {start} {height:g}H0"
        return f"{top}{bottom}Q{dent} {middle:g} 0 0Z"
    return f"M0 0H{number(width)}V{height:g}H0Z"


def _star_outline(x: float, y: float, radius: float) -> str:
    """Draw a star around a point."""
    corners = []
    for step in range(2 * _POINTS):
        angle = math.pi * (step / _POINTS - 0.5)
        reach = radius * (_WAIST if step % 2 else 1.0)
        corner = x + reach * math.cos(angle), y + reach * math.sin(angle)
        corners.append(" ".join(map(number, corner)))
    return f"M{'L'.join(corners)}Z"


def wire_svg(route: Route, relation: Relation, reach: float = 0.0) -> Iterator[str]:
    """
    Draw a wire, with an arrow at its end, or a bar where it rules out.

    It reaches so far to the right where it comes back to its own column.
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
        place = {"x": number(width + 10), "y": "17", "fill": MUTED}
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
            yield gate_svg(box), box.width, words
    if any(isinstance(item, Reward) for item in graph.items):
        look = {"fill": ACCENT, "stroke": ACCENT, "class": "bw-star"}
        yield [tag("path", {"d": _star_outline(13, 13, 13), **look})], 24.0, "reward"
