"""Finding the plans that meet an aim best, alone or beside the expected reward."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from branchwise.analysis.aims import Aim, Utility
from branchwise.analysis.measured_plan import (
    MeasuredPlan,
    aimed,
    is_above,
    measured,
    retold,
)
from branchwise.analysis.utility_solver import Effort, UtilitySolver
from branchwise.model.problem import Problem
from branchwise.model.state_space import Real
from branchwise.tree.solution import Solution

__all__ = ["AimSolver"]


class AimSolver:
    """
    Finds plans for one problem and one aim.

    Parameters
    ----------
    problem
        A valid problem.
    aim
        What the plans are to make the most of.
    effort
        How to solve, and for how long.
    solution
        The plan with the highest expected reward, where somebody knows it.
    """

    def __init__(
        self,
        problem: Problem,
        aim: Aim,
        effort: Effort,
        solution: Solution | None = None,
    ) -> None:
        if effort.exact and not aim.is_exact:
            raise ValueError(
                "an exponential utility has no exact fractions; leave `exact` out"
            )
        self._problem = problem
        self._aim = aim
        self._effort = effort
        self._solution = solution
        self._solver = UtilitySolver(problem, effort)

    @cached_property
    def neutral(self) -> MeasuredPlan:
        """The plan with the highest expected reward."""
        solution = self._solution or self._effort.solve(self._problem)
        return measured(solution, self._problem, self._aim)

    @cached_property
    def best(self) -> MeasuredPlan:
        """
        The plan that meets the aim best; of several, that which earns most.

        Below the best for the aim alone lies a plan that is best for some weighting
        with the expected reward, unless there is no better one for the same aim.
        """
        best, other = self._weighing(0, 1), self.neutral
        while is_above(best.worth, other.worth):
            between = self.beyond(other, best)
            if between is None:
                return aimed(best, self._aim)
            other = between
        return aimed(other, self._aim)

    def beyond(self, bolder: MeasuredPlan, safer: MeasuredPlan) -> MeasuredPlan | None:
        """
        Find a plan beyond the line through two others; None if there is none.

        Parameters
        ----------
        bolder
            The plan with the higher expected reward.
        safer
            The plan that meets the aim better.
        """
        is_safer = is_above(safer.worth, bolder.worth)
        if not (is_safer and is_above(bolder.expected_reward, safer.expected_reward)):
            return None
        reward_weight = safer.worth - bolder.worth
        aim_weight = bolder.expected_reward - safer.expected_reward

        def weighted(plan: MeasuredPlan) -> Real:
            return reward_weight * plan.expected_reward + aim_weight * plan.worth

        found = self._weighing(reward_weight, aim_weight)
        return found if is_above(weighted(found), weighted(bolder)) else None

    def _weighing(self, reward_weight: Real, aim_weight: Real) -> MeasuredPlan:
        """Give the plan with the highest weighted sum of expected reward and aim."""
        bound = self.neutral.expected_reward
        utilities = list(self._weighted(reward_weight, aim_weight))
        if self._aim.is_concave:
            # No expected utility exceeds the utility of the mean, and no mean exceeds
            # that of the neutral plan; so most thresholds of CVaR need no search.
            utilities.sort(key=lambda utility: -utility(bound))
        first, *others = utilities
        found = self._solver.solve(first)
        for utility in others:
            if self._aim.is_concave and utility(bound) <= found.expected_reward:
                break
            solution = self._solver.solve(utility)
            found = max(found, solution, key=lambda plan: plan.expected_reward)
        return retold(found, self._problem, self._aim, bound)

    def _weighted(self, reward_weight: Real, aim_weight: Real) -> Iterator[Utility]:
        for utility in self._aim.utilities(self._solver.levels):
            if reward_weight == 0:
                yield utility
            else:
                yield _mixture(utility, reward_weight, aim_weight)


def _mixture(utility: Utility, reward_weight: Real, aim_weight: Real) -> Utility:
    return lambda reward: reward_weight * reward + aim_weight * utility(reward)
