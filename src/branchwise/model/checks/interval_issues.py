"""What is not quite known: intervals around their numbers, distances, trials."""

from collections.abc import Iterator
from fractions import Fraction

from branchwise.errors import Issue, Path
from branchwise.model.action import Given
from branchwise.model.checks.issue import about, shown, ticked
from branchwise.model.numbers.interval import Interval, interval_text
from branchwise.model.outcome import Outcome


def interval_issues(path: Path, outcome: Outcome) -> Iterator[Issue]:
    """Find an interval that is none, or that the probability is not in."""
    low, high = outcome.low, outcome.high
    number = outcome.probability
    if low is None or high is None or not 0 <= number <= 1:
        return
    interval = _shown(Interval(low, high))
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
    yield about(path, what, f"write {ticked(f'{outcome.label}: {text}')}, say")


def value_interval_issues(
    path: Path, noun: str, number: Fraction, ends: Interval, least: int | None = None
) -> Iterator[Issue]:
    """Find an interval that is none, goes below the least, or misses its number."""
    low, high = ends
    if low > high:
        what = f"the interval {_shown(ends)} ends before it begins"
    elif not low <= number <= high:
        what = f"the {noun} is {shown(number)}, outside {_shown(ends)}"
    elif least is not None and low < least:
        what = f"the interval {_shown(ends)} of the {noun} goes below {least}"
    else:
        return
    lowest, highest = min(low, high, number), max(low, high, number)
    lowest = lowest if least is None else max(lowest, Fraction(least))
    text = interval_text(number, lowest, highest)
    yield about(path, what, f"write {ticked(text)}, say")


def sample_size_issues(path: Path, size: Fraction | None) -> Iterator[Issue]:
    """Find probabilities that rest on no trials, or on fewer."""
    if size is not None and size <= 0:
        what = f"the sample size is {shown(size)}, not above 0"
        fix = "write how many trials the probabilities rest on: `sample_size: 20`, say"
        yield about(path, what, fix)


def clause_size_issues(path: Path, clause: Given) -> Iterator[Issue]:
    """Find what is wrong with the trials of a clause, which needs probabilities."""
    place = (*path, "sample_size")
    yield from sample_size_issues(place, clause.sample_size)
    if clause.sample_size is not None and clause.outcomes is None:
        what = "there is a sample size, but this clause has no probabilities of its own"
        fix = "remove it, or add `outcomes` to the clause"
        yield about(place, what, fix)


def _shown(ends: Interval) -> str:
    return f"[{shown(ends.low)}, {shown(ends.high)}]"


def distance_issues(path: Path, distance: Fraction | None) -> Iterator[Issue]:
    """Find a distance below 0 or above 1."""
    if distance is None or 0 <= distance <= 1:
        return
    what = f"the distance is {shown(distance)}, not within 0 and 1"
    fix = "write a number from 0 (probabilities are exact) to 1 (they may be anything)"
    if 2 <= distance <= 100:
        fix = f"write `{shown(distance)}%` if you mean percent, or a number from 0 to 1"
    yield about(path, what, fix)
