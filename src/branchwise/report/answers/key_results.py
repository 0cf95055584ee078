"""The key results of an analysis in words: what matters, at most five sentences."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from branchwise.analysis.analyze import Analysis
from branchwise.analysis.sensitivity.thresholds import OneWay
from branchwise.model.budget import UNLIMITED
from branchwise.report.text.label import label
from branchwise.report.text.shadow_price import shadow_price
from branchwise.report.text.wording import chance, sentence, short

_MOST: Final = 5


class KeyResult(NamedTuple):
    """One sentence, and the section that says more."""

    section: str
    words: str


def key_results(analysis: Analysis) -> list[KeyResult]:
    """
    Return up to five results, what could change the first action before others.

    Of a single section there are none: it speaks for itself.
    """
    if len(analysis.sections) < 2:
        return []
    found = [
        KeyResult(section, words)
        for section, write in _WRITERS.items()
        if section in analysis.sections
        for words in write(analysis, analysis.sections[section])
    ]
    return found[:_MOST]


def _first_action(analysis: Analysis) -> str:
    first = analysis.solution.first_action
    return "doing nothing" if first is None else label(first)


def _thresholds(analysis: Analysis, found: Any) -> Iterator[str]:
    """Say which number comes first to where another action is the best start."""
    if not found.curves:
        return
    nearest: OneWay = found.ranked[0]
    first = _first_action(analysis)
    if not nearest.action_thresholds:
        is_sure = all(curve.is_complete for curve in found.curves)
        none = "No number alone makes" if is_sure else "No number was found to make"
        yield f"{none} another start than {first} the best."
        return
    sides = (nearest.nearest(is_above=up, is_action=True) for up in (False, True))
    known = [side for side in sides if side is not None]
    at = min(known, key=lambda side: abs(side - nearest.value))
    is_above = at > nearest.value or (at == nearest.value and nearest.is_filling)
    lows = [segment.low for segment in nearest.segments]
    there = nearest.segments[lows.index(at) - (0 if is_above else 1)].first_action
    then = "doing nothing" if there is None else label(there)
    where = f"{'above' if is_above else 'below'} {short(at)}"
    soonest = f"What to do first changes soonest with {label(nearest.parameter)}"
    now = short(nearest.value)
    yield f"{soonest}: {where} (now {now}), {then} takes the place of {first}."


def _shown(analysis: Analysis, worth: float) -> str:
    """Return a worth, or a cost where that is what counts."""
    return short(0 - worth if analysis.is_least_cost else worth)


def _worth(analysis: Analysis) -> str:
    return "cost" if analysis.is_least_cost else "worth"


def _tornado(analysis: Analysis, found: Any) -> Iterator[str]:
    if not found.swings or not found.swings[0].size:
        return
    top = found.swings[0]
    if None in (top.reward_low, top.reward_high):
        return
    low = f"{_shown(analysis, top.reward_low)} at {short(top.low)}"
    high = f"{_shown(analysis, top.reward_high)} at {short(top.high)}"
    what = f"No number moves the {_worth(analysis)} more than {label(top.parameter)}"
    yield f"{what}: from {low} to {high}."


def _criticality(analysis: Analysis, found: Any) -> Iterator[str]:
    def lost(each: Any) -> float:
        loss: float = each.loss_removed or each.loss_failing or 0.0
        return loss

    needed = [label(each.action) for each in found.actions if each.is_needed]
    if needed:
        yield f"Without {' or '.join(needed)} no plan is sure to finish."
        return
    top = max(found.actions, key=lost, default=None)
    if top is None or not lost(top):
        return
    name, loss = label(top.action), short(lost(top))
    if top.loss_removed is None:
        is_cost = analysis.is_least_cost
        change = f"cost {loss} more" if is_cost else f"be worth {loss} less"
        yield f"If {name} always failed, this plan would {change}."
        return
    if analysis.is_least_cost:
        what = f"No action matters more than {name}"
        yield f"{what}: without it the cost rises by {loss}."
        return
    share = lost(top) / (abs(float(analysis.solution.expected_reward)) or 1.0)
    of_worth = f"{loss} of the worth ({chance(share)})"
    yield f"No action matters more than {name}: without it {of_worth} is lost."


def _frontier(analysis: Analysis, found: Any) -> Iterator[str]:
    limited = [
        each
        for each in found.resources
        if each.limit != UNLIMITED and each.gain_of_more is not None
    ]
    if not limited:
        return
    top = max(limited, key=lambda each: each.gain_of_more)
    yield sentence(shadow_price(top, is_cost=analysis.is_least_cost))


def _information(_: Analysis, found: Any) -> Iterator[str]:
    if not found.perfect_gain:
        yield "To know outcomes before starting would be worth nothing."
        return
    what = "every hidden fact" if found.facts else "every outcome"
    yield f"To know {what} before starting would be worth {short(found.perfect_gain)}."


def _uncertainty(analysis: Analysis, found: Any) -> Iterator[str]:
    quantiles = [found.rewards.quantile(share) for share in (0.05, 0.95)]
    if analysis.is_least_cost:
        quantiles.reverse()
    low, high = (_shown(analysis, each) for each in quantiles)
    worth = f"nine times in ten the {_worth(analysis)} lies between {low} and {high}"
    if found.is_plan_kept:
        yield f"With sampled probabilities, {worth}."
        return
    share = found.first_actions.get(analysis.solution.first_action, 0.0)
    stays = f"{_first_action(analysis)} stays the best start in {chance(share)}"
    yield f"With sampled probabilities, {stays} of the draws, and {worth}."


def _risk(analysis: Analysis, found: Any) -> Iterator[str]:
    for answer in found.answers:
        price = max(float(answer.aim.price), 0.0)
        if price:
            other = f"The best plan for {label(answer.aim.title)} is another one"
            more = f"gives up {short(price)} of expected reward"
            if analysis.is_least_cost:
                more = f"costs {short(price)} more on average"
            yield f"{other}, and {more}."
            return


_WRITERS: Final[Mapping[str, Callable[[Analysis, Any], Iterator[str]]]] = {
    "thresholds": _thresholds,
    "tornado": _tornado,
    "criticality": _criticality,
    "uncertainty": _uncertainty,
    "frontier": _frontier,
    "information": _information,
    "risk": _risk,
}
