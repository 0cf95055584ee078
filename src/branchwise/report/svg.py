"""Trees as SVG: one picture that stands alone, without script, fonts or network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from branchwise.report.drawing import (
    LABEL_SIZE,
    NODE_SIZE,
    Drawing,
    Kind,
    Mark,
    draw,
)
from branchwise.report.folded import ShownPart, shown_part
from branchwise.report.label import told
from branchwise.report.lettering import legible
from branchwise.report.wording import chance, plural, value
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

__all__ = ["part_svg", "solution_svg", "tree_svg"]

_FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
)
_PAPER = "#ffffff"
_INK = "#1b2733"
_MUTED = "#5c6876"
_LINE = "#c3ccd6"
_ACCENT = "#0f766e"
_FAR = 130.0  # a single curve over more than this looks like a slanted line

# Colors stand in attributes, which every program that shows SVG understands. In a
# page, the style sheet overrides them by class.
_FRAMES: Final = {
    Kind.FIRST: {"fill": _INK, "stroke": _INK},
    Kind.DECISION: {"fill": _PAPER, "stroke": "#6b7a8a"},
    Kind.REWARD: {"fill": _ACCENT, "stroke": _ACCENT},
    Kind.NOTHING: {"fill": "#f3f5f8", "stroke": "#d5dbe2"},
    Kind.STUB: {"fill": _PAPER, "stroke": "#9aa6b3", "stroke-dasharray": "4 3"},
}
_LETTERS: Final = {
    Kind.FIRST: {"fill": "#ffffff", "font-weight": "600"},
    Kind.DECISION: {"fill": _INK, "font-weight": "600"},
    Kind.REWARD: {"fill": "#ffffff", "font-weight": "700"},
    Kind.NOTHING: {"fill": _MUTED},
    Kind.STUB: {"fill": _MUTED},
}


def solution_svg(solution: Solution, *, max_nodes: int = 200) -> str:
    """
    Draw the tree of a solution.

    Parameters
    ----------
    solution
        What to draw.
    max_nodes
        A larger tree is folded to about so many of its likeliest nodes.
    """
    name = solution.problem.name if solution.problem else ""
    if solution.history:
        name = f"{name or 'Decision tree'} after {told(solution.history)}"
    return tree_svg(solution.tree, title=name, max_nodes=max_nodes)


def tree_svg(tree: DecisionTree, *, title: str = "", max_nodes: int = 200) -> str:
    """Draw a tree."""
    return part_svg(tree, shown_part(tree, max_nodes), title=title)


def part_svg(tree: DecisionTree, part: ShownPart, *, title: str = "") -> str:
    """Draw a part of a tree."""
    drawing = draw(tree, part)
    width, height = _number(drawing.width), _number(drawing.height)
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "bw-tree",
        "width": width,
        "height": height,
        "viewBox": f"0 0 {width} {height}",
        "role": "img",
        "aria-labelledby": "branchwise-title branchwise-desc",
        "font-family": _FONTS,
        "font-size": f"{NODE_SIZE:g}",
    }
    heading = f"Decision tree: {title}" if title else "Decision tree"
    content = [
        _tag("title", {"id": "branchwise-title"}, _text(heading)),
        _tag("desc", {"id": "branchwise-desc"}, _text(_description(tree, part))),
        *_body(drawing),
    ]
    return _tag("svg", attributes, "\n{}\n".format("\n".join(content))) + "\n"


def _description(tree: DecisionTree, part: ShownPart) -> str:
    """Say what the picture shows to those who do not see it."""
    root, *_ = part.nodes
    size = plural(tree.num_nodes, "node")
    shown = f", of which {len(part.nodes):,} are shown" if part.num_hidden else ""
    worth = f"Its expected reward is {value(root.decision.value)}."
    if root.decision.action is None:
        return f"{worth} The best plan is to do nothing."
    steps = [
        f"{legible(child.place.outcome)} ({chance(child.place.chance)}): "
        f"then {_doing(child.decision.action)}"
        for child in root.children[:10]
    ]
    first = legible(root.decision.action)
    plan = f"First {first}. After {'; '.join(steps)}."
    return f"{worth} {plan} The tree has {size}{shown}."


def _doing(action: str | None) -> str:
    return "stop" if action is None else legible(action)


def _body(drawing: Drawing) -> Iterator[str]:
    paper = {"width": "100%", "height": "100%", "fill": _PAPER, "class": "bw-paper"}
    yield _tag("rect", paper)
    edges = [mark for mark in drawing.marks if mark.parent]
    # The likeliest edges are drawn last, so that they cross over the others.
    yield f'<g class="bw-edges" fill="none" stroke="{_LINE}" stroke-linecap="round">'
    yield from map(_edge, sorted(edges, key=lambda mark: mark.probability))
    yield "</g>"
    yield f'<g font-size="{LABEL_SIZE:g}">'
    for mark in edges:
        yield from _edge_label(mark)
    yield "</g>"
    for mark in drawing.marks:
        yield from _node(mark)


def _edge(mark: Mark) -> str:
    parent = mark.parent
    assert parent is not None
    start = f"M{_number(parent.x + parent.width)} {_number(parent.y)}"
    attributes = {
        "d": f"{start}{_bend(mark, parent.y)}H{_number(mark.x)}",
        "stroke-width": _number(_thickness(mark)),
    }
    if mark.kind is Kind.STUB:
        attributes["stroke-dasharray"] = "4 5"
    return _tag("path", attributes)


def _bend(mark: Mark, start: float) -> str:
    """Lead from one height to another: in a curve, or round two corners if far."""
    end = mark.y
    if abs(end - start) < 0.05:
        return ""
    y0, y1, x1 = _number(start), _number(end), _number(mark.bend_end)
    middle = (mark.bend_start + mark.bend_end) / 2
    x = _number(middle)
    if abs(end - start) < _FAR:
        return f"H{_number(mark.bend_start)}C{x} {y0} {x} {y1} {x1} {y1}"
    corner = (mark.bend_end - mark.bend_start) / 2
    down = corner if end > start else -corner
    return (
        f"H{_number(middle - corner)}Q{x} {y0} {x} {_number(start + down)}"
        f"V{_number(end - down)}Q{x} {y1} {x1} {y1}"
    )


def _thickness(mark: Mark) -> float:
    return 1.25 + 7 * mark.probability


def _edge_label(mark: Mark) -> Iterator[str]:
    baseline = _number(mark.y - _thickness(mark) / 2 - 4)
    outcome = {"x": _number(mark.label_start), "y": baseline, "fill": _INK}
    odds = {"x": _number(mark.label_end), "y": baseline, "fill": _MUTED}
    yield _tag("text", {**outcome, "class": "bw-outcome"}, _text(mark.outcome))
    odds |= {"text-anchor": "end", "class": "bw-odds"}
    yield _tag("text", odds, _text(mark.odds))


def _node(mark: Mark) -> Iterator[str]:
    is_leaf = mark.kind in {Kind.REWARD, Kind.NOTHING}
    frame = {
        "x": _number(mark.x),
        "y": _number(mark.y - mark.height / 2),
        "width": _number(mark.width),
        "height": _number(mark.height),
        "rx": _number(mark.height / 2) if is_leaf else "8",
        "stroke-width": "1.5",
        **_FRAMES[mark.kind],
    }
    letters = {
        "x": _number(mark.x + mark.width / 2),
        "y": _number(mark.y + 0.35 * NODE_SIZE),
        "text-anchor": "middle",
        **_LETTERS[mark.kind],
    }
    yield f'<g class="bw-node bw-{mark.kind.value}">'
    yield _tag("title", {}, _text(mark.tooltip))
    yield _tag("rect", frame)
    yield _tag("text", letters, _text(mark.text))
    yield "</g>"


def _tag(name: str, attributes: dict[str, str], content: str = "") -> str:
    """Write an element; the content must be escaped already."""
    inside = "".join(f' {key}="{escape(text)}"' for key, text in attributes.items())
    return f"<{name}{inside}>{content}</{name}>" if content else f"<{name}{inside}/>"


def _text(text: str) -> str:
    return escape("\n".join(legible(line) for line in text.split("\n")))


def _number(number: float) -> str:
    """Write a coordinate as short as the eye allows."""
    return f"{number:.1f}".removesuffix(".0")
