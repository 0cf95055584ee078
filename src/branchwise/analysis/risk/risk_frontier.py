"""The frontier between expected reward and an aim: how much of one buys the other."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from threading import Event
from time import monotonic

from branchwise.analysis.risk.aim_solver import AimSolver
from branchwise.analysis.risk.aims import Aim
from branchwise.analysis.risk.measured_plan import MeasuredPlan, is_above
from branchwise.analysis.risk.utility_solver import Effort
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.tree.progress import Listener, silent

__all__ = ["RiskFrontier", "frontier_of", "risk_frontier"]


@dataclass(frozen=True, slots=True)
class RiskFrontier:
    """
    The plans between the highest expected reward and the best of an aim.

    These are the *supported* plans: each is best for some weighting of the two. No plan
    lies beyond the lines between neighbors, not even one that tosses a coin. In the
    dents below these lines there may be plans that no other one beats in both; they are
    not listed.

    Parameters
    ----------
    aim
        What stands against the expected reward.
    plans
        By falling expected reward and rising worth; no plan beats another in both.
    is_complete
        Whether these are all supported plans; not where there were too many.
    """

    aim: Aim
    plans: tuple[MeasuredPlan, ...]
    is_complete: bool


def risk_frontier(
    problem: Problem,
    aim: Aim,
    *,
    exact: bool = False,
    max_plans: int = 50,
    time_limit_seconds: float | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> RiskFrontier:
    """
    Find the plans between the highest expected reward and the best of an aim.

    The search is exact, not a grid: between two neighbors it tries the weights for
    which both are worth the same, until no plan is worth more.

    Parameters
    ----------
    problem
        The problem. Aims look at the final reward less weighted cost.
    aim
        What stands against the expected reward.
    exact
        Compute with fractions; not for exponential utility, which has none.
    max_plans
        Stop at so many plans; at least two.
    time_limit_seconds, progress, cancel
        As for `solve_for_aim`.

    Examples
    --------
    >>> from branchwise.analysis.risk.aims import AtLeast
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    >>> bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    >>> rewards = [Reward(safe["ok"], 40), Reward(bold["ok"], 100)]
    >>> found = risk_frontier(Problem([safe, bold], rewards, budget=1), AtLeast(40))
    >>> [(plan.expected_reward, plan.worth) for plan in found.plans]
    [(50.0, 0.5), (36.0, 0.9)]
    """
    if max_plans < 2:
        raise ValueError(f"a frontier has at least two plans to show, not {max_plans}")
    deadline = None
    if time_limit_seconds is not None:
        deadline = monotonic() + time_limit_seconds
    effort = Effort(exact, "fewest-nodes", deadline, progress, cancel)
    return frontier_of(AimSolver(checked(problem), aim, effort), aim, max_plans)


def frontier_of(solver: AimSolver, aim: Aim, max_plans: int) -> RiskFrontier:
    """Find the plans between the two that a solver knows, up to so many."""
    plans = [solver.neutral, solver.best]
    gaps = deque([(plans[0], plans[1])])
    while gaps and len(plans) < max_plans:
        bolder, safer = gaps.popleft()
        between = solver.beyond(bolder, safer)
        if between is not None:
            plans.append(between)
            gaps.extend([(bolder, between), (between, safer)])
    return RiskFrontier(aim, _undominated(plans), is_complete=not gaps)


def _undominated(plans: list[MeasuredPlan]) -> tuple[MeasuredPlan, ...]:
    """Keep the plans that no other one beats, by falling expected reward."""
    ordered = sorted(plans, key=lambda plan: (-plan.expected_reward, -plan.worth))
    kept: list[MeasuredPlan] = []
    for plan in ordered:
        if kept and not is_above(plan.worth, kept[-1].worth):
            continue
        if kept and not is_above(kept[-1].expected_reward, plan.expected_reward):
            kept.pop()
        kept.append(plan)
    return tuple(kept)
