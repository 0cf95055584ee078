"""Plans measured by an aim: what each earns, and how well it meets the aim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.risk.aims import Aim
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.state_space import Real
from branchwise.tree.choosers import PlanChooser, policy_tree
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import PathStates
from branchwise.tree.outlook import net_rewards
from branchwise.tree.policy import Decision
from branchwise.tree.solution import AimMet, MeasuredPlan, Solution, Verification

_MOST_STATES: Final = 1_000_000
_ROUNDING: Final = 1e-9
_UNVERIFIED: Final = Verification(
    reason="certificates are about the expected reward, not about an aim"
)


def measured(solution: Solution, problem: Problem, aim: Aim) -> MeasuredPlan:
    """Measure a plan whose values are expected rewards."""
    rewards = net_rewards(solution.tree, problem)
    worth, equivalent = aim.worth(rewards), aim.certainty_equivalent(rewards)
    if isinstance(solution.tree.root.value, float):
        worth = float(worth)
        equivalent = None if equivalent is None else float(equivalent)
    shown = rewards.in_numbers_of(solution.tree)
    return MeasuredPlan(solution, shown, worth, equivalent)


def retold(
    solution: Solution,
    problem: Problem,
    aim: Aim,
    bound: Real,
    watch: Callable[[], None],
) -> MeasuredPlan:
    """
    Measure a plan that was found by utilities, and value it by expected rewards.

    Only its choice of actions is used; no plan has a higher expected reward than the
    bound.
    """
    space = ProblemSpace(problem, exact=solution.is_exact)
    chooser = PlanChooser(solution.tree)
    tree = policy_tree(space, chooser, _MOST_STATES, lambda _: watch())
    if tree is None:
        raise LimitError(
            f"the plan comes to more than {_MOST_STATES:,} states, too many to measure"
        )
    value = tree.root.value
    valued = replace(
        solution, expected_reward=value, tree=tree, problem=problem, bound=bound
    )
    return aimed(measured(valued, problem, aim), aim, "weighed with expected reward")


def doing_nothing(neutral: Solution, problem: Problem, aim: Aim) -> MeasuredPlan:
    """Measure the plan that does nothing: it is there whatever limit was met."""
    space = ProblemSpace(problem, exact=neutral.is_exact)
    reward = space.reward(space.root)
    stop = Decision(None, (), value=reward, reward=reward)
    tree = DecisionTree({space.root: stop}, space.root, PathStates(problem))
    solution = replace(neutral, expected_reward=reward, tree=tree)
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
