"""Plans for those to whom the mean is not all: the risk-averse and the bold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event
from time import monotonic

from branchwise.analysis.aim_solver import AimSolver
from branchwise.analysis.aims import Aim
from branchwise.analysis.measured_plan import MeasuredPlan
from branchwise.analysis.utility_solver import Effort
from branchwise.model.history import History
from branchwise.model.problem import Problem
from branchwise.model.state_space import Real
from branchwise.model.validate import checked
from branchwise.tree.beginning import beginning
from branchwise.tree.progress import Listener, silent

__all__ = ["RiskAnswer", "solve_for_aim"]


@dataclass(frozen=True, slots=True)
class RiskAnswer:
    """
    The plan that meets an aim best, beside the one with the highest expected reward.

    Parameters
    ----------
    aim
        What the plan was to make the most of.
    best
        The plan: no other one meets the aim better, or as well for a higher expected
        reward. Where a limit was met, the best one found by then: its solution has a
        status, and its `aim` an upper bound.
    neutral
        The plan with the highest expected reward, measured by the same aim.
    """

    aim: Aim
    best: MeasuredPlan
    neutral: MeasuredPlan

    @property
    def gain(self) -> Real:
        """How much better the plan meets the aim than the neutral one does."""
        return self.best.worth - self.neutral.worth

    @property
    def price(self) -> Real:
        """What the plan gives up in expected reward."""
        return self.neutral.expected_reward - self.best.expected_reward


# Every argument past the second has a name and a default, so many do no harm.
def solve_for_aim(  # noqa: PLR0913
    problem: Problem,
    aim: Aim,
    *,
    after: History = (),
    prefer: str = "fewest-nodes",
    exact: bool = False,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> RiskAnswer:
    """
    Find the plan that meets an aim best, and compare it with the risk-neutral one.

    Parameters
    ----------
    problem
        The problem. Aims look at the final reward less weighted cost.
    aim
        `ExponentialUtility`, `UtilityTable`, `AtLeast` or `CVaR`.
    after
        Plan from where this leads: ``"a1=ok, a3=fail"``.
    prefer
        Which of several best plans to choose, where not even their expected rewards
        differ.
    exact
        Compute with fractions; not for exponential utility, which has none.
    time_limit_seconds, memory_limit_bytes
        Stop when so much time has passed, or the process holds so much memory, with
        the best plan so far and a bound.
    progress
        Told how far it has come.
    cancel
        Set this event, from any thread, to stop with the best plan so far.

    Raises
    ------
    LimitError
        A limit was met while computing with fractions: then there is nothing to show.

    Examples
    --------
    >>> from branchwise.analysis.aims import AtLeast
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    >>> bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    >>> rewards = [Reward(safe["ok"], 40), Reward(bold["ok"], 100)]
    >>> problem = Problem([safe, bold], rewards, budget=1)
    >>> answer = solve_for_aim(problem, AtLeast(40), exact=True)
    >>> answer.best.solution.first_action, answer.best.worth, answer.price
    ('safe', Fraction(9, 10), Fraction(14, 1))
    """
    if not hasattr(aim, "utilities"):
        raise TypeError(
            f"the aim is AtLeast, CVaR, ExponentialUtility or UtilityTable, not {aim!r}"
            "\n    fix: write `AtLeast(50)`, say"
        )
    left, told = beginning(checked(problem), after)
    assert isinstance(left, Problem)
    deadline = None
    if time_limit_seconds is not None:
        deadline = monotonic() + time_limit_seconds
    effort = Effort(
        exact, prefer, deadline, progress, cancel, memory_limit_bytes, is_anytime=True
    )
    solver = AimSolver(left, aim, effort)
    best, neutral = solver.best, solver.neutral
    return RiskAnswer(
        aim,
        replace(best, solution=told(best.solution)),
        replace(neutral, solution=told(neutral.solution)),
    )
