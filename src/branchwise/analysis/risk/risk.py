"""Plans for those to whom the mean is not all: the risk-averse and the bold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Event
from time import monotonic
from typing import Final

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.risk.aim_solver import AimSolver
from branchwise.analysis.risk.aims import Aim, AtLeast, CVaR
from branchwise.analysis.risk.measured_plan import MeasuredPlan
from branchwise.analysis.risk.risk_frontier import RiskFrontier, frontier_of
from branchwise.analysis.risk.utility_solver import Effort
from branchwise.analysis.table import Cell, Table
from branchwise.analysis.what_if import WhatIfs
from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked
from branchwise.model.history import History
from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.beginning import beginning
from branchwise.tree.progress import Listener, silent

__all__ = ["Risk", "RiskAnswer", "risk_section", "solve_for_aim"]

_MOST_PLANS: Final = 20
_WORST: Final = "25%"
_DIGITS: Final = 6

# A frontier takes dozens of solves, which must not keep other sections from view.
_MOST_STATES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Risk:
    """
    What plans for several aims are worth.

    Parameters
    ----------
    answers
        For each aim the best plan, beside the risk-neutral one.
    frontiers
        For each aim the plans between the two.
    reason
        Why there are none: there are too many states. Nothing where there are.
    """

    answers: tuple[RiskAnswer, ...]
    frontiers: tuple[RiskFrontier, ...]
    reason: str = ""

    def tables(self) -> tuple[Table, ...]:
        """Give the plans, what each may end with, and the frontiers, in rows."""
        columns = ["aim", "worth", "neutral_worth", "certainty_equivalent"]
        columns += ["expected_reward", "price", "first_action"]
        points = ["aim", "expected_reward", "worth", "first_action"]
        chances = ["plan", "reward", "probability", "probability_of_more"]
        return (
            Table.of("plans", columns, map(_plan, self.answers)),
            Table.of("frontier", points, self._points()),
            Table.of("rewards", chances, self._chances()),
        )

    @property
    def neutral(self) -> MeasuredPlan:
        """The plan with the highest expected reward."""
        return self.answers[0].neutral

    def _points(self) -> Iterator[tuple[Cell, ...]]:
        for frontier in self.frontiers:
            for plan in frontier.plans:
                first = plan.solution.first_action
                yield frontier.aim.title, plan.expected_reward, plan.worth, first

    def _chances(self) -> Iterator[tuple[Cell, ...]]:
        plans = [("expected reward", self.neutral)] if self.answers else []
        plans += [(answer.aim.title, answer.best) for answer in self.answers]
        for title, plan in plans:
            for reward, probability in plan.rewards.chances:
                yield title, reward, probability, plan.rewards.at_least(reward)


def _plan(answer: RiskAnswer) -> tuple[Cell, ...]:
    best = answer.best
    return (
        answer.aim.title,
        best.worth,
        answer.neutral.worth,
        best.certainty_equivalent,
        best.expected_reward,
        answer.price,
        best.solution.first_action,
    )


def risk_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Risk:
    """
    Find the best plans for some aims, and those between each and the neutral one.

    Parameters
    ----------
    what_ifs
        The problem, and how long all may take.
    options
        The aims.
    """
    what_ifs.need_proof()
    effort = Effort(
        exact=False,
        prefer="fewest-nodes",
        deadline=what_ifs.deadline,
        progress=what_ifs.progress,
        cancel=what_ifs.cancel,
        most_states=_MOST_STATES,
    )
    try:
        found = [
            _found(AimSolver(what_ifs.problem, aim, effort, what_ifs.solution), aim)
            for aim in options.aims or _usual_aims(what_ifs)
        ]
    except LimitError as error:
        if effort.deadline is not None and monotonic() >= effort.deadline:
            raise
        # What takes too many states here must not keep other sections from view.
        return Risk((), (), reason=str(error))
    return Risk(tuple(a for a, _ in found), tuple(f for _, f in found))


def _found(solver: AimSolver, aim: Aim) -> tuple[RiskAnswer, RiskFrontier]:
    answer = RiskAnswer(aim, solver.best, solver.neutral)
    return answer, frontier_of(solver, aim, _MOST_PLANS)


def _usual_aims(what_ifs: WhatIfs) -> Sequence[Aim]:
    expected = float(what_ifs.solution.expected_reward)
    return CVaR(_WORST), AtLeast(f"{expected:.{_DIGITS}g}")


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
    >>> from branchwise.analysis.risk.aims import AtLeast
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
