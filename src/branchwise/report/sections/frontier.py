"""The budget frontier, shown: what each further unit would buy."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from branchwise.analysis.sensitivity.frontier import (
    BudgetFrontier,
    FrontierPoint,
    ResourceFrontier,
)
from branchwise.model.budget import UNLIMITED
from branchwise.report.charts.canvas import for_screens
from branchwise.report.charts.curve_chart import Curve, Dot, Upright, curve_chart
from branchwise.report.column import Column, table_html, table_lines
from branchwise.report.markup import name, words
from branchwise.report.text.cost_wording import is_counting_costs
from branchwise.report.text.ink import Look
from branchwise.report.text.shadow_price import called, shadow_price
from branchwise.report.text.wording import count, sentence, value

TITLE: Final = "Budget frontier"
NOTE: Final = "what smaller budgets are worth; after a kink further units pay less"

_MOST_LINES: Final = 40


def lines(found: BudgetFrontier, look: Look) -> Iterator[str]:
    """Return the frontier along each resource, and the shadow prices, as text."""
    for number, each in enumerate(found.resources):
        if number:
            yield ""
        is_long = len(each.points) > _MOST_LINES
        shown = [p for p in each.points if p.is_kink or not is_long]
        yield from table_lines(_columns(look.name(called(each), 0.3)), shown, look)
        if is_long:
            steps = count(len(each.points))
            yield look.line((f"only kinks are shown, of {steps} steps", "faint"))
        yield look.line(shadow_price(each, is_cost=is_counting_costs()))


def fragment(found: BudgetFrontier) -> str:
    """Return the frontier for a page: a curve and a table for each resource."""
    hint = """<p class="hint">What the best plan is worth with less. The line rises
where a budget first pays for something better. Dots mark the kinks, after which each
further unit pays less; at a dashed line the plan comes to start with another action. Of
several resources one is varied at a time.</p>"""
    return "\n".join([hint, *map(_fragment, found.resources)])


def _columns(resource: str) -> Sequence[Column]:
    return (
        Column("budget", resource, "value"),
        Column("expected_reward", "expected reward", "value", ink="reward"),
        Column("gain", "gain", "change"),
        Column("gain_per_unit", "per unit", "change"),
        Column("is_kink", "kink", get=lambda point: "yes" if point.is_kink else None),
        Column("first_action", "first action", "action", share=0.3),
        Column("tree_nodes", "nodes", "count"),
    )


def _fragment(each: ResourceFrontier) -> str:
    resource = called(each)
    price = shadow_price(each, is_cost=is_counting_costs())
    return f"""<h3>{name(resource)}</h3>
<p>{words(sentence(price))}</p>
{_chart(each)}
{table_html(_columns(resource), each.points, "The steps of the frontier")}"""


def _chart(each: ResourceFrontier) -> str:
    steps = [(float(p.budget), p.expected_reward) for p in each.points]
    end = each.limit if each.limit < UNLIMITED else each.points[-1].budget
    points = [*steps, (float(end), steps[-1][1])]
    dots = [
        Dot(
            float(p.budget),
            p.expected_reward,
            f"{value(p.budget)}: {value(p.expected_reward)}",
        )
        for p in each.points
        if p.is_kink
    ]
    uprights = [
        Upright(float(p.budget), p.first_action or "none", _starts(p))
        for before, p in pairwise(each.points)
        if p.first_action != before.first_action
    ]
    title = f"What each amount of {called(each)} is worth"
    curve = Curve(points, is_stepped=True, dots=dots, uprights=uprights)
    return for_screens(
        lambda width: curve_chart(curve, called(each), title, width=width),
        "Chart of the frontier",
    )


def _starts(point: FrontierPoint) -> str:
    first = point.first_action or "nothing"
    return f"from {value(point.budget)} on, the plan starts with {first}"
