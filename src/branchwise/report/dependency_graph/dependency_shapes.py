"""The shapes of a dependency graph in SVG: boxes, gates and stars."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from branchwise.report.dependency_graph.dependencies import Gate
from branchwise.report.dependency_graph.dependency_boxes import (
    HEAD,
    ROW,
    ROW_SIZE,
    STAR,
    ActionBox,
    GateBox,
    StarBox,
)
from branchwise.report.tree_drawing.svg_pieces import (
    ACCENT,
    INK,
    MUTED,
    PAPER,
    number,
    tag,
    text,
)

__all__ = ["OUTLINE", "action_svg", "gate_svg", "star_outline", "star_svg"]

OUTLINE: Final = "#6b7a8a"
"""The color of frames and wires."""

_WASH: Final = "#e9eef3"
_POINTS: Final = 5
_WAIST: Final = 0.6  # of a star: the radius between its points, as a share


def action_svg(box: ActionBox, width: float) -> Iterator[str]:
    """Draw an action: its name and cost, and a row for each outcome."""
    right = number(width - 12)
    size = {"width": number(width), "height": number(box.height), "rx": "8"}
    frame = {**size, "fill": PAPER, "stroke": OUTLINE, "stroke-width": "1.5"}
    name = {"x": "12", "y": "19", "fill": INK, "font-weight": "600"}
    cost = {"x": right, "y": "19", "fill": MUTED, "font-size": f"{ROW_SIZE:g}"}
    yield tag("title", {}, text(box.tooltip))
    yield tag("rect", {**frame, "class": "bw-box"})
    yield tag("text", {**name, "class": "bw-outcome"}, text(box.name))
    cost |= {"text-anchor": "end", "class": "bw-odds"}
    yield tag("text", cost, text(box.cost))
    rule = {"d": f"M0 {HEAD:g}H{number(width)}", "stroke": OUTLINE, "class": "bw-rule"}
    yield tag("path", {**rule, "stroke-width": "0.75"})
    for place, row in enumerate(box.rows):
        y = number(HEAD + ROW * place + 15)
        words = {"x": "12", "y": y, "fill": INK, "font-size": f"{ROW_SIZE:g}"}
        if row.outcome is None:
            words |= {"fill": MUTED, "font-style": "italic"}
        style = "bw-odds" if row.outcome is None else "bw-outcome"
        yield tag("text", {**words, "class": style}, text(row.text))
        odds = {"x": right, "y": y, "fill": MUTED, "font-size": f"{ROW_SIZE:g}"}
        if row.odds:
            odds |= {"text-anchor": "end", "class": "bw-odds"}
            yield tag("text", odds, text(row.odds))


def gate_svg(box: GateBox) -> Iterator[str]:
    """Draw a gate with its word."""
    look = {"fill": _WASH, "stroke": OUTLINE, "stroke-width": "1.5"}
    yield tag("path", {"d": _gate_outline(box), **look, "class": "bw-gate"})
    words = {"x": number(box.width / 2), "y": "17", "fill": INK, "font-weight": "600"}
    words |= {"text-anchor": "middle", "font-size": f"{ROW_SIZE:g}"}
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
    outline = star_outline(middle, STAR, STAR)
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


def star_outline(x: float, y: float, radius: float) -> str:
    """Draw a star around a point."""
    corners = []
    for step in range(2 * _POINTS):
        angle = math.pi * (step / _POINTS - 0.5)
        reach = radius * (_WAIST if step % 2 else 1.0)
        corner = x + reach * math.cos(angle), y + reach * math.sin(angle)
        corners.append(" ".join(map(number, corner)))
    return f"M{'L'.join(corners)}Z"
