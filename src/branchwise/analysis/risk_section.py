"""The section on risk: what cautious and bold plans would do, and what they give up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from branchwise.analysis.aim_solver import AimSolver
from branchwise.analysis.aims import Aim, AtLeast, CVaR
from branchwise.analysis.measured_plan import MeasuredPlan
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.risk import RiskAnswer
from branchwise.analysis.risk_frontier import RiskFrontier, frontier_of
from branchwise.analysis.table import Cell, Table
from branchwise.analysis.utility_solver import Effort
from branchwise.analysis.what_if import WhatIfs
from branchwise.errors import LimitError

__all__ = ["Risk", "risk_section"]

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
