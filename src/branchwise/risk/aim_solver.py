"""Finding the plans that meet an aim best, alone or beside the expected reward."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from branchwise.engines import Task
from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.risk.aims import Aim, Utility, check_aim_fits
from branchwise.risk.effort import Effort
from branchwise.risk.own_aims import own_tree, stopping_tree
from branchwise.risk.utility_solver import UtilitySolver, most_reward
from branchwise.space.own_space import OwnSpace
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.state_space import Real
from branchwise.tree.choices.choosers import PlanChooser, policy_tree
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.doing_nothing import doing_nothing
from branchwise.tree.own_plan import own_distributions
from branchwise.tree.prospects.distribution import Distribution
from branchwise.tree.prospects.outlook import net_rewards
from branchwise.tree.solution import (
    AimMet,
    MeasuredPlan,
    Solution,
    Status,
    Verification,
)

# The plan with the highest mean is only to compare with, and one utility is not all.
_SHARE_OF_NEUTRAL: Final = 0.25
_SHARE_OF_UTILITY: Final = 0.5

_MOST_STATES: Final = 1_000_000
_ROUNDING: Final = 1e-9
_UNVERIFIED: Final = Verification(
    reason="certificates are about the expected reward, not about an aim"
)


def best_for_aim(task: Task, aim: Aim) -> Solution:
    """Find the plan that meets an aim best; compare it with the risk-neutral one."""
    limits = task.limits
    deadline = Deadline.after(limits.time_limit_seconds)
    end = deadline, task.progress, limits.cancel, limits.memory_limit_bytes
    effort = Effort(task.exact, task.prefer, *end, is_anytime=True)
    solver = AimSolver(task.problem, aim, effort)
    return compared(solver.best, solver.neutral)


@dataclass(eq=False)
class AimSolver:
    """Finds plans for one problem and one aim."""

    _problem: Problem | OwnSpace
    _aim: Aim
    _effort: Effort
    _solution: Solution | None = None  # that with the highest expected reward, if known

    def __post_init__(self) -> None:
        whole = self._problem if isinstance(self._problem, Problem) else None
        is_least_cost = whole is not None and whole.is_least_cost
        check_aim_fits(self._aim, is_least_cost=is_least_cost)
        if self._effort.exact and not self._aim.is_exact:
            raise ValueError(
                "an exponential utility has no exact fractions; leave `exact` out"
            )
        self._solver = UtilitySolver(self._problem, self._effort)

    @cached_property
    def neutral(self) -> MeasuredPlan:
        """The plan with the highest expected reward, or the best that was found."""
        solution = self._solution
        if solution is None:
            solution = self._effort.solve(self._problem, _SHARE_OF_NEUTRAL)
        return measured(solution, self._problem, self._aim)

    @property
    def _most(self) -> Real:
        """A reward that no plan ends above; in a space of one's own none is known."""
        if isinstance(self._problem, Problem):
            return most_reward(self._problem)
        return math.inf

    @property
    def _bound(self) -> Real:
        return self.neutral.solution.upper_bound

    @cached_property
    def best(self) -> MeasuredPlan:
        """
        The plan that meets the aim best; of several, that which earns most.

        Below the best for the aim alone lies a plan that is best for some weighting
        with the expected reward, unless there is no better one for the same aim. Where
        a limit was met, it is the best that was found by then, with a bound.
        """
        best, ceiling = self._weighing(0, 1)
        if self._effort.met:
            nothing = measured_idle(self.neutral.solution, self._problem, self._aim)
            found = [best, self.neutral, *([] if nothing is None else [nothing])]
            best = max(found, key=lambda plan: plan.worth)
        # Without a limit the plan is the best, and what is above it is rounding.
        is_limited = bool(self._effort.met) or self._effort.is_over
        if self._effort.is_anytime and is_limited and is_above(ceiling, best.worth):
            status = self._effort.status
            solution = replace(best.solution, status=status, bound=self._bound)
            return aimed(replace(best, solution=solution), self._aim, bound=ceiling)
        chosen = self._richest(best)
        solution = replace(
            chosen.solution,
            status=Status.OPTIMAL,
            is_tie_settled=not (self._effort.met or self._effort.is_over),
            bound=self._bound,
        )
        return aimed(replace(chosen, solution=solution), self._aim)

    def _richest(self, best: MeasuredPlan) -> MeasuredPlan:
        """Find the plan that earns most among those that meet the aim as well."""
        other = self.neutral
        while is_above(best.worth, other.worth):
            between = self.beyond(other, best)
            if between is None:
                return best
            other = between
        return other

    def beyond(self, bolder: MeasuredPlan, safer: MeasuredPlan) -> MeasuredPlan | None:
        """Find a plan beyond the line through two others; None if there is none."""
        is_safer = is_above(safer.worth, bolder.worth)
        if not (is_safer and is_above(bolder.expected_reward, safer.expected_reward)):
            return None
        reward_weight = safer.worth - bolder.worth
        aim_weight = bolder.expected_reward - safer.expected_reward

        def weighted(plan: MeasuredPlan) -> Real:
            return reward_weight * plan.expected_reward + aim_weight * plan.worth

        found, _ = self._weighing(reward_weight, aim_weight)
        return found if is_above(weighted(found), weighted(bolder)) else None

    def _weighing(
        self, reward_weight: Real, aim_weight: Real
    ) -> tuple[MeasuredPlan, Real]:
        """
        Return the plan with the highest weighted sum of expected reward and aim.

        And what no plan can exceed in this; the same, unless a limit was met. Then it
        is the highest bound for a utility: that of its search, or, of one that was not
        searched, its worth for the highest reward, or for the highest mean where it is
        concave.
        """
        # The reward for which a utility is worth what no plan can exceed.
        most = self._bound if self._aim.is_concave else self._most
        utilities = self._effort.tried(
            lambda: list(self._weighted(reward_weight, aim_weight))
        )
        if utilities is None:
            sure = self._aim.worth(Distribution.of([(most, 1)]))
            return self.neutral, reward_weight * self._bound + aim_weight * sure
        # No expected utility exceeds the utility of the mean, and no mean exceeds that
        # of the neutral plan; so most thresholds of CVaR need no search.
        utilities.sort(key=lambda utility: -utility(most))
        found: Solution | None = None
        ceilings: list[Real] = []
        for number, utility in enumerate(utilities, 1):
            if found is not None and utility(most) <= found.expected_reward:
                break
            share = 1.0 if number == len(utilities) else _SHARE_OF_UTILITY
            solution = self._effort.tried(partial(self._solver.solve, utility, share))
            ceilings.append(utility(most))
            if solution is not None:
                ceilings[-1] = min(ceilings[-1], solution.upper_bound)
                options = found or solution, solution
                found = max(options, key=lambda each: each.expected_reward)
        return self._measured(found), max(ceilings)

    def _measured(self, solution: Solution | None) -> MeasuredPlan:
        """Measure a plan that was found; where that gives nothing, keep the neutral."""
        if solution is None:
            return self.neutral
        known = self._problem, self._aim, self._bound, self._effort.patience()
        work = partial(retold, solution, *known)
        return self._effort.tried(work, even_late=True) or self.neutral

    def _weighted(self, reward_weight: Real, aim_weight: Real) -> Iterator[Utility]:
        for utility in self._aim.utilities(self._solver.levels):
            is_alone = reward_weight == 0
            yield utility if is_alone else _mixture(utility, reward_weight, aim_weight)


def _mixture(utility: Utility, reward_weight: Real, aim_weight: Real) -> Utility:
    return lambda reward: reward_weight * reward + aim_weight * utility(reward)


def measured(solution: Solution, problem: Problem | OwnSpace, aim: Aim) -> MeasuredPlan:
    """Measure a plan whose values are expected rewards."""
    if isinstance(problem, Problem):
        rewards = net_rewards(solution.tree, problem)
    else:
        rewards, *_ = own_distributions(solution.tree, problem)
    worth, equivalent = aim.worth(rewards), aim.certainty_equivalent(rewards)
    if isinstance(solution.tree.root.value, float):
        worth = float(worth)
        equivalent = None if equivalent is None else float(equivalent)
    shown = rewards.in_numbers_of(solution.tree)
    return MeasuredPlan(solution, shown, worth, equivalent)


def retold(
    solution: Solution,
    problem: Problem | OwnSpace,
    aim: Aim,
    bound: Real,
    watch: Callable[[], None],
) -> MeasuredPlan:
    """
    Measure a plan that was found by utilities, and value it by expected rewards.

    Only its choice of actions is used; no plan has a higher expected reward than the
    bound.
    """
    if isinstance(problem, Problem):
        whole: Problem | None = problem
        tree = _told_anew(solution, problem, watch)
    else:
        whole, tree = None, own_tree(solution.tree, problem)
    value = tree.root.value
    valued = replace(
        solution, expected_reward=value, tree=tree, problem=whole, bound=bound
    )
    return aimed(measured(valued, problem, aim), aim, "weighed with expected reward")


def _told_anew(
    solution: Solution, problem: Problem, watch: Callable[[], None]
) -> DecisionTree:
    """Return a plan that was found by utilities, with expected rewards for values."""
    space = ProblemSpace(problem, exact=solution.is_exact)
    chooser = PlanChooser(solution.tree)
    tree = policy_tree(space, chooser, _MOST_STATES, lambda _: watch())
    if tree is None:
        raise LimitError(
            f"the plan comes to more than {_MOST_STATES:,} states, too many to measure"
        )
    return tree


def measured_idle(
    neutral: Solution, problem: Problem | OwnSpace, aim: Aim
) -> MeasuredPlan | None:
    """Measure the plan that does nothing; None where something must be done."""
    if not isinstance(problem, Problem):
        tree = stopping_tree(problem)
        solution = replace(neutral, expected_reward=tree.root.value, tree=tree)
        return measured(solution, problem, aim)
    idle = doing_nothing(problem, exact=neutral.is_exact)
    if idle is None:
        return None
    solution = replace(neutral, expected_reward=idle.root.value, tree=idle)
    return measured(solution, problem, aim)


def aimed(
    plan: MeasuredPlan, aim: Aim, how: str = "", bound: Real | None = None
) -> MeasuredPlan:
    """Let a plan say what it makes the most of, and what no plan can exceed."""
    met = AimMet(
        f"{aim.title}, {how}" if how else aim.title,
        plan.worth,
        plan.certainty_equivalent,
        aim.is_probability,
        bound,
        plan.rewards,
    )
    solution = replace(plan.solution, aim=met, verification=_UNVERIFIED)
    return replace(plan, solution=solution)


def compared(best: MeasuredPlan, neutral: MeasuredPlan) -> Solution:
    """Return the best plan for an aim, beside the one with the highest mean."""
    aim = best.solution.aim
    assert aim is not None
    price = neutral.expected_reward - best.expected_reward
    return replace(best.solution, aim=aim._replace(neutral=neutral, price=price))


def is_above(one: Real, other: Real) -> bool:
    """Whether a number is larger, by more than the rounding of floats."""
    if isinstance(one, float) or isinstance(other, float):
        scale = max(abs(float(one)), abs(float(other)))
        return float(one) - float(other) > _ROUNDING * scale
    return one > other
