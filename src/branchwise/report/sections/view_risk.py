"""Risk, told: plans for each aim, their risk profiles, and the way between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from branchwise.analysis.risk import Risk, RiskFrontier
from branchwise.report.charts.curve_chart import STYLES, Axis, Curve, Dot, line_chart
from branchwise.report.page.markup import NONE, Column, name, scrollable, table, words
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import chance, plural, rounded, value
from branchwise.tree.distribution import Distribution
from branchwise.tree.solution import MeasuredPlan, Solution

__all__ = ["risk_fragment", "risk_lines"]

_NEUTRAL: Final = "expected reward"
_MOST_CURVES: Final = len(STYLES)

_Steps = tuple[tuple[float, float], ...]


def risk_lines(found: Risk, look: Look) -> Iterator[str]:
    """Tell risk as text: the best plan for each aim, then the plans between."""
    if found.reason:
        yield from (look.line([(line, "plain")]) for line in found.reason.splitlines())
        return
    titles = ["aim", "worth", "neutral", "as sure", "expected", "given up", "first"]
    rows = [_row(answer, look.name) for answer in found.answers]
    yield from aligned(titles, rows, look, words=0, inks={1: "reward"})
    for frontier in found.frontiers:
        yield ""
        yield look.line([(_between(frontier), "plain")])
        if len(frontier.plans) > 1:
            points = [_point(frontier, plan, look.name) for plan in frontier.plans]
            titles = [frontier.aim.title, "expected", "first"]
            yield from aligned(titles, points, look, words=-1)


def _row(answer: Solution, named: Callable[[str, float], str]) -> list[str]:
    aim = answer.aim
    assert aim is not None
    assert aim.neutral is not None
    worth = chance if aim.is_probability else rounded
    sure = aim.certainty_equivalent
    return [
        named(aim.title, 0.3),
        worth(aim.worth),
        worth(aim.neutral.worth),
        "-" if sure is None else rounded(sure),
        rounded(answer.expected_reward),
        rounded(max(aim.price, 0)),
        named(answer.first_action or "none", 0.2),
    ]


def _worth(found: RiskFrontier, plan: MeasuredPlan) -> str:
    return chance(plan.worth) if found.aim.is_probability else rounded(plan.worth)


def _point(
    frontier: RiskFrontier, plan: MeasuredPlan, named: Callable[[str, float], str]
) -> list[str]:
    first = named(plan.solution.first_action or "none", 0.2)
    return [_worth(frontier, plan), rounded(plan.expected_reward), first]


def _between(frontier: RiskFrontier) -> str:
    """Say how many plans there are between the highest reward and the aim."""
    title, num_plans = frontier.aim.title, len(frontier.plans)
    if num_plans == 1:
        return f"{title}: the plan with the highest expected reward is best for it, too"
    which = "all" if frontier.is_complete else "the first found"
    return f"{title} against expected reward: {num_plans} supported plans, {which}"


def risk_fragment(found: Risk) -> str:
    """Tell risk in a page: the plans, their risk profiles, and the frontiers."""
    if found.reason:
        return f'<p class="hint">{words(found.reason)}</p>'
    frontiers = "\n".join(map(_frontier, found.frontiers))
    return f"""<p class="hint">The plan with the highest expected reward may have
unpleasant endings. These plans make the most of something else; what they give up is
expected reward. Rewards are less weighted cost, where the problem has any.</p>
{_plans(found)}
<h3>Risk profile</h3>
<p class="hint">How likely each plan ends with so much or more.{_aside(found)}</p>
{scrollable(_profile(found), "Chart of risk profiles")}
{frontiers}"""


def _plans(found: Risk) -> str:
    columns = [
        Column("Aim", is_head=True),
        Column("Worth", "number"),
        Column("Neutral plan", "number"),
        Column("As good as a sure", "number"),
        Column("Expected reward", "number"),
        Column("Given up", "number"),
        Column("First action", "action"),
    ]
    rows = []
    for answer in found.answers:
        title, *numbers, first = _row(answer, lambda text, _: text)
        cells = [NONE if cell == "-" else words(cell) for cell in numbers]
        rows.append([words(title), *cells, name(first)])
    return scrollable(table(columns, rows, style="wide"), "Plans for each aim")


def _aside(found: Risk) -> str:
    num_profiles = len(_profiles(found))
    num_others = num_profiles - _MOST_CURVES
    if num_profiles == 1:
        return " Here all of them end alike."
    if num_others <= 0:
        return ""
    return f" The chart leaves out {plural(num_others, 'plan')}."


def _profile(found: Risk) -> str:
    curves = [
        Curve(steps, f"best {', '.join(titles)}", style)
        for (steps, titles), style in zip(
            _profiles(found).items(), STYLES, strict=False
        )
    ]
    across, upward = Axis("reward"), Axis("so much or more", chance)
    return line_chart(curves, across, upward, "How likely so much or more is")


def _profiles(found: Risk) -> dict[_Steps, list[str]]:
    """Give each profile once, with all that it is best for: they often coincide."""
    titles = {_steps(found.neutral.rewards): [_NEUTRAL]}
    for aim in (answer.aim for answer in found.answers):
        if aim is not None and aim.rewards is not None:
            titles.setdefault(_steps(aim.rewards), []).append(aim.title)
    return titles


def _steps(rewards: Distribution) -> _Steps:
    """Give the corners of the stairs: flat between rewards, down at each."""
    points = [(float(rewards.least), 1.0)]
    reached = 1.0
    for reward, probability in rewards.chances:
        points.append((float(reward), reached))
        reached = max(0.0, reached - float(probability))
        points.append((float(reward), reached))
    return tuple(points)


def _frontier(frontier: RiskFrontier) -> str:
    title = frontier.aim.title
    head = f"<h3>{words(title[0].upper() + title[1:])} against expected reward</h3>"
    if len(frontier.plans) == 1:
        told = f"The plan with the highest {_NEUTRAL} is best for it, too."
        return f'{head}\n<p class="hint">{told}</p>'
    points = [(float(p.worth), float(p.expected_reward)) for p in frontier.plans]
    dots = [
        Dot(*point, _told(frontier, plan))
        for point, plan in zip(points, frontier.plans, strict=True)
    ]
    curve = Curve(points, dots=dots)
    word = chance if frontier.aim.is_probability else value
    chart = line_chart(
        [curve], Axis(title, word), Axis("expected reward"), f"{title}: what it costs"
    )
    more = "" if frontier.is_complete else " There are more between these."
    return f"""{head}
<p class="hint">Each dot is a supported plan: best for some weighting of the two. No
plan lies beyond the line, not even one that tosses a coin. There may be plans below it
that no other one beats in both; they are not shown.{more}</p>
{scrollable(chart, "Chart of supported plans")}"""


def _told(frontier: RiskFrontier, plan: MeasuredPlan) -> str:
    first = plan.solution.first_action or "nothing"
    worth = f"{frontier.aim.title} {_worth(frontier, plan)}"
    return f"{worth}, expected reward {rounded(plan.expected_reward)}, first {first}"
