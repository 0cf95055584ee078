"""Trees as SVG: one picture that stands alone, without script, fonts or network."""

from collections.abc import Iterator
from typing import Final

from branchwise.report.text.label import history_text
from branchwise.report.text.outline import ShownPart, shown_part
from branchwise.report.text.wording import chance, plural, value
from branchwise.report.tree_drawing.drawing import Drawing, Kind, Mark, draw, title_of
from branchwise.report.tree_drawing.lettering import legible
from branchwise.report.tree_drawing.svg_pieces import (
    COST_SIZE,
    LABEL_SIZE,
    NODE_SIZE,
    WORTH_SIZE,
    Color,
    number,
    picture_svg,
    tag,
    text,
)
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

WIDEST_FITTED: Final = 1850.0
"""How wide a picture may be that is still read where a page shows it smaller."""

_LEAST_FITTED: Final = 800.0
_FAR = 130.0  # a single curve over more than this looks like a slanted line

_FRAMES: Final[dict[Kind, dict[str, str]]] = {
    Kind.FIRST: {"fill": Color.INK, "stroke": Color.INK},
    Kind.DECISION: {"fill": Color.PAPER, "stroke": "#6b7a8a"},
    Kind.REWARD: {"fill": Color.ACCENT, "stroke": Color.ACCENT},
    Kind.NOTHING: {"fill": "#f3f5f8", "stroke": "#d5dbe2"},
    Kind.STUB: {"fill": Color.PAPER, "stroke": "#9aa6b3", "stroke-dasharray": "4 3"},
}
_LETTERS: Final[dict[Kind, dict[str, str]]] = {
    Kind.FIRST: {"fill": "#ffffff", "font-weight": "600"},
    Kind.DECISION: {"fill": Color.INK, "font-weight": "600"},
    Kind.REWARD: {"fill": "#ffffff", "font-weight": "700"},
    Kind.NOTHING: {"fill": Color.MUTED},
    Kind.STUB: {"fill": Color.MUTED},
}


def solution_svg(solution: Solution, *, max_nodes: int = 200) -> str:
    """Draw the tree of a solution, as `tree_svg` does."""
    name = title_of(solution)
    if solution.history:
        name = f"{name or 'Decision tree'} after {history_text(solution.history)}"
    return tree_svg(solution.tree, title=name, max_nodes=max_nodes)


def tree_svg(
    tree: DecisionTree,
    *,
    title: str = "",
    max_nodes: int = 200,
    name: str = "branchwise",
    is_fitted: bool = False,
) -> str:
    """Draw a tree; a large one is folded to about its likeliest nodes."""
    part = shown_part(tree, max_nodes)
    return part_svg(tree, part, title=title, name=name, is_fitted=is_fitted)


def part_svg(
    tree: DecisionTree,
    part: ShownPart,
    *,
    title: str = "",
    name: str = "branchwise",
    is_fitted: bool = False,
) -> str:
    """
    Draw a part of a tree; ids begin with a name, another for each of a page.

    One that is fitted is shown smaller by the page, if it can be read then.
    """
    drawing = draw(tree, part)
    size = drawing.width, drawing.height
    heading = f"Decision tree: {title}" if title else "Decision tree"
    described, body = _description(tree, part), _body(drawing)
    can_fit = _LEAST_FITTED < drawing.width <= WIDEST_FITTED
    style = "bw-tree fitted" if is_fitted and can_fit else "bw-tree"
    return picture_svg(size, heading, described, body, name=name, style=style)


def _description(tree: DecisionTree, part: ShownPart) -> str:
    root, *_ = part.nodes
    size = plural(tree.num_nodes, "node")
    shown = f", of which {len(part.nodes):,} are shown" if part.num_hidden else ""
    worth = f"Its expected reward is {value(root.decision.value)}."
    if tree.problem is not None and tree.problem.is_least_cost:
        worth = f"Its expected cost is {value(-root.decision.value)}."
    if root.decision.action is None:
        return f"{worth} The best plan is to do nothing."
    steps = [
        f"{legible(child.place.outcome)} ({chance(child.place.chance)}): "
        f"then {legible(child.decision.action or 'stop')}"
        for child in root.children[:10]
    ]
    first = legible(root.decision.action)
    plan = f"First {first}. After {'; '.join(steps)}."
    return f"{worth} {plan} The tree has {size}{shown}."


def _body(drawing: Drawing) -> Iterator[str]:
    edges = [mark for mark in drawing.marks if mark.parent]
    # The likeliest edges are drawn last, so that they cross over the others.
    look = f'fill="none" stroke="{Color.LINE}" stroke-linecap="round"'
    yield f'<g class="bw-edges" {look}>'
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
    start = f"M{number(parent.x + parent.width)} {number(parent.y)}"
    path = f"{start}{_bend(mark, parent.y)}H{number(mark.x)}"
    dashes = {"stroke-dasharray": "4 5"} if mark.kind is Kind.STUB else {}
    ink = {"stroke": Color.INK, "class": "bw-likeliest"} if mark.is_likeliest else {}
    width = {"stroke-width": number(_thickness(mark))}
    return tag("path", {"d": path, **width, **dashes, **ink})


def _bend(mark: Mark, start: float) -> str:
    """Lead from one height to another: in a curve, or round two corners if far."""
    end = mark.y
    if abs(end - start) < 0.05:
        return ""
    y0, y1, x1 = number(start), number(end), number(mark.bend_end)
    middle = (mark.bend_start + mark.bend_end) / 2
    x = number(middle)
    if abs(end - start) < _FAR:
        return f"H{number(mark.bend_start)}C{x} {y0} {x} {y1} {x1} {y1}"
    corner = (mark.bend_end - mark.bend_start) / 2
    down = corner if end > start else -corner
    return (
        f"H{number(middle - corner)}Q{x} {y0} {x} {number(start + down)}"
        f"V{number(end - down)}Q{x} {y1} {x1} {y1}"
    )


def _thickness(mark: Mark) -> float:
    return 1.25 + 7 * mark.probability


def _edge_label(mark: Mark) -> Iterator[str]:
    baseline = number(mark.y - _thickness(mark) / 2 - 4)
    weight = {"font-weight": "700"} if mark.is_likeliest else {}
    outcome = {
        "x": number(mark.label_start),
        "y": baseline,
        "fill": Color.INK,
        **weight,
    }
    chance = {"x": number(mark.label_end), "y": baseline, "fill": Color.MUTED, **weight}
    yield tag("text", {**outcome, "class": "bw-outcome"}, text(mark.outcome))
    chance |= {"text-anchor": "end", "class": "bw-probabilities"}
    yield tag("text", chance, text(mark.chance))
    if mark.cost:
        below = number(mark.y + _thickness(mark) / 2 + 11)
        cost = {"x": number(mark.label_start), "y": below, "fill": Color.MUTED}
        cost |= {"font-size": f"{COST_SIZE:g}", "class": "bw-probabilities"}
        yield tag("text", cost, text(mark.cost))


def _node(mark: Mark) -> Iterator[str]:
    corners = {Kind.REWARD: mark.height / 2, Kind.NOTHING: 3.0}
    frame = {
        "x": number(mark.x),
        "y": number(mark.y - mark.height / 2),
        "width": number(mark.width),
        "height": number(mark.height),
        "rx": number(corners.get(mark.kind, 8.0)),
        "stroke-width": "1.5",
        **_FRAMES[mark.kind],
    }
    letters = {
        "x": number(mark.x + mark.width / 2),
        "y": number(mark.y + (-1.0 if mark.worth else 0.35 * NODE_SIZE)),
        "text-anchor": "middle",
        **_LETTERS[mark.kind],
    }
    yield f'<g class="bw-node bw-{mark.kind.value}">'
    yield tag("title", {}, text(mark.tooltip))
    yield tag("rect", frame)
    yield tag("text", letters, text(mark.text))
    if mark.worth:
        below = {"y": number(mark.y + 11.5), "font-size": f"{WORTH_SIZE:g}"}
        worth = {**letters, **below, "font-weight": "400", "class": "bw-worth"}
        yield tag("text", worth, text(mark.worth))
    yield "</g>"
