"""All optimal plans as one picture: every state once, and all that is best there."""

from collections.abc import Iterator

from branchwise.program.reduced_plans import OptimalPlans
from branchwise.report.dependency_graph.boxes import ActionBox, Row
from branchwise.report.dependency_graph.dependencies import Link, Relation
from branchwise.report.dependency_graph.layered import lay_out
from branchwise.report.dependency_graph.layers import Box
from branchwise.report.dependency_graph.picture import (
    MARGIN,
    drawn_boxes,
    drawn_wires,
    wire_of,
)
from branchwise.report.text.wording import chance, plural, short
from branchwise.report.tree_drawing.lettering import cropped, legible
from branchwise.report.tree_drawing.svg_pieces import picture_svg


def plans_svg(plans: OptimalPlans) -> str:
    """
    Draw all optimal plans at once.

    A box is a state: what the plan is worth there, every action that is optimal, and
    their outcomes, from which lines lead to the next states or which say with what
    the plan stops.
    """
    states = [state for state, options in plans.options.items() if options] or [0]
    places = {state: place for place, state in enumerate(states)}
    shapes = [_box(plans, state) for state in states]
    links = [link for state in states for link in _links(plans, state, places)]
    layers = [0] * len(states)
    for link in links:  # Every state comes after those that lead to it.
        layers[link.target] = max(layers[link.target], layers[link.source] + 1)
    widths = [shape.width for shape in shapes]
    sized = zip(widths, shapes, layers, strict=True)
    wires = [wire_of(link, shapes) for link in links]
    picture = lay_out([Box(w, s.height, layer) for w, s, layer in sized], wires)
    size = picture.width + 2 * MARGIN, picture.height + 2 * MARGIN
    name = plans.problem.name.strip()
    body = [
        f'<g transform="translate({MARGIN:g} {MARGIN:g})">',
        *drawn_wires(links, picture),
        *drawn_boxes(shapes, picture.corners, widths),
        "</g>",
    ]
    title = f"All optimal plans: {name}" if name else "All optimal plans"
    described = f"{plural(len(states), 'state')} at which something is decided."
    return picture_svg(
        size, title, described, body, name="branchwise-plans", style="bw-graph"
    )


def _box(plans: OptimalPlans, state: int) -> ActionBox:
    """Return what stands in the box of a state."""
    worth = _worth(plans, state)
    options = plans.options[state]
    several = f"{len(options)} best actions" if len(options) > 1 else ""
    rows = [row for option in options for row in _rows(plans, option)]
    if plans.may_stop(state):
        rows.append(Row(f"{'or ' if rows else ''}{_stop(plans, state)}"))
    return ActionBox(worth, several, tuple(rows), worth)


def _worth(plans: OptimalPlans, state: int) -> str:
    """Return what the plans are worth from a state on, or cost."""
    if plans.problem.is_least_cost:
        return f"costs {short(0 - plans.scores[state])}"
    return f"worth {short(plans.scores[state])}"


def _stop(plans: OptimalPlans, state: int) -> str:
    """Return that the plans stop at a state, and with what."""
    score = plans.scores[state]
    if not plans.problem.is_least_cost:
        return f"stop with {short(score)}"
    return f"stop unfinished: {short(0 - score)}" if score else "stop"


def _rows(plans: OptimalPlans, option: int) -> Iterator[Row]:
    graph = plans.graph
    yield Row(cropped(legible(graph.action_name(option))))
    for branch in graph.branches(option):
        child = graph.children[branch]
        label = cropped(legible(graph.event(option, branch).outcome))
        if not plans.options[child]:
            label += f": {_stop(plans, child)}"
        yield Row(
            f"\N{EN DASH} {label}", chance(graph.probabilities[branch]), str(branch)
        )


def _links(plans: OptimalPlans, state: int, places: dict[int, int]) -> Iterator[Link]:
    graph = plans.graph
    for option in plans.options[state]:
        for branch in graph.branches(option):
            child = graph.children[branch]
            if plans.options[child]:
                source, target = places[state], places[child]
                yield Link(source, target, str(branch), Relation.NEEDS)
