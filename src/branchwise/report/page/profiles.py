"""Profiles as one self-contained HTML page: which plan goes to whom, with pictures."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from branchwise.analysis.individuals.individuals import ProfilePlan, Profiles
from branchwise.report.answers.profiles import how_many, rule_words, spread
from branchwise.report.charts.canvas import for_screens
from branchwise.report.charts.span_chart import Bar, Row, span_chart
from branchwise.report.charts.upright_bars import distribution_svg
from branchwise.report.least_cost import in_costs
from branchwise.report.page.assets import filter_script
from branchwise.report.page.templates import page_from
from branchwise.report.text.wording import chance, change, rounded
from branchwise.report.tree_drawing.svg import tree_svg

_MOST_ROWS: Final = 1000
_MOST_PICTURES: Final = 6
_MOST_BARS: Final = 40
_MOST_NODES: Final = 30


def profiles_page(profiles: Profiles) -> str:
    """Return in one page which plan goes to whom; in costs, where these count."""
    if profiles.problem.is_least_cost:
        profiles = in_costs(profiles)
    main = profiles.main_plans
    is_whole = len(profiles.individuals) == profiles.num_all
    values = {
        "profiles": profiles,
        "how_many": "" if is_whole else how_many(profiles),
        "shares": _shares_chart(profiles),
        "rarer": profiles.plans[len(main) :],
        "quantiles": [(title.capitalize(), each) for title, each in spread(profiles)],
        "values_picture": _values_picture(profiles),
        "rules": [(p, rule_words(p.rule)) for p in main if p.rule is not None],
        "plan_columns": [(f"Plan {p.letter}", "number") for p in main],
        "for_all": _for_all_chart(profiles),
        "mean": profiles.rewards.mean,
        "trees": [(p, _picture(p)) for p in main[:_MOST_PICTURES]],
        "kept_columns": [(title, "") for title in profiles.kept_columns],
        "individuals": profiles.individuals[:_MOST_ROWS],
    }
    return page_from("profiles", profiles.problem.name, values, script=filter_script())


def _shares_chart(profiles: Profiles) -> str:
    bars = [
        Row(
            f"Plan {plan.letter}",
            (Bar(0, size, "gain", chance(plan.share), f"{size:,}"),),
        )
        for plan in profiles.main_plans
        for size in [len(plan.members)]
    ]
    return _bars(bars, 0, "How many individuals get each plan", "")


def _values_picture(profiles: Profiles) -> str:
    """Draw the values; those near each other share a bar, the more the finer."""
    rewards = profiles.rewards
    if len(rewards.chances) <= 1:
        return ""
    values = [each.expected_reward for each in profiles.individuals]
    low, high = min(values), max(values)
    count = min(max(8, math.isqrt(len(values))), _MOST_BARS)
    width = (high - low) / count
    bars = Counter(min(int((each - low) / width), count - 1) for each in values)
    shares = [
        (low + (bar + 0.5) * width, number / len(values))
        for bar, number in sorted(bars.items())
    ]
    worth = "expected cost" if profiles.problem.is_least_cost else "expected reward"
    return distribution_svg(shares, worth, mean=float(rewards.mean))


def _for_all_chart(profiles: Profiles) -> str:
    """Draw what plans are worth if all get the same one; empty where unknown."""
    mean = float(profiles.rewards.mean)
    bars = [
        _for_all_bar(plan.letter, mean, plan.mean_for_all)
        for plan in profiles.main_plans
        if plan.mean_for_all is not None
    ]
    worth = "cost" if profiles.problem.is_least_cost else "are worth"
    title = f"What plans {worth} on average if all get the same one"
    return _bars(bars, mean, title, "a plan for each") if bars else ""


def _bars(rows: Sequence[Row], base: float, title: str, base_word: str) -> str:
    """Draw rows of bars, for any screen."""
    return for_screens(
        lambda width: span_chart(rows, base, title, base_word=base_word, width=width),
        title,
    )


def _for_all_bar(letter: str, mean: float, for_all: float) -> Row:
    """Return a bar for a plan: a loss to either side, as less reward or more cost."""
    text, note = change(for_all - mean, 4), f"for all {rounded(for_all)}"
    return Row(f"Plan {letter}", (Bar(mean, for_all, "loss", note, text),))


def _picture(plan: ProfilePlan) -> str:
    """Draw a plan with the numbers of its first member; empty if it does nothing."""
    if plan.first_action is None:
        return ""
    tree, title, name = (
        plan.solution().tree,
        f"Plan {plan.letter}",
        f"plan-{plan.letter}",
    )
    return tree_svg(tree, title=title, max_nodes=_MOST_NODES, name=name, is_fitted=True)
