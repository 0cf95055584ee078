"""Making an engine ready for a problem, within limits; and what to do without one."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Final

import branchwise._core as core
from branchwise._core import Ending
from branchwise.engine.limits import Limits
from branchwise.engine.lower import Lowered
from branchwise.errors import NoPlanError
from branchwise.model.adversary import Adversary
from branchwise.model.counter import Counter
from branchwise.model.problem import Problem, Reward
from branchwise.tree.deadline import Deadline
from branchwise.tree.doing_nothing import doing_nothing
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.solution import Seconds, Solution, Statistics, Status

ENDED: Final = {
    Ending.ASKED: Status.INTERRUPTED,
    Ending.TIME: Status.TIME_LIMIT,
    Ending.MEMORY: Status.MEMORY_LIMIT,
}
"""What a run that was broken off says of its answer."""

_WHY: Final = {
    Ending.ASKED: "it was stopped",
    Ending.TIME: "the time limit was met",
    Ending.MEMORY: "the memory limit was met",
}

# However short a time limit and however little memory, a small problem has a plan.
LEAST_SECONDS: Final = 0.1  # of work
LEAST_BYTES: Final = 24_000_000
# So does one that is stopped.
GRACE_SECONDS: Final = 0.1

# Asking how much memory there is takes some ten microseconds.
_STEPS_BETWEEN_LOOKS_AT_MEMORY: Final = 256


class NotReadyError(Exception):
    """A limit was met before there was an engine."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(_WHY[ending])
        self.ending = ending


class Preparation:
    """Makes engines, and looks at the limits all the while."""

    # A problem of thousands of actions takes seconds: it is lowered, action by action,
    # and the core lays out what never changes of it.

    def __init__(self, limits: Limits, progress: Listener) -> None:
        self._limits, self._progress = limits, progress
        self._deadline = Deadline.after(limits.time_limit_seconds)
        self._worked = time.thread_time()
        self._ending: Ending | None = None  # Why the core was ended, if it was
        most = limits.memory_limit_bytes
        if most is not None:
            # Of a limit the core leaves a twentieth to Python.
            most = max(most, (core.resident_bytes() + LEAST_BYTES) * 20 // 19)
        self._most_bytes = most
        self._start = time.perf_counter()
        self._cancelled: float | None = None  # Since when
        self._num_looks = 0

    def lowered(self, problem: Problem, adversary: Adversary | None) -> Lowered:
        """Return the problem in numbers."""
        has_adversary = adversary is not None
        try:
            return Lowered(problem, has_adversary=has_adversary, look=self.look)
        except KeyboardInterrupt:
            raise NotReadyError(Ending.ASKED) from None

    def engine(
        self, lowered: Lowered, num_threads: int, *, spares_memory: bool = False
    ) -> core.CanonicalEngine:
        """Return the engine for it."""
        how = None, self._most_bytes, self._listen
        try:
            return core.CanonicalEngine(
                lowered.instance, num_threads, *how, spares_memory
            )
        except core.RunStopped as error:
            ending = self._ending or Ending[str(error).upper()]
            raise NotReadyError(ending) from None

    @property
    def left(self) -> Limits:
        """What is left of the limits."""
        return self._limits.less(time.perf_counter() - self._start)

    def look(self) -> None:
        """Look at the limits; called for every action."""
        self._num_looks += 1
        if (ending := self._found_ending()) is not None:
            raise NotReadyError(ending)
        if self._num_looks % _STEPS_BETWEEN_LOOKS_AT_MEMORY:
            return
        self._report()
        most = self._most_bytes
        if most is not None and core.resident_bytes() >= most:
            raise NotReadyError(Ending.MEMORY)

    def _listen(self, *_: object) -> bool:
        self._report()
        self._ending = self._found_ending()
        return self._ending is None

    def _found_ending(self) -> Ending | None:
        """Return why it must end, but for memory; None as long as it need not."""
        if self._is_stopped:
            return Ending.ASKED
        # What other programs do meanwhile is not held against a small problem.
        worked = time.thread_time() - self._worked
        is_late = self._deadline.is_over and worked >= LEAST_SECONDS
        return Ending.TIME if is_late else None

    def _report(self) -> None:
        """Report progress; what is done in a moment is no stage."""
        if time.perf_counter() - self._start > LEAST_SECONDS:
            self._progress(Progress(Stage.PREPARING, 0))

    @property
    def _is_stopped(self) -> bool:
        """Whether it was asked to stop, and not just now."""
        if not self._limits.is_cancelled:
            return False
        now = time.perf_counter()
        if self._cancelled is None:
            self._cancelled = now
        return now - self._cancelled >= GRACE_SECONDS


def unprepared(
    problem: Problem,
    ending: Ending,
    *,
    prefer: str,
    is_exact: bool,
    adversary: Adversary | None,
) -> Solution:
    """Return the answer where there is no engine: do nothing, and a bound at sight."""
    tree = doing_nothing(problem, exact=is_exact)
    if tree is None:
        if ending is Ending.ASKED:
            raise KeyboardInterrupt
        raise NoPlanError(
            f"{_WHY[ending]} before there was a plan that finishes"
            "\n    fix: raise the limit, or say what has to be reached as a reward"
        )
    return Solution(
        expected_reward=tree.root.value,
        status=ENDED[ending],
        tree=tree,
        engine="canonical",
        prefer=prefer,
        is_exact=is_exact,
        statistics=Statistics(
            rewarding_sets=None,
            full_graph_states=1,
            reduced_graph_states=None,
            tree_nodes=1,
            seconds=Seconds(),
        ),
        problem=problem,
        bound=most_to_earn(problem),
        reason=f"{_WHY[ending]} before the search could begin",
        adversary=adversary,
    )


def most_to_earn(problem: Problem) -> float:
    """
    Return what no plan can exceed, whatever comes of anything.

    Examples
    --------
    >>> from branchwise import Action, Problem, Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    >>> rewards = [Reward("toss=heads", 10), Reward("toss=tails", 2)]
    >>> most_to_earn(Problem([toss], rewards))
    10.0
    >>> most_to_earn(Problem([toss], rewards, combine="sum"))
    12.0
    """
    counters = {counter.name: counter for counter in problem.counters}
    found = [_most(reward, counters) for reward in problem.rewards]
    if problem.is_least_cost:
        return 0.0
    none = Fraction(0)
    most = sum(found, none) if problem.combine == "sum" else max(found, default=none)
    return up if (up := float(most)) >= most else math.nextafter(up, math.inf)


def _most(reward: Reward, counters: dict[str, Counter]) -> Fraction:
    """Return the most that one reward can pay, where it need not be paid."""
    if reward.per is None:
        return max(reward.value, Fraction(0))
    counter = counters[reward.per]
    ends = counter.low, counter.high
    return max(Fraction(0), *(reward.value * end for end in ends))
