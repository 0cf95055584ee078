"""Attempts that run out: actions that move a counter one way until they need more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from branchwise.engine.quantities import thresholds_of
from branchwise.model.action import Action
from branchwise.model.conditions.condition import (
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Not,
)
from branchwise.model.conditions.quantity import CounterValue
from branchwise.model.counter import Counter
from branchwise.model.problem import Problem
from branchwise.space.packed import most_attempts
from branchwise.space.problem_space import allowed

_OPPOSITE = {">=": "<", "<": ">=", "<=": ">", ">": "<="}


class AttemptBound(NamedTuple):
    """A counter that every attempt moves one way, and nothing the other way."""

    counter: str
    threshold: int  # An attempt needs it at least there, or where it rises, below
    step: int  # By how much each attempt moves it, at least
    is_falling: bool

    def most(self, value: int) -> int:
        """Return how many attempts there can be from where the counter stands."""
        last = self.threshold if self.is_falling else self.threshold - 1
        room = value - last if self.is_falling else last - value
        return 0 if room < 0 else room // self.step + 1


def changes_of(action: Action, counter: str) -> list[int]:
    """Return by how much the outcomes of an action change a counter."""
    always = action.effects.get(counter, 0)
    return [always + outcome.effects.get(counter, 0) for outcome in action.outcomes]


def attempt_bounds(problem: Problem, action: Action) -> list[AttemptBound]:
    """Return the counters that bound how often an action can still be taken."""
    if not problem.counters:
        return []
    found = (_bound(problem, action, part) for part in _parts(allowed(action)))
    return [bound for bound in found if bound is not None]


def _bound(problem: Problem, action: Action, part: Condition) -> AttemptBound | None:
    if not isinstance(part, Comparison) or not isinstance(part.quantity, CounterValue):
        return None
    asked, name = thresholds_of(part), part.quantity.counter
    (counter,) = (each for each in problem.counters if each.name == name)
    if asked is None:
        return None
    own = changes_of(action, name)
    lowest, highest = _extremes(problem, name)
    # At the end of its range it may stay for ever.
    least, above = asked
    if least is not None and least > counter.low and max(own) < 0 >= highest:
        return AttemptBound(name, least, -max(own), is_falling=True)
    if above is not None and above <= counter.high and min(own) > 0 <= lowest:
        return AttemptBound(name, above, min(own), is_falling=False)
    return None


@lru_cache(maxsize=256)
def _extremes(problem: Problem, counter: str) -> tuple[int, int]:
    """Return by how much outcomes change a counter, at least and at most."""
    every = [n for action in problem.actions for n in changes_of(action, counter)]
    return min(every), max(every)


def _parts(condition: Condition) -> Iterator[Condition]:
    """Return what must hold for a condition to hold, comparisons without `not`."""
    match condition:
        case AllOf(parts):
            for part in parts:
                yield from _parts(part)
        case Not(AnyOf(parts)):
            for part in parts:
                yield from _parts(Not(part))
        case Not(Comparison() as inner) if inner.sign in _OPPOSITE:
            yield Comparison(inner.quantity, _OPPOSITE[inner.sign], inner.number)
        case _:
            yield condition


@lru_cache(maxsize=64)
def stays_within_range(problem: Problem, counter: Counter) -> bool:
    """Whether no plan can move a counter so far that the ends of its range matter."""
    room = {1: counter.high - counter.start, -1: counter.start - counter.low}
    return all(
        most_moved(problem, counter.name, sign) <= space for sign, space in room.items()
    )


def most_moved(problem: Problem, counter: str, sign: int) -> int:
    """Bound how far all attempts together may move a counter one way."""
    starts = {each.name: each.start for each in problem.counters}
    total = 0
    # Attempts that use up the same counter cannot all be made.
    shared: dict[tuple[str, bool], list[tuple[AttemptBound, int]]] = {}
    for action in problem.actions:
        most = max(0, *(sign * change for change in changes_of(action, counter)))
        bounds = attempt_bounds(problem, action)
        if most and bounds:
            bound = bounds[0]
            at = bound.counter, bound.is_falling
            shared.setdefault(at, []).append((bound, most))
        elif most:
            total += most * most_attempts(problem, action)
    for (name, is_falling), found in shared.items():
        lasts = [bound.threshold for bound, _ in found]
        widest = AttemptBound(
            name,
            min(lasts) if is_falling else max(lasts),
            min(bound.step for bound, _ in found),
            is_falling,
        )
        total += widest.most(starts[name]) * max(most for _, most in found)
    return total
