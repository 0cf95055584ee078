"""Payments: what stopping pays, as conditions with one value each."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from branchwise.engine.hidden_groups import hidden_groups
from branchwise.engine.running_out import changes_of, stays_within_range
from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Condition,
    Happened,
    all_of,
    any_of,
    comparison,
    negation,
)
from branchwise.model.conditions.quantity import CounterValue
from branchwise.model.outcome import Ending
from branchwise.model.problem import Problem, Reward
from branchwise.space.problem_space import allowed

_MOST_STEPS: Final = 4_096


class Payment(NamedTuple):
    """So much is paid where this holds in the end."""

    when: Condition
    value: Fraction
    group: int | None = None  # The hidden facts it depends on, besides
    given: tuple[bool, ...] = ()  # By assignment of these: whether it is paid then
    # The counter that it is paid for each step of, on the way, up (1) or down (-1);
    # what must hold in the end never does then.
    per: str | None = None
    sign: int = 0

    def times(self, action: Action, outcome: int) -> int:
        """Return how many times an outcome pays it on the way."""
        if self.per is None:
            return 0
        return max(0, self.sign * changes_of(action, self.per)[outcome])


@lru_cache(maxsize=64)
def payments(problem: Problem) -> tuple[Payment, ...]:
    """Return what is paid, reward by reward; nothing once all is lost."""
    if problem.is_least_cost:
        return tuple(_penalties(problem))
    kept = negation(_ended_by(problem, "lose"))
    found = (each for reward in problem.rewards for each in _paid(problem, reward))
    whole = (each._replace(when=all_of(each.when, kept)) for each in found)
    return tuple(part for each in whole for part in _by_hidden_facts(problem, each))


def adds_up(problem: Problem) -> bool:
    """Whether what is paid adds up; else the best counts."""
    return problem.combine == "sum" or problem.is_least_cost


def _penalties(problem: Problem) -> Iterator[Payment]:
    """Yield what it counts as to get stuck, if that may happen at all."""
    if problem.unfinished:
        assert problem.finish is not None
        yield Payment(negation(problem.finish), -problem.unfinished)


def _by_hidden_facts(problem: Problem, payment: Payment) -> Iterator[Payment]:
    """Take a payment apart by what must be seen for it, however hidden facts are."""
    groups = hidden_groups(problem)
    group = groups.group_of([payment.when])
    if group is None:
        yield payment
        return
    seen = groups.seen(payment.when, group)
    for when in dict.fromkeys(seen):
        if when != NEVER:
            given = tuple(each == when for each in seen)
            yield payment._replace(when=when, group=group, given=given)


def _paid(problem: Problem, reward: Reward) -> Iterator[Payment]:
    if reward.per is None:
        yield Payment(reward.when, reward.value)
        return
    (counter,) = (each for each in problem.counters if each.name == reward.per)
    is_kept = _ended_by(problem, "lose") == NEVER and reward.when == ALWAYS
    if is_kept and stays_within_range(problem, counter):
        # Every step is paid for when it is made, and no state need know how many.
        yield Payment(ALWAYS, reward.value * counter.start)
        for sign in (1, -1):
            yield Payment(NEVER, sign * reward.value, per=counter.name, sign=sign)
        return
    # So much for each is so much for reaching 1, for reaching 2, and so on.
    if counter.high - counter.low > _MOST_STEPS:
        raise LimitError(
            f"the range of {counter.name} is too wide for a reward for each, which "
            "only the engine `reference` can do"
        )
    if counter.low:
        yield Payment(reward.when, reward.value * counter.low)
    for step in range(counter.low + 1, counter.high + 1):
        reached = comparison(CounterValue(counter.name), ">=", step)
        yield Payment(all_of(reward.when, reached), reward.value)


def gate(problem: Problem, action: Action) -> Condition:
    """Return what must hold for an action to be available: nothing has ended, too."""
    enders = _enders(problem)
    if not enders:
        return allowed(action)
    # What alone ends everything, and is taken once, never comes after that.
    if enders == {action.name} and action.attempts == 1:
        return allowed(action)
    return all_of(allowed(action), negation(_ended_by(problem, "keep", "lose")))


@lru_cache(maxsize=64)
def _enders(problem: Problem) -> frozenset[str]:
    """Return the actions that may end everything."""
    return frozenset(a.name for a in problem.actions if any(o.ends for o in a.outcomes))


@lru_cache(maxsize=64)
def _ended_by(problem: Problem, *endings: Ending) -> Condition:
    found = [
        Happened(action.name, outcome.label)
        for action in problem.actions
        for outcome in action.outcomes
        if outcome.ends in endings
    ]
    return any_of(*found) if found else NEVER
