"""The budget frontier, told: what each further unit would buy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.sensitivity.frontier import (
    BudgetFrontier,
    FrontierPoint,
    ResourceFrontier,
)
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, limit_text
from branchwise.report.charts.curve_chart import Curve, Dot, Upright, curve_chart
from branchwise.report.page.markup import (
    NONE,
    Column,
    listing,
    name,
    scrollable,
    words,
)
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import change, count, value

__all__ = ["frontier_fragment", "frontier_lines"]

_MOST_LINES: Final = 40


def frontier_lines(found: BudgetFrontier, look: Look) -> Iterator[str]:
    """Tell the frontier along each resource, and the shadow prices."""
    for number, each in enumerate(found.resources):
        if number:
            yield ""
        yield from _resource_lines(each, look)
        yield look.line([(_price(each), "plain")])


def frontier_fragment(found: BudgetFrontier) -> str:
    """Tell the frontier in a page: a curve and a table for each resource."""
    hint = """<p class="hint">What the best plan is worth with less. The line rises
where a budget first pays for something better. Dots mark the kinks, after which each
further unit pays less; at a dashed line the plan comes to start with another action. Of
several resources one is varied at a time.</p>"""
    return "\n".join([hint, *map(_fragment, found.resources)])


def _resource_lines(each: ResourceFrontier, look: Look) -> Iterator[str]:
    title = look.name(_called(each), 0.3)
    titles = [title, "reward", "gain", "per unit", "kink", "first action", "nodes"]
    shown = each.points if len(each.points) <= _MOST_LINES else _kinks(each)
    rows = [
        [
            value(p.budget),
            value(p.expected_reward),
            change(p.gain),
            change(p.gain_per_unit),
            "*" if p.is_kink else "",
            "none" if p.first_action is None else look.name(p.first_action, 0.3),
            count(p.tree_nodes),
        ]
        for p in shown
    ]
    yield from aligned(titles, rows, look, words=5, inks={1: "reward"})
    if len(shown) < len(each.points):
        left_out = f"only kinks are shown, of {count(len(each.points))} steps"
        yield look.line([(left_out, "faint")])


def _kinks(each: ResourceFrontier) -> list[FrontierPoint]:
    return [point for point in each.points if point.is_kink]


def _called(each: ResourceFrontier) -> str:
    return "budget" if each.resource == DEFAULT_RESOURCE else each.resource


def _price(each: ResourceFrontier) -> str:
    """Say what one unit more or less would mean."""
    what = _called(each)
    if each.limit == UNLIMITED:
        return f"{what} is unlimited: more gains nothing"
    more = f"one unit more of {what} gains {value(each.gain_of_more)}"
    if each.loss_of_less is None:
        return more
    return f"{more}, one unit less loses {value(each.loss_of_less)}"


def _fragment(each: ResourceFrontier) -> str:
    columns = [
        Column("Budget", is_head=True),
        Column("Expected reward", "number"),
        Column("Gain", "number"),
        Column("Per unit", "number"),
        Column("Kink"),
        Column("First action", "action"),
        Column("Nodes", "number"),
    ]
    rows = [
        [
            words(limit_text(p.budget)),
            value(p.expected_reward),
            change(p.gain),
            change(p.gain_per_unit),
            "yes" if p.is_kink else NONE,
            NONE if p.first_action is None else name(p.first_action),
            count(p.tree_nodes),
        ]
        for p in each.points
    ]
    listed = listing(columns, rows, "The steps of the frontier")
    chart = scrollable(_chart(each), "Chart of the frontier")
    price = _price(each)
    return f"""<h3>{name(_called(each))}</h3>
<p>{words(price[0].upper() + price[1:])}.</p>
{chart}
{listed}"""


def _chart(each: ResourceFrontier) -> str:
    steps = [(float(p.budget), p.expected_reward) for p in each.points]
    end = each.limit if each.limit < UNLIMITED else each.points[-1].budget
    points = [*steps, (float(end), steps[-1][1])]
    dots = [
        Dot(x, y, f"{value(p.budget)}: {value(y)}")
        for p, (x, y) in zip(each.points, steps, strict=True)
        if p.is_kink
    ]
    uprights = [
        Upright(float(p.budget), p.first_action or "none", _starts(p))
        for before, p in zip(each.points, each.points[1:], strict=False)
        if p.first_action != before.first_action
    ]
    title = f"What each amount of {_called(each)} is worth"
    curve = Curve(points, is_stepped=True, dots=dots, uprights=uprights)
    return curve_chart(curve, _called(each), title)


def _starts(point: FrontierPoint) -> str:
    first = "nothing" if point.first_action is None else point.first_action
    return f"from {value(point.budget)} on, the plan starts with {first}"
