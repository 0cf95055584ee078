"""Counters that contradict themselves, and changes of counters that mean nothing."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from branchwise.errors import Issue, Path
from branchwise.model.checks.issue import about, ticked
from branchwise.model.checks.naming import Mentions, name_issues, repeated_issues
from branchwise.model.conditions.condition import ALWAYS
from branchwise.model.counter import Counter
from branchwise.model.numbers.formula import expression_of
from branchwise.model.problem import Problem

_MOST: Final = 2**53


def counter_issues(problem: Problem) -> Iterator[Issue]:
    """Find ranges that are none, and counters that start outside of theirs."""
    yield from repeated_issues(problem.counters, "counter")
    for counter in problem.counters:
        path: Path = ("counters", counter.name)
        yield from name_issues(path, counter.name, "counter")
        ends = {"range": counter.low, "start": counter.start}
        ends = {**ends, "range": counter.high} if _is_whole(counter.low) else ends
        wrong = [(key, n) for key, n in ends.items() if not _is_whole(n)]
        for key, number in wrong:
            what = f"the {key} of a counter is of whole numbers, not {number}"
            yield about((*path, key), what, "write whole numbers: `0..3`, say")
        if not wrong:
            yield from _range_issues(path, counter)


def _range_issues(path: Path, counter: Counter) -> Iterator[Issue]:
    low, high, start = (_shown(n) for n in (counter.low, counter.high, counter.start))
    if counter.low > counter.high:
        what = f"the range {ticked(f'{counter.low}..{counter.high}')} is empty: "
        what += f"{low} is more than {high}"
        fix = f"write `range: {counter.high}..{counter.low}`, say"
        yield about((*path, "range"), what, fix)
    elif not counter.low <= counter.start <= counter.high:
        what = f"{ticked(counter.name)} starts at {start}, outside its range of {low} "
        what += f"to {high}"
        nearest = min(max(counter.start, counter.low), counter.high)
        fix = f"write `start: {nearest}`, or a wider range"
        yield about((*path, "start"), what, fix)
    elif max(abs(counter.low), abs(counter.high)) > _MOST:
        what = f"{ticked(counter.name)} may be as much as {max(low, high, key=len)}: "
        what += "numbers beyond 2^53 are not counted"
        yield about((*path, "range"), what, "write a smaller range: `0..1000`, say")


def effects_issues(
    path: Path, effects: Mapping[str, Any], mentions: Mentions
) -> Iterator[Issue]:
    """Find changes of unknown counters, and those that are not whole."""
    for name, change in effects.items():
        place = (*path, name)
        if not mentions.has_counter(name):
            yield mentions.unknown_counter(place, name)
        if not _is_whole(change):
            what = f"{ticked(name)} changes by {change}, not by a whole number"
            yield about(place, what, "write a whole number, such as `1` or `-2`")
        elif abs(change) > _MOST:
            what = f"{ticked(name)} changes by {change}: numbers beyond 2^53 are not "
            yield about(place, f"{what}counted", "write a smaller number")


def per_issues(problem: Problem, index: int, mentions: Mentions) -> Iterator[Issue]:
    """Find what is wrong with a reward that is paid for each of something."""
    reward = problem.rewards[index]
    if reward.per is None:
        return
    path: Path = ("rewards", index)
    if not mentions.has_counter(reward.per):
        yield mentions.unknown_counter((*path, "per"), reward.per)
    if problem.combine == "max":
        what = f"so much for each of {ticked(reward.per)} is added up, and under "
        what += "`combine: max` nothing is"
        yield about((*path, "per"), what, "write `combine: sum`")
    if reward.when != ALWAYS:
        what = "a reward has `when` or `per`, not both"
        fix = "remove one of the two; `when` may compare the counter: "
        fix += ticked(f"{reward.per} >= 1")
        yield about((*path, "per"), what, fix)


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _shown(number: int) -> str:
    computed = expression_of(number)
    return str(number) if computed is None else f"{number} ({ticked(computed)})"
