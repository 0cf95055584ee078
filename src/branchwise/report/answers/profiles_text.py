"""Profiles as text: what plans are worth, which plan goes to whom, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.individuals.individuals import Profiles
from branchwise.analysis.individuals.profile_rules import PlanRule
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look, Paint, uncolored
from branchwise.report.text.label import label
from branchwise.report.text.title_line import title_line
from branchwise.report.text.wording import chance, change, count, plural, rounded
from branchwise.tree.solution import Status

__all__ = ["QUANTILES", "how_many", "profiles_lines", "rule_words"]

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The shares of individuals whose value is told."""

_MOST_NAMES: Final = 8


def profiles_lines(
    found: Profiles,
    *,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Tell line by line which plan goes to whom.

    Parameters
    ----------
    found
        What to tell.
    width
        Cut lines that are longer; None lets them be.
    is_ascii
        Write without the marks that only Unicode has.
    paint
        Colors a piece of text, given what it is.
    """
    look = Look(width, is_ascii, paint)
    yield from _head(found, look)
    for title, lines in (
        ("Expected reward", _values(found, look)),
        ("Plans", _plans(found, look)),
        ("What tells them apart", _rules(found, look)),
        ("One plan for all", _one_for_all(found, look)),
        ("Who gets which", _who(found, look)),
    ):
        yield ""
        yield look.line([(title, "title")])
        yield from lines


def how_many(found: Profiles) -> str:
    """Say how many individuals have a plan, of how many."""
    counted = plural(len(found.individuals), "individual")
    if found.status is Status.OPTIMAL:
        return counted
    return f"{counted} of {found.num_all:,} ({found.status})"


def rule_words(rule: PlanRule) -> str:
    """Say by what question those who get a plan are known."""
    asked = f"{rule.parameter} {rule.side} {rounded(rule.threshold)}"
    if rule.is_exact:
        return f"{asked}: all of them, and nobody else"
    return (
        f"{asked}: {chance(rule.hits)} of them, {chance(rule.false_alarms)} of others"
    )


def _head(found: Profiles, look: Look) -> Iterator[str]:
    yield title_line(found.problem, look)
    plans = plural(len(found.plans), "plan")
    numbers = plural(len(found.parameters), "number")
    yield look.line(
        [(f"{how_many(found)}, {plans}; they differ in {numbers}", "plain")]
    )


def _values(found: Profiles, look: Look) -> Iterator[str]:
    rewards = found.rewards
    titles = ["mean", "least", *(chance(share) for share in QUANTILES), "most"]
    quantiles = (rewards.quantile(share) for share in QUANTILES)
    numbers = (rewards.mean, rewards.least, *quantiles, rewards.most)
    row = [rounded(number) for number in numbers]
    yield from aligned(titles, [row], look, words=-1, inks={0: "reward"})


def _plans(found: Profiles, look: Look) -> Iterator[str]:
    titles = [
        "plan",
        "individuals",
        "share",
        "worth",
        "for all",
        "nodes",
        "starts with",
    ]
    rows = [
        [
            _letter(found, plan.letter),
            f"{len(plan.members):,}",
            chance(plan.share),
            rounded(plan.mean_expected_reward),
            "-" if plan.mean_for_all is None else rounded(plan.mean_for_all),
            count(plan.num_nodes),
            "nothing"
            if plan.first_action is None
            else look.name(plan.first_action, 0.4),
        ]
        for plan in found.main_plans
    ]
    yield from aligned(titles, rows, look, words=0)
    more = found.plans[len(rows) :]
    if more:
        number = sum(len(plan.members) for plan in more)
        others = plural(len(more), "other plan")
        told = f"and {others} for {plural(number, 'individual')}"
        yield look.line([(told, "faint")])


def _letter(found: Profiles, letter: str) -> str:
    return f"{letter} *" if letter == found.base_plan else letter


def _rules(found: Profiles, look: Look) -> Iterator[str]:
    if not any(plan.rule for plan in found.main_plans):
        yield "all get the same plan" if len(found.plans) == 1 else "no single number"
        return
    for plan in found.main_plans:
        if plan.rule is not None:
            told = rule_words(plan.rule)
            yield look.line([(f"{plan.letter}  ", "action"), (told, "plain")])


def _one_for_all(found: Profiles, look: Look) -> Iterator[str]:
    if found.mean_loss_common is None:
        yield "the plans are too large to be valued for others"
        return
    base = found.base_plan or "nobody's"
    rows = [
        [
            f"{plan}, {what}",
            change(-mean, 4),
            change(-max(losses), 4),
            f"{sum(loss > 0 for loss in losses):,}",
        ]
        for plan, what, mean, losses in (
            (
                found.plans[0].letter,
                "the most common plan",
                found.mean_loss_common,
                [each.loss_common or 0.0 for each in found.individuals],
            ),
            (
                base,
                "the problem's own plan",
                found.mean_loss_base or 0.0,
                [each.loss_base or 0.0 for each in found.individuals],
            ),
        )
    ]
    titles = ["everybody gets", "on average", "at worst", "lose"]
    yield from aligned(titles, rows, look, words=0)
    best = found.best_for_all
    if best is not None and best is not found.plans[0]:
        worth = f"plan {best.letter} would be the best for all of them"
        yield look.line([(f"{worth}: {rounded(best.mean_for_all or 0.0)}", "faint")])


def _who(found: Profiles, look: Look) -> Iterator[str]:
    for plan in found.main_plans:
        shown = [label(name) for name in plan.members[:_MOST_NAMES]]
        more = len(plan.members) - len(shown)
        names = ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")
        yield look.line([(f"{plan.letter}  ", "action"), (names, "plain")])
    if found.base_plan in [plan.letter for plan in found.main_plans]:
        yield look.line([("* the plan of the problem itself", "faint")])
