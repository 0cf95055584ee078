"""Profiles as one self-contained HTML page: which plan goes to whom, with pictures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

from branchwise.analysis.individuals.individuals import ProfilePlan, Profiles
from branchwise.report.answers.profiles import QUANTILES, how_many, rule_words
from branchwise.report.charts.distribution_picture import distribution_svg
from branchwise.report.charts.span_chart import Bar, Row, span_chart
from branchwise.report.page.html import header_html
from branchwise.report.page.markup import NONE, Column, name, scrollable, table, words
from branchwise.report.page.page_assets import filter_script
from branchwise.report.page.page_frame import page_frame
from branchwise.report.text.wording import chance, change, count, plural, rounded
from branchwise.report.tree_drawing.svg import tree_svg

__all__ = ["profiles_html"]

_MOST_ROWS: Final = 1000
_MOST_PICTURES: Final = 6
_MOST_BARS: Final = 40
_MOST_NODES: Final = 30


def profiles_html(found: Profiles) -> str:
    """Tell in one page which plan goes to whom."""
    title = found.problem.name.strip() or "Profiles"
    lead = "One problem, many individuals: which plan goes to whom, and what decides."
    header = header_html("Profiles", title, lead, _facts(found))
    body = "\n".join(
        f"""<section aria-labelledby="{place}">
<h2 id="{place}">{heading}</h2>
{content}
</section>"""
        for place, heading, content in _sections(found)
    )
    return page_frame(title, header, body, script=filter_script())


def _facts(found: Profiles) -> Iterator[tuple[str, str, str]]:
    mean = rounded(found.rewards.mean)
    yield "Expected reward", mean, "on average"
    is_whole = len(found.individuals) == found.num_all
    yield (
        "Individuals",
        f"{len(found.individuals):,}",
        "" if is_whole else (words(how_many(found))),
    )
    yield "Plans", f"{len(found.plans):,}", ""
    loss = found.mean_loss_common
    told = "" if loss is None else f"plan {found.plans[0].letter} for all"
    yield "One plan loses", NONE if loss is None else rounded(loss), told
    yield "Budget", words(str(found.problem.budget)), ""


def _sections(found: Profiles) -> Iterator[tuple[str, str, str]]:
    yield "plans", "Plans", _plans(found)
    yield "values", "Expected reward", _values(found)
    if len(found.plans) > 1:
        yield "apart", "What tells them apart", _apart(found)
        yield "for-all", "One plan for all", _one_for_all(found)
    yield "trees", "What each plan does", _trees(found)
    yield "who", "Who gets which", _who(found)


def _plans(found: Profiles) -> str:
    columns = [
        Column("Plan", is_head=True),
        Column("Starts with", "action"),
        Column("Individuals", "number"),
        Column("Share", "number"),
        Column("Worth to them", "number"),
        Column("Nodes", "number"),
        Column("Deepest", "number"),
    ]
    rows = [
        [
            _letter(found, plan),
            _first(plan.first_action),
            f"{len(plan.members):,}",
            chance(plan.share),
            rounded(plan.mean_expected_reward),
            count(plan.num_nodes),
            f"{plan.depth:,}",
        ]
        for plan in found.main_plans
    ]
    bars = [
        _bar(plan, 0, len(plan.members), chance(plan.share), f"{len(plan.members):,}")
        for plan in found.main_plans
    ]
    what = "How many individuals get each plan"
    chart = span_chart(bars, 0, what, base_word="")
    return f"""<p class="hint">Two individuals have the same plan if it takes the same
actions after the same outcomes, whatever the numbers. A star marks the plan of the
problem itself.{_more(found)}</p>
<figure>{scrollable(chart, what)}</figure>
{scrollable(table(columns, rows, style="wide"), "Plans")}"""


def _bar(plan: ProfilePlan, start: float, length: float, note: str, text: str) -> Row:
    """Draw a bar for a plan, to the right or to the left."""
    style: Literal["gain", "loss"] = "loss" if length < 0 else "gain"
    return Row(f"Plan {plan.letter}", (Bar(start, start + length, style, note, text),))


def _more(found: Profiles) -> str:
    more = found.plans[len(found.main_plans) :]
    if not more:
        return ""
    counted = plural(sum(len(plan.members) for plan in more), "individual")
    return f" Not shown: {plural(len(more), 'rarer plan')}, for {counted}."


def _values(found: Profiles) -> str:
    rewards = found.rewards
    picture = ""
    if len(rewards.chances) > 1:
        drawn = distribution_svg(
            _bars(found), "expected reward", mean=float(rewards.mean)
        )
        picture = f"<figure>{drawn}</figure>"
    told = [("Mean", rewards.mean), ("Least", rewards.least)]
    told += [(chance(share), rewards.quantile(share)) for share in QUANTILES]
    told.append(("Most", rewards.most))
    rows = [[words(what), rounded(number)] for what, number in told]
    columns = [Column("", is_head=True), Column("Expected reward", "number")]
    return f"""<p class="hint">What the plan of each individual is worth to it: the
mean, and what is not exceeded by so many of them.</p>
<div class="beside">
{table(columns, rows, style="narrow")}
{picture}
</div>"""


def _bars(found: Profiles) -> list[tuple[float, float]]:
    """Put values that are near each other together, the more of them the finer."""
    values = [each.expected_reward for each in found.individuals]
    low, high = min(values), max(values)
    count = min(max(8, math.isqrt(len(values))), _MOST_BARS)
    width = (high - low) / count
    bars = Counter(min(int((each - low) / width), count - 1) for each in values)
    return [
        (low + (bar + 0.5) * width, number / len(values))
        for bar, number in sorted(bars.items())
    ]


def _apart(found: Profiles) -> str:
    rules = [
        [_letter(found, plan), words(rule_words(plan.rule))]
        for plan in found.main_plans
        if plan.rule is not None
    ]
    columns = [Column("Plan", is_head=True), Column("Best single question")]
    letters = [Column(f"Plan {plan.letter}", "number") for plan in found.main_plans]
    ranges = [
        [name(parameter), *(_range(plan, place) for plan in found.main_plans)]
        for place, parameter in enumerate(found.parameters)
    ]
    listed = table([Column("Number", is_head=True), *letters], ranges, style="wide")
    return f"""<p class="hint">Of all thresholds of a single number, the one that tells
those who get a plan best from all others.</p>
{scrollable(table(columns, rules), "Best single questions")}
<h3>The numbers of those who get a plan</h3>
<p class="hint">Their mean, and below it the least and the most.</p>
{scrollable(listed, "Numbers by plan")}"""


def _range(plan: ProfilePlan, place: int) -> str:
    each = plan.numbers[place]
    low, mean, high = (rounded(n, 3) for n in (each.low, each.mean, each.high))
    spread = "" if each.low == each.high else f"<br><small>{low} to {high}</small>"
    return f"{mean}{spread}"


def _one_for_all(found: Profiles) -> str:
    mean = float(found.rewards.mean)
    losses = [
        (plan, mean - plan.mean_for_all)
        for plan in found.main_plans
        if plan.mean_for_all is not None
    ]
    if not losses:
        return '<p class="hint">The plans are too large to be valued for others.</p>'
    bars = [
        _bar(plan, mean, -loss, f"for all {rounded(mean - loss)}", change(-loss, 4))
        for plan, loss in losses
    ]
    what = "What plans are worth on average if everybody gets the same one"
    chart = span_chart(bars, mean, what, base_word="a plan for each")
    own = found.mean_loss_base
    base = "" if own is None else f" The problem's own plan loses {rounded(own)}."
    return f"""<p class="hint">The mean of what plans are worth if everybody gets the
same one, beside {rounded(mean)} with a plan for each. Where an action costs more than
somebody has left, or an outcome was not planned for, the plan stops.{base}</p>
<figure>{scrollable(chart, what)}</figure>"""


def _trees(found: Profiles) -> str:
    pictures = []
    for plan in found.main_plans[:_MOST_PICTURES]:
        first = name(plan.members[0])
        title = f"Plan {plan.letter}"
        if plan.first_action is None:
            drawn = "<p>Do nothing.</p>"
        else:
            tree = plan.solution().tree
            svg = tree_svg(
                tree, title=title, max_nodes=_MOST_NODES, name=f"plan-{plan.letter}"
            )
            drawn = f"<figure>{scrollable(svg.rstrip(), title)}</figure>"
        known = plural(len(plan.members), "individual")
        pictures.append(
            f'<h3>{title}</h3>\n<p class="hint">For {known}; drawn with the numbers of '
            f"{first}.</p>\n{drawn}"
        )
    more = len(found.plans) - len(pictures)
    note = (
        f'<p class="hint">{plural(more, "other plan")} not drawn.</p>' if more else ""
    )
    return "\n".join([*pictures, note])


def _who(found: Profiles) -> str:
    columns = [
        Column("Individual", is_head=True),
        Column("Plan"),
        Column("Starts with", "action"),
        Column("Expected reward", "number"),
        Column("Loss with the most common plan", "number"),
        *(Column(title) for title in found.kept_columns),
    ]
    shown = found.individuals[:_MOST_ROWS]
    rows = [
        [
            name(each.name),
            words(each.plan),
            _first(each.first_action),
            rounded(each.expected_reward),
            NONE if each.loss_common is None else rounded(each.loss_common),
            *map(name, each.kept),
        ]
        for each in shown
    ]
    note = ""
    if len(found.individuals) > len(shown):
        note = (
            f"The first {len(shown):,} of {len(found.individuals):,} individuals; "
            "<code>--csv</code> writes all of them. "
        )
    listed = table(columns, rows, style="wide")
    return f"""<p class="hint">{note}</p>
<label class="filter" hidden>Find <input type="search" data-filters="individuals"
autocomplete="off"> <span id="individuals-found" role="status"></span></label>
<div id="individuals">{scrollable(listed, "Who gets which plan")}</div>"""


def _letter(found: Profiles, plan: ProfilePlan) -> str:
    star = " \N{BLACK STAR}" if plan.letter == found.base_plan else ""
    return f"{plan.letter}{star}"


def _first(action: str | None) -> str:
    return "nothing" if action is None else name(action)
