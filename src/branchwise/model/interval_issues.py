"""Intervals and distances: each within 0 and 1, and around the probability."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from branchwise.errors import Issue, Path
from branchwise.model.interval import interval_text
from branchwise.model.issue import about, shown, ticked
from branchwise.model.outcome import Outcome

__all__ = ["distance_issues", "interval_issues"]


def interval_issues(path: Path, outcome: Outcome) -> Iterator[Issue]:
    """Find an interval that is none, or that the probability is not in."""
    low, high = outcome.low, outcome.high
    number = outcome.probability
    if low is None or high is None or not 0 <= number <= 1:
        return
    interval = f"[{shown(low)}, {shown(high)}]"
    within = [min(max(bound, Fraction(0)), Fraction(1)) for bound in (low, high)]
    if low > high:
        what = f"the interval {interval} ends before it begins"
        mended = sorted(within)
    elif [low, high] != within:
        what = f"the interval {interval} is not within 0 and 1"
        mended = within
    elif not low <= number <= high:
        name = ticked(outcome.label)
        what = f"the probability of {name} is {shown(number)}, outside {interval}"
        mended = within
    else:
        return
    text = interval_text(number, min(*mended, number), max(*mended, number))
    fix = f"write {ticked(f'{outcome.label}: {text}')}, say"
    yield about(path, what, fix)


def distance_issues(path: Path, distance: Fraction | None) -> Iterator[Issue]:
    """Find a distance below 0 or above 1."""
    if distance is None or 0 <= distance <= 1:
        return
    what = f"the distance is {shown(distance)}, not within 0 and 1"
    fix = "write a number from 0 (the odds are exact) to 1 (they may be anything)"
    if 2 <= distance <= 100:
        fix = f"write `{shown(distance)}%` if you mean percent, or a number from 0 to 1"
    yield about(path, what, fix)
