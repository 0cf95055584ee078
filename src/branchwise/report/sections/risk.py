"""Risk, shown: plans for each aim, their risk profiles, and the way between them."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

from branchwise.analysis.risk import Risk, RiskFrontier
from branchwise.report.charts.canvas import for_screens
from branchwise.report.charts.curve_chart import STYLES, Axis, Curve, Dot, line_chart
from branchwise.report.charts.profile_chart import (
    Steps,
    profile_chart,
    profile_steps,
)
from branchwise.report.column import Column, page_number, table_html, table_lines
from branchwise.report.markup import words
from branchwise.report.text.ink import Ink, Look
from branchwise.report.text.wording import chance, plural, rounded, sentence, value
from branchwise.risk.aims import Aim
from branchwise.space.state_space import Real
from branchwise.tree.solution import AimMet, MeasuredPlan

TITLE: Final = "Risk"
NOTE: Final = "the best plan for other aims than the mean, and the mean it gives up"

_NEUTRAL: Final = "expected reward"


def _worth(aim: Aim | AimMet, worth: Real) -> str:
    return chance(worth) if aim.is_probability else rounded(worth)


def _figure(key: str, title: str, number: str, ink: Ink = "plain") -> Column:
    """Return a column with a number of aims, each as its aim counts."""
    get = attrgetter(number)

    def shown(answer: Any) -> str:
        kind = "chance" if answer.aim.is_probability else "rounded"
        return page_number(kind, get(answer.aim))

    def worth(answer: Any) -> str:
        return _worth(answer.aim, get(answer.aim))

    return Column(key, title, "figure", worth, ink, html=shown)


_AIM: Final = (
    Column("aim", "aim", get="aim.title"),
    _figure("worth", "worth", "worth", "reward"),
)
_SURE: Final = Column(
    "certainty_equivalent", "as sure", "rounded", "aim.certainty_equivalent"
)
_PLANS: Final = (
    *_AIM,
    _figure("neutral_worth", "neutral", "neutral.worth"),
    _SURE,
    Column("expected_reward", "expected", "rounded"),
    Column("price", "given up", "rounded", lambda answer: max(answer.aim.price, 0)),
    Column("first_action", "first action", "action", share=0.2),
)
_KEPT: Final = (*_AIM, _figure("upper_bound", "at most", "upper_bound"), _SURE)


def lines(found: Risk, look: Look) -> Iterator[str]:
    """Return risk as text: the best plan for each aim, then the plans between."""
    if found.reason:
        yield from (look.line(line) for line in found.reason.splitlines())
    if not found.answers:
        return
    columns = _KEPT if found.is_plan_kept else _PLANS
    yield from table_lines(columns, found.answers, look)
    for frontier in found.frontiers:
        yield ""
        yield look.line(_between(frontier))
        if len(frontier.plans) > 1:
            yield from table_lines(_points(frontier), frontier.plans, look)


def _points(frontier: RiskFrontier) -> Sequence[Column]:
    aim, first = frontier.aim, "solution.first_action"
    return (
        Column("worth", aim.title, "figure", lambda plan: _worth(aim, plan.worth)),
        Column("expected_reward", "expected", "rounded"),
        Column("first_action", "first action", "action", first, share=0.2),
    )


def _between(frontier: RiskFrontier) -> str:
    """Return how many plans there are between the highest reward and the aim."""
    title, num_plans = frontier.aim.title, len(frontier.plans)
    if num_plans == 1:
        return f"{title}: the plan with the highest expected reward is best for it, too"
    which = "all" if frontier.is_complete else "the first found"
    return f"{title} against expected reward: {num_plans} supported plans, {which}"


def fragment(found: Risk) -> str:
    """Return risk for a page: the plans, their risk profiles, and the frontiers."""
    why = f" {words(sentence(found.reason))}" if found.reason else ""
    if not found.answers:
        return f'<p class="hint">{why.strip()}</p>'
    if found.is_plan_kept:
        why = why and f" The best plan for each aim is not looked for here:{why}"
        return f"""<p class="hint">How well this plan meets each aim, and any plan at
most. As sure is the certainty equivalent. Rewards are less weighted cost, where
the problem has any.{why}</p>
{table_html(_KEPT, found.answers, "This plan by each aim")}
<h3>Risk profile</h3>
<p class="hint">How likely this plan ends with so much or more.</p>
{_profile(found, "this plan")}"""
    frontiers = "\n".join(map(_frontier, found.frontiers))
    return f"""<p class="hint">The plan with the highest expected reward may have
unpleasant endings. These plans make the most of something else; what they give up is
expected reward. Neutral is what the plan with the highest expected reward is worth, as
sure the certainty equivalent. Rewards are less weighted cost, where the problem has
any.</p>
{table_html(_PLANS, found.answers, "Plans for each aim")}
<h3>Risk profile</h3>
<p class="hint">How likely each plan ends with so much or more.{_aside(found)}</p>
{_profile(found)}
{frontiers}"""


def _aside(found: Risk) -> str:
    num_profiles = len(_profiles(found))
    if num_profiles == 1:
        return " Here all of them end alike."
    more = num_profiles - len(STYLES)
    return f" The chart leaves out {plural(more, 'plan')}." if more > 0 else ""


def _profile(found: Risk, title: str = "") -> str:
    profiles = _profiles(found).items()
    return profile_chart(
        {title or f"best {', '.join(titles)}": steps for steps, titles in profiles}
    )


def _profiles(found: Risk) -> dict[Steps, list[str]]:
    """Return each profile once, with all that it is best for: they often coincide."""
    titles = {profile_steps(found.neutral.rewards): [_NEUTRAL]}
    for aim in (answer.aim for answer in found.answers):
        if aim is not None and aim.rewards is not None:
            titles.setdefault(profile_steps(aim.rewards), []).append(aim.title)
    return titles


def _frontier(frontier: RiskFrontier) -> str:
    title = frontier.aim.title
    head = f"<h3>{words(title[0].upper() + title[1:])} against expected reward</h3>"
    if len(frontier.plans) == 1:
        best = f"The plan with the highest {_NEUTRAL} is best for it, too."
        return f'{head}\n<p class="hint">{best}</p>'
    points = [(float(p.worth), float(p.expected_reward)) for p in frontier.plans]
    notes = (_note(frontier, plan) for plan in frontier.plans)
    dots = [Dot(*point, note) for point, note in zip(points, notes, strict=True)]
    across = Axis(title, chance if frontier.aim.is_probability else value)
    curve, upward = Curve(points, dots=dots), Axis("expected reward")
    chart = for_screens(
        lambda width: line_chart(
            [curve], across, upward, f"{title}: what it costs", width=width
        ),
        "Chart of supported plans",
    )
    more = "" if frontier.is_complete else " There are more between these."
    return f"""{head}
<p class="hint">Each dot is a supported plan: best for some weighting of the two. No
plan lies beyond the line, not even one that tosses a coin. There may be plans below it
that no other one beats in both; they are not shown.{more}</p>
{chart}"""


def _note(frontier: RiskFrontier, plan: MeasuredPlan) -> str:
    first = plan.solution.first_action or "nothing"
    worth = f"{frontier.aim.title} {_worth(frontier.aim, plan.worth)}"
    return f"{worth}, expected reward {rounded(plan.expected_reward)}, first {first}"
