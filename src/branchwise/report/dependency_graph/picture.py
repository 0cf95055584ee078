"""The dependency graph of a problem as a picture, after the paper's figure."""

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.model.action import Action
from branchwise.model.conditions.condition import ALWAYS, NEVER
from branchwise.model.problem import Problem
from branchwise.report.dependency_graph.boxes import ActionBox, AnyBox, boxes
from branchwise.report.dependency_graph.dependencies import (
    Dependencies,
    Gate,
    Link,
    Relation,
    dependencies,
)
from branchwise.report.dependency_graph.layered import Layered, Point, Route, lay_out
from branchwise.report.dependency_graph.layers import Box, Wire, layers, with_more
from branchwise.report.dependency_graph.wires import legend, wire_svg
from branchwise.report.text.wording import plural
from branchwise.report.tree_drawing.svg_pieces import number, picture_svg

MARGIN: Final = 24.0
"""Around a picture."""

_FAN: Final = 20.0  # how far apart wires arrive at one place, all of them
_FAN_STEP: Final = 7.0  # ... and two of them


def dependency_svg(problem: Problem) -> str:
    """
    Draw the dependency graph of a problem.

    Actions are boxes with their outcomes, from which solid lines lead to what needs
    them and dashed lines to what they rule out; gates say whether all of several
    conditions must hold or any; stars are rewards.
    """
    graph = dependencies(problem)
    shapes = boxes(graph)
    columns = _layers(graph)
    widths = _widths(shapes, columns)
    picture = lay_out(
        [Box(w, s.height, c) for w, s, c in zip(widths, shapes, columns, strict=True)],
        [wire_of(link, shapes) for link in graph.links],
    )
    below, (right, bottom) = legend(graph, picture.height + 2 * MARGIN)
    name = problem.name.strip()
    return picture_svg(
        (max(picture.width + MARGIN, right) + MARGIN, bottom + MARGIN),
        f"Dependency graph: {name}" if name else "Dependency graph",
        _description(problem),
        [
            f'<g transform="translate({MARGIN:g} {MARGIN:g})">',
            *drawn_wires(graph.links, picture),
            *drawn_boxes(shapes, picture.corners, widths),
            "</g>",
            *below,
        ],
        name="branchwise-graph",
        style="bw-graph",
    )


def _description(problem: Problem) -> str:
    size = f"{plural(len(problem.actions), 'action')} and "
    size += plural(len(problem.rewards), "reward")
    needs = [(a.name, "needs", a.requires) for a in problem.actions]
    rules = [(a.name, "is ruled out by", a.precluded_by) for a in problem.actions]
    relations = [
        f"{name} {word} {condition}"
        for name, word, condition in needs + rules
        if condition not in (ALWAYS, NEVER)
    ]
    relations += [
        f"{r.value} is paid {f'per {r.per}' if r.per else f'for {r.when}'}"
        for r in problem.rewards
    ]
    if problem.finish is not None:
        relations.append(f"one may stop when {problem.finish}")
    more = "" if len(relations) <= 40 else f"; and {len(relations) - 40} more"
    return f"{size}. {'; '.join(relations[:40])}{more}."


def _layers(graph: Dependencies) -> list[int]:
    """
    Let what is needed decide the columns, then what changes probabilities.

    Gates stand next to what they lead to, and nothing may come after gates and rewards.
    """
    firm = [(k.source, k.target) for k in graph.links if k.relation is Relation.NEEDS]
    through = [
        (k.source, k.target)
        for k in graph.links
        if k.relation is Relation.RULES_OUT
        and (
            isinstance(graph.items[k.source], Gate)
            or not isinstance(graph.items[k.target], Action)
        )
    ]
    gates = {n for n, item in enumerate(graph.items) if isinstance(item, Gate)}
    soft = [(k.source, k.target) for k in graph.links if k.relation is Relation.CHANGES]
    return layers(len(graph.items), with_more(firm, [*through, *soft]), gates)


def _widths(shapes: Sequence[AnyBox], columns: Sequence[int]) -> list[float]:
    """Make the actions of a column equally wide."""
    widest: dict[int, float] = {}
    for shape, column in zip(shapes, columns, strict=True):
        if isinstance(shape, ActionBox):
            widest[column] = max(widest.get(column, 0.0), shape.width)
    return [
        widest[column] if isinstance(shape, ActionBox) else shape.width
        for shape, column in zip(shapes, columns, strict=True)
    ]


def wire_of(link: Link, shapes: Sequence[AnyBox]) -> Wire:
    """Return where the wire of a link leaves and arrives."""
    return Wire(
        link.source,
        link.target,
        shapes[link.source].leaves(link.outcome),
        shapes[link.target].enters(link.relation),
        (link.outcome, link.relation),
    )


def drawn_wires(links: Sequence[Link], picture: Layered) -> Iterator[str]:
    """Draw what is needed last, so that it crosses over the rest."""
    order = [Relation.CHANGES, Relation.RULES_OUT, Relation.NEEDS]
    routed = zip(links, _fanned(links, picture.routes), strict=True)
    reaches = _reaches(picture.routes)
    yield '<g fill="none" stroke-linecap="butt">'
    for link, route in sorted(routed, key=lambda each: order.index(each[0].relation)):
        yield from wire_svg(route, link.relation, reaches.get(route, 0.0))
    yield "</g>"


def _reaches(routes: Sequence[Route]) -> dict[Route, float]:
    """Let wires that come back to their column run side by side, the long outside."""
    loops: dict[float, list[Route]] = {}
    for route in routes:
        if len(route) == 2:
            loops.setdefault(route[0][0], []).append(route)
    result = {}
    for side in loops.values():
        side.sort(key=lambda route: abs(route[0][1] - route[1][1]))
        for rank, route in enumerate(side):
            result[route] = min(24.0 + 8 * rank, 64.0)
    return result


def _fanned(links: Sequence[Link], routes: Sequence[Route]) -> list[Route]:
    """Let wires that arrive at one place from the left arrive side by side."""
    result = list(routes)
    arriving: dict[tuple[int, float], list[int]] = {}
    for wire, (link, route) in enumerate(zip(links, routes, strict=True)):
        if len(route) > 2 and route[0][0] < route[-1][0]:
            place = link.target, route[-1][1]
            arriving.setdefault(place, []).append(wire)
    for wires in arriving.values():
        wires.sort(key=lambda wire: result[wire][-3][1])
        step = min(_FAN_STEP, _FAN / len(wires))
        for rank, wire in enumerate(wires):
            x, y = result[wire][-1]
            aside = y + step * (rank - (len(wires) - 1) / 2)
            result[wire] = (*result[wire][:-2], (x, aside), (x, aside))
    return result


def drawn_boxes(
    shapes: Sequence[AnyBox], corners: Sequence[Point], widths: Sequence[float]
) -> Iterator[str]:
    """Draw the boxes where they stand."""
    for shape, (x, y), width in zip(shapes, corners, widths, strict=True):
        yield f'<g transform="translate({number(x)} {number(y)})">'
        yield from shape.svg(width)
        yield "</g>"
