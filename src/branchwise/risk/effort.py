"""The effort that a plan for an aim may take: how to solve, and for how long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Final, TypeVar

from branchwise.engine.limits import Limits
from branchwise.engines import Task
from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.space.own_space import OwnSpace
from branchwise.space.state_space import SoundSpace
from branchwise.tree.choices.preference import Prefer
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution, Status

T = TypeVar("T")

_OUT_OF_TIME: Final = "the time limit was met before there was a plan proven best"

# Past its limits, a plan that was found is measured in so many seconds, or not at all.
_PATIENCE_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How to solve, and for how long."""

    exact: bool  # compute with fractions instead of floats
    prefer: Prefer  # which of several best plans to choose
    deadline: Deadline  # when to give up
    progress: Listener  # called with how far it has come
    cancel: Event | None  # ends the work when it is set
    memory_limit_bytes: int | None = None
    is_anytime: bool = False  # whether a plan not proven best will do, with a bound
    met: list[Status] = field(default_factory=list)  # the limits met, in order
    # How many states there may be where each has to know what was spent; as many as
    # usual unless said.
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

    def solve(self, problem: Problem | OwnSpace, share: float = 1.0) -> Solution:
        """Solve to the end; if a bound will do, in a share of the time that is left."""
        if not self.is_anytime:
            self.deadline.check(_OUT_OF_TIME)
        left = self.deadline.time_limit_seconds(share if self.is_anytime else 1.0)
        asked: object = problem
        is_net = isinstance(asked, SoundSpace)
        solution = Task(
            checked(problem) if isinstance(problem, Problem) else problem,
            prefer=self.prefer,
            exact=self.exact,
            # States that know what was spent are for the engine that is in no hurry.
            engine="reference" if is_net else "auto",
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
        """Do some work; None where a limit ends it, or has before, if that will do."""
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
