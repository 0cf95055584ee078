"""Solving for a utility of the final reward, by the fastest way that is exact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from threading import Event
from typing import Final, TypeVar

from branchwise.engine.limits import Limits
from branchwise.engines import Task
from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.reference.objective import Objective
from branchwise.risk.aims import Utility
from branchwise.risk.net_space import NetSpace, UtilitySpace
from branchwise.risk.utility_problem import (
    can_be_stated,
    reward_levels,
    utility_problem,
)
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution, Status

__all__ = ["Effort", "UtilitySolver"]

T = TypeVar("T")

# Past its limits, a plan that was found is measured in so many seconds, or not at all.
_PATIENCE_SECONDS: Final = 2.0


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
        When to give up.
    progress
        Called with how far it has come.
    cancel
        Ends the work when it is set.
    memory_limit_bytes
        Give up when the process holds so much memory.
    is_anytime
        Whether a plan that is not proven best will do, with a bound.
    met
        The limits that were met, in order.
    most_states
        How many states there may be where each has to know what was spent; as many as
        usual unless said.
    """

    exact: bool
    prefer: str | Objective
    deadline: Deadline
    progress: Listener
    cancel: Event | None
    memory_limit_bytes: int | None = None
    is_anytime: bool = False
    met: list[Status] = field(default_factory=list)
    most_states: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is no use in going on."""
        is_ended = any(each is not Status.TIME_LIMIT for each in self.met)
        return is_ended or self.deadline.is_over

    @property
    def status(self) -> Status:
        """Which limit was met last; time, where none was."""
        return self.met[-1] if self.met else Status.TIME_LIMIT

    def solve(self, problem: Problem | UtilitySpace, share: float = 1.0) -> Solution:
        """
        Solve to the end, or until a limit is met if a bound will do.

        Parameters
        ----------
        problem
            What to solve.
        share
            How much of the time left it may take, if a bound will do.
        """
        if not self.is_anytime:
            self.deadline.check(_OUT_OF_TIME)
        left = self.deadline.time_limit_seconds(share if self.is_anytime else 1.0)
        solution = Task(
            checked(problem) if isinstance(problem, Problem) else problem,
            prefer=self.prefer,
            exact=self.exact,
            limits=Limits(0.0, left, self.memory_limit_bytes, self.cancel),
            progress=self.progress,
        ).solve()
        if solution.status is Status.OPTIMAL:
            return solution
        self.met.append(solution.status)
        if self.is_anytime:
            return solution
        if solution.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        raise LimitError(_OUT_OF_TIME)

    def tried(self, work: Callable[[], T], *, even_late: bool = False) -> T | None:
        """
        Do some work; None where a limit ends it, if a bound will do.

        Parameters
        ----------
        work
            What to do.
        even_late
            Whether to begin although a limit was met.
        """
        if not self.is_anytime:
            return work()
        try:
            return None if self.is_over and not even_late else work()
        except LimitError:
            is_late = self.deadline.is_over
            self.met.append(Status.TIME_LIMIT if is_late else Status.MEMORY_LIMIT)
        except KeyboardInterrupt:
            self.met.append(Status.INTERRUPTED)
        return None

    def patience(self) -> Callable[[], None]:
        """Return what ends the measuring of a plan, some time after all else."""
        end = Deadline()
        if self.is_anytime and self.is_over:
            end = Deadline.after(_PATIENCE_SECONDS)
        elif self.is_anytime:
            end = Deadline(self.deadline.moment + _PATIENCE_SECONDS)
        return partial(end.check, _OUT_OF_TIME)

    def watch(self) -> None:
        """End work that has no limits of its own."""
        if self.cancel is not None and self.cancel.is_set():
            raise KeyboardInterrupt
        self.deadline.check(_OUT_OF_TIME)


_OUT_OF_TIME: Final = "the time limit was met before there was a plan proven best"


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
        return NetSpace(
            self.problem,
            self.effort.watch,
            exact=self.effort.exact,
            most_states=self.effort.most_states,
        )

    def solve(self, utility: Utility, share: float = 1.0) -> Solution:
        """
        Return the best plan; its expected reward is the expected utility.

        Parameters
        ----------
        utility
            What a final reward is worth.
        share
            How much of the time left it may take, if a bound will do.
        """
        if not self._is_stated:
            number = Fraction if self.effort.exact else float
            space = UtilitySpace(self._states, utility, number)
            found = self.effort.solve(space, share)
            return replace(found, reason=self._why_states())
        stated = utility_problem(self.problem, utility)
        solution = self.effort.solve(stated.problem, share)
        floor = stated.floor if self.effort.exact else float(stated.floor)
        bound = None if solution.bound is None else solution.bound + floor
        value = solution.expected_reward + floor
        return replace(solution, expected_reward=value, bound=bound)

    def _why_states(self) -> str:
        """Return why the engine had to go through every state."""
        if any(self.problem.cost_weight.values()):
            return "the aim counts what was spent, so every state has to know it"
        return "too many rewards add up to state every sum"
