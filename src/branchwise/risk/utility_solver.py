"""Solving for a utility of the final reward, by the fastest way that is exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import Final, TypeVar

from branchwise.model.conditions.condition import all_of, any_of, negation
from branchwise.model.numbers.number import exact
from branchwise.model.problem import Problem, Reward
from branchwise.risk.aims import Utility
from branchwise.risk.effort import Effort
from branchwise.risk.net_space import (
    NetSpace,
    OwnSource,
    ProblemSource,
    UtilitySpace,
)
from branchwise.space.own_space import OwnSpace
from branchwise.tree.solution import Solution

T = TypeVar("T")

_MOST_SUMMED: Final = 10


def can_be_stated(problem: Problem) -> bool:
    """
    Whether the utility of its final reward can be put as rewards again.

    Not where spending counts, as no reward depends on what was spent; not where rewards
    are paid for each step of a counter, or may be lost, as losing them is then not
    worth the utility of nothing; and not where so many rewards add up that all their
    sums would be too many. Where hidden facts decide, the best reward counts for each
    way they may be, and so does the best utility.
    """
    if any(problem.charge_weight.values()) or problem.is_least_cost:
        return False
    if _is_stepped(problem):
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
    none = Fraction(0)
    gains = [max(none, *_amounts(problem, reward)) for reward in problem.rewards]
    if problem.combine == "max":
        return max(gains, default=none)
    return sum(gains, none)


def _is_stepped(problem: Problem) -> bool:
    """Whether rewards are paid for each step of a counter, or may be lost."""
    ends = (outcome.ends for action in problem.actions for outcome in action.outcomes)
    return "lose" in ends or any(reward.per is not None for reward in problem.rewards)


def _amounts(problem: Problem, reward: Reward) -> tuple[Fraction, Fraction]:
    """Return the least and the most that a reward may pay, in either order."""
    if reward.per is None:
        return reward.value, reward.value
    counter = problem.counter(reward.per)
    return reward.value * counter.low, reward.value * counter.high


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


def _why_by_states(problem: Problem | OwnSpace) -> str:
    """Return why every state has to know what was spent."""
    if not isinstance(problem, Problem):
        return "it is a state space of your own"
    if any(problem.charge_weight.values()):
        return "the aim counts what was spent, so every state has to know it"
    if _is_stepped(problem):
        return "rewards are paid for each step of a counter, or may be lost"
    return "too many rewards add up to state every sum"


class UtilitySolver:
    """Finds the plans with the highest expected utility of the final reward."""

    def __init__(self, problem: Problem | OwnSpace, effort: Effort) -> None:
        self.problem = problem
        self.effort = effort
        self._stated = None
        if isinstance(problem, Problem) and can_be_stated(problem):
            self._stated = problem

    @cached_property
    def levels(self) -> tuple[Fraction, ...]:
        """Every final reward that a plan may end with, and maybe more, in order."""
        return reward_levels(self._stated) if self._stated else self._states.levels()

    @cached_property
    def _states(self) -> NetSpace:
        if isinstance(self.problem, Problem):
            return NetSpace(ProblemSource(self.problem), self.effort)
        return NetSpace(OwnSource(self.problem), self.effort)

    def solve(self, utility: Utility, share: float = 1.0) -> Solution:
        """Return the best plan; its expected reward is the expected utility."""
        if self._stated is None:
            found = self.effort.solve(UtilitySpace(self._states, utility), share)
            return replace(found, reason=_why_by_states(self.problem))
        stated, least = utility_problem(self._stated, utility)
        solution = self.effort.solve(stated, share)
        floor = least if self.effort.exact else float(least)
        bound = None if solution.bound is None else solution.bound + floor
        value = solution.expected_reward + floor
        return replace(solution, expected_reward=value, bound=bound)
