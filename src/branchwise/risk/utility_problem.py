"""Utility problems: problems whose expected reward is the expected utility."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from typing import Final, TypeVar

from branchwise.model.condition import all_of, any_of, negation
from branchwise.model.number import exact
from branchwise.model.problem import Problem, Reward
from branchwise.risk.aims import Utility

T = TypeVar("T")

_MOST_SUMMED: Final = 10


def can_be_stated(problem: Problem) -> bool:
    """
    Whether the utility of its final reward can be put as rewards again.

    Not where spending counts, as no reward depends on what was spent; and not where so
    many rewards add up that all their sums would be too many.
    """
    if any(problem.cost_weight.values()):
        return False
    return problem.combine == "max" or len(_paying(problem)) <= _MOST_SUMMED


def reward_levels(problem: Problem) -> tuple[Fraction, ...]:
    """Return every reward that a plan may end with, and maybe more, in order."""
    values = [reward.value for reward in _paying(problem)]
    if problem.combine == "max":
        return tuple(sorted({Fraction(0), *values}))
    return tuple(sorted({sum(some, Fraction(0)) for some in _subsets(values)}))


def most_reward(problem: Problem) -> Fraction:
    """Return a reward that no plan can end above."""
    gains = [max(reward.value, Fraction(0)) for reward in problem.rewards]
    if problem.combine == "max":
        return max(gains, default=Fraction(0))
    return sum(gains, Fraction(0))


def utility_problem(problem: Problem, utility: Utility) -> tuple[Problem, Fraction]:
    """
    State the utility of the final reward as rewards of which the best counts.

    A utility does not fall, so that of the best reward is the best of the utilities.
    Where rewards add up there is one reward for each sum. What the best plan earns on
    average is the best expected utility, less a floor that is told as well: the utility
    of the least reward, which every plan has for sure.
    """
    alone = ((reward, [Fraction(0)]) for reward in _paying(problem))
    priced = alone if problem.combine == "max" else _sums(problem)
    floor = exact(utility(min(reward_levels(problem))))
    rewards = []
    for reward, weaker in priced:
        worth = exact(utility(reward.value))
        # Nothing is gained by a reward if one that is easier to have is worth as much.
        if worth > max((exact(utility(value)) for value in weaker), default=floor):
            rewards.append(Reward(reward.when, worth - floor))
    return replace(problem, rewards=tuple(rewards), combine="max"), floor


def _sums(problem: Problem) -> Iterator[tuple[Reward, list[Fraction]]]:
    """
    Return one reward for each sum, with the values of some that hold whenever it does.

    It pays if all of some gains hold, and no penalty but some. Of those that pay, the
    best one then has every gain that holds, and only penalties that hold.
    """
    gains = [reward for reward in _paying(problem) if reward.value > 0]
    penalties = [reward for reward in _paying(problem) if reward.value < 0]
    every_penalty = sum((penalty.value for penalty in penalties), Fraction(0))
    for gained in _subsets(gains):
        for avoided in _subsets(penalties):
            value = every_penalty + sum(gain.value for gain in gained)
            value -= sum(penalty.value for penalty in avoided)
            none = negation(any_of(*(penalty.when for penalty in avoided)))
            when = all_of(*(gain.when for gain in gained), none)
            weaker = [value - gain.value for gain in gained]
            weaker += [value + penalty.value for penalty in avoided]
            yield Reward(when, value), weaker


def _paying(problem: Problem) -> list[Reward]:
    return [reward for reward in problem.rewards if reward.value]


def _subsets(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    sizes = range(len(things) + 1)
    return chain.from_iterable(combinations(things, size) for size in sizes)
