"""Cost-effectiveness, shown: the efficient plans, their plane, and acceptability."""

import math
from collections.abc import Callable, Iterator
from typing import Final

from branchwise.analysis.economics.cost_effectiveness import (
    CostEffectiveness,
    EfficientPlan,
)
from branchwise.model.budget import DEFAULT_RESOURCE, counted
from branchwise.report.charts.canvas import for_screens
from branchwise.report.charts.curve_chart import (
    STYLES,
    Axis,
    Cloud,
    Curve,
    Dot,
    line_chart,
)
from branchwise.report.column import Column, table_html, table_lines
from branchwise.report.markup import words
from branchwise.report.text.ink import Look
from branchwise.report.text.label import label
from branchwise.report.text.wording import chance, plural, short

TITLE: Final = "Cost-effectiveness"
NOTE: Final = "the best plan for every willingness to pay for a unit of effect"

_MANY: Final = "there are more efficient plans than these"

_DRAWN: Final = """The small points are the same plans with probabilities sampled as in
the section on uncertainty."""

_WIDE: Final = 30  # past such a ratio, willingness to pay is drawn by factors

_COLUMNS: Final = (
    Column("name", "plan"),
    Column("first_action", "starts with", "action", share=0.2),
    Column("effect", "effect", "rounded"),
    Column("cost", "cost", "rounded"),
    Column("ratio", "cost per effect", "rounded", ink="reward"),
    Column("best_from", "best from", "rounded"),
    Column("best_to", "to", "value", write=short),
    Column("incremental_effect", "more effect", "change"),
    Column("incremental_cost", "more cost", "change"),
)
_COMPARED: Final = (
    Column("name", "plan", "name"),
    Column("effect", "effect", "rounded"),
    Column("cost", "cost", "rounded"),
    Column("standing", "standing"),
)


def lines(found: CostEffectiveness, look: Look) -> Iterator[str]:
    """Return the efficient plans as text, and what is best as things are."""
    yield from table_lines(_COLUMNS, found.plans, look)
    if not found.is_complete:
        yield look.line((_MANY, "faint"))
    if found.compared:
        yield ""
        yield from table_lines(_COMPARED, found.compared, look)
    yield look.line(_now(found))


def _now(found: CostEffectiveness) -> str:
    """Return in words which plan is best at the willingness that the problem states."""
    if found.willingness is None:
        return f"cost counts {_counted(found)}"
    best = found.best_at(found.willingness)
    does = "do nothing" if best.first_action is None else label(best.first_action)
    at = f"at {short(found.willingness)} per unit of effect, as the cost weight says"
    return f"cost counts {_counted(found)}; {at}, {best.name} is the best: {does}"


def _counted(found: CostEffectiveness) -> str:
    prices = (found.prices or {}).items()
    return ", ".join(
        f"{short(price)} for each {_one(resource)} spent" for resource, price in prices
    )


def _one(resource: str) -> str:
    """Return what one of a resource is called."""
    one = counted(resource, 1)
    if resource in {DEFAULT_RESOURCE, one}:
        what = "budget" if resource == DEFAULT_RESOURCE else label(resource)
        return f"unit of {what}"
    return label(one)


def fragment(found: CostEffectiveness) -> str:
    """Return cost-effectiveness for a page: plans, plane and acceptability curves."""
    more = "" if found.is_complete else f" {_MANY[0].upper()}{_MANY[1:]}."
    now = _now(found)
    own = ""
    if found.compared:
        own = f"<h3>Plans of your own</h3>\n{table_html(_COMPARED, found.compared)}"
    return f"""<p class="hint">Effect is the reward, cost what is spent. A plan is
efficient if it is the best one for some willingness to pay for a unit of effect; what
one more unit costs, compared with the plan before it, is the incremental
cost-effectiveness ratio. Between its two ends each plan is the best there is: these
limits are exact.{more} {words(now[0].upper() + now[1:])}.</p>
{table_html(_COLUMNS, found.plans, "Efficient plans")}
{own}
{_plane(found)}
{_acceptability(found)}"""


def _plane(found: CostEffectiveness) -> str:
    """Draw the plans by cost and effect, with what they come to in the draws."""
    if len(found.plans) < 2:
        return ""
    points = [(float(p.effect), float(p.cost)) for p in found.plans]
    dots = [
        Dot(*at, _note(plan), plan.name.removeprefix("plan "))
        for at, plan in zip(points, found.plans, strict=True)
    ]
    dots += [
        Dot(float(p.effect), float(p.cost), f"{p.name}: {p.standing}")
        for p in found.compared
    ]
    clouds = [
        Cloud(
            [(d.effect, d.cost) for d in found.draws if d.plan == plan.name],
            STYLES[number % len(STYLES)],
        )
        for number, plan in enumerate(found.plans)
    ]
    is_spread = any(len({*cloud.points}) > 1 for cloud in clouds)
    drawn = f" {_DRAWN}" if is_spread else ""
    title = "The cost-effectiveness plane: what plans achieve and what they cost"
    curve = Curve(points, dots=dots, clouds=[c for c in clouds if c.points])
    chart = for_screens(
        lambda width: line_chart(
            [curve], Axis("effect"), Axis("cost"), title, width=width
        ),
        "Cost-effectiveness plane",
    )
    return f"""<h3>Cost-effectiveness plane</h3>
<p class="hint">Each numbered dot is an efficient plan; the line between two rises by
what one more unit of effect costs.{drawn}</p>
{chart}"""


def _note(plan: EfficientPlan) -> str:
    return f"{plan.name}: effect {short(plan.effect)}, cost {short(plan.cost)}"


def _acceptability(found: CostEffectiveness) -> str:
    """Draw how likely each plan is the best, by willingness to pay."""
    places = sorted({each.willingness for each in found.acceptability})
    if len(found.plans) < 2 or len(places) < 2:
        return ""
    is_wide = bool(places[0]) and places[-1] / places[0] > _WIDE
    scale: Callable[[float], float] = math.log10 if is_wide else float
    ranked = sorted(found.plans, key=lambda plan: -_most(found, plan.name))
    shown = [plan.name for plan in ranked[: len(STYLES)]]
    curves = [
        Curve(
            [
                (scale(float(each.willingness)), each.probability)
                for each in found.acceptability
                if each.plan == name
            ],
            name,
            style,
        )
        for name, style in zip(sorted(shown), STYLES, strict=False)
    ]
    word = (lambda x: short(float(f"{10**x:.2g}"))) if is_wide else short
    axes = Axis("willingness to pay", word), Axis("best with", chance, (0.0, 1.0))
    title = "How likely each plan is the best, by willingness to pay"
    chart = for_screens(
        lambda width: line_chart(curves, *axes, title, width=width),
        "Acceptability curves",
    )
    left = len(found.plans) - len(shown)
    less = f" The chart leaves out {plural(left, 'plan')}." if left else ""
    by = " Each step to the right is by a factor." if is_wide else ""
    return f"""<h3>Acceptability</h3>
<p class="hint">In how many of the draws each plan has the highest net monetary benefit:
how sure one can be of the choice, by what a unit of effect is worth.{by}{less}</p>
{chart}"""


def _most(found: CostEffectiveness, name: str) -> float:
    return max(e.probability for e in found.acceptability if e.plan == name)
