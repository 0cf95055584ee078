"""Solving for a utility of the final reward, by the fastest way that is exact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from threading import Event
from time import monotonic

from branchwise.analysis.aims import Utility
from branchwise.analysis.net_space import NetSpace, UtilitySpace
from branchwise.analysis.utility_problem import (
    can_be_stated,
    reward_levels,
    utility_problem,
)
from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution, Status

__all__ = ["Effort", "UtilitySolver"]


@dataclass(frozen=True, slots=True)
class Effort:
    """
    How to solve, and for how long.

    Parameters
    ----------
    exact
        Compute with fractions instead of floats.
    prefer
        Which of several best plans to choose.
    deadline
        The time, by `time.monotonic`, at which to give up; None for never.
    progress
        Told how far it has come.
    cancel
        Ends the work when it is set.
    """

    exact: bool
    prefer: str
    deadline: float | None
    progress: Listener
    cancel: Event | None

    def solve(self, problem: Problem | UtilitySpace) -> Solution:
        """Solve to the end; a plan that is not proven best is of no use here."""
        left = None if self.deadline is None else self.deadline - monotonic()
        if left is not None and left <= 0:
            raise LimitError(_OUT_OF_TIME)
        solution = solve(
            problem,
            exact=self.exact,
            prefer=self.prefer,
            time_limit_seconds=left,
            progress=self.progress,
            cancel=self.cancel,
        )
        if solution.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        if solution.status is not Status.OPTIMAL:
            raise LimitError(_OUT_OF_TIME)
        return solution


_OUT_OF_TIME = "the time limit was met before there was a plan proven best"


class UtilitySolver:
    """
    Finds the plans with the highest expected utility of the final reward.

    Parameters
    ----------
    problem
        A valid problem.
    effort
        How to solve, and for how long.
    """

    def __init__(self, problem: Problem, effort: Effort) -> None:
        self.problem = problem
        self.effort = effort
        self._is_stated = can_be_stated(problem)

    @cached_property
    def levels(self) -> tuple[Fraction, ...]:
        """Every final reward that a plan may end with, and maybe more, in order."""
        return reward_levels(self.problem) if self._is_stated else self._states.levels()

    @cached_property
    def _states(self) -> NetSpace:
        return NetSpace(self.problem, exact=self.effort.exact)

    def solve(self, utility: Utility) -> Solution:
        """Give the best plan; its expected reward is the expected utility."""
        if not self._is_stated:
            number = Fraction if self.effort.exact else float
            space = UtilitySpace(self._states, utility, number)
            return replace(self.effort.solve(space), reason=self._why_states())
        stated = utility_problem(self.problem, utility)
        solution = self.effort.solve(stated.problem)
        floor = stated.floor if self.effort.exact else float(stated.floor)
        return replace(solution, expected_reward=solution.expected_reward + floor)

    def _why_states(self) -> str:
        """Say why the engine had to go through every state."""
        if any(self.problem.cost_weight.values()):
            return "the aim counts what was spent, so every state has to know it"
        return "too many rewards add up to state every sum"
