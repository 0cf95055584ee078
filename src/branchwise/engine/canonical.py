"""The canonical engine: one state per distinct future, explored or searched."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Final

import branchwise._core as core
from branchwise.engine.canonical_run import (
    MOST_EXPLORED,
    USUAL_SIZES,
    Bounds,
    PlanStart,
    Run,
    TurnSizes,
)
from branchwise.engine.limits import Limits, Search, checked_search, thread_count
from branchwise.engine.lower import Lowered, LoweredVariant
from branchwise.errors import BusyError
from branchwise.model.action import Action
from branchwise.model.adversary import Adversary
from branchwise.model.problem import Problem
from branchwise.tree.objectives import OBJECTIVE_NAMES
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution

# More are as good as no limit: no path has as many actions.
_MOST_DEVIATIONS: Final = 2**30


class CanonicalSolver:
    """Solves a problem, and its relatives, over canonical states."""

    # What one run explored the next one need not: a problem with other probabilities or
    # cost weights, or with a smaller budget, has the same states. Threads that share a
    # solver take turns; the plans it has found can be read all the while.

    def __init__(
        self,
        problem: Problem,
        *,
        num_threads: int | None = None,
        adversary: Adversary | None = None,
        turn_sizes: TurnSizes = USUAL_SIZES,
    ) -> None:
        self._num_threads = thread_count(num_threads)
        self._turn_sizes = turn_sizes
        self._turns = Turns()
        self._begin(problem, adversary)

    def solve(
        self,
        problem: Problem | None = None,
        *,
        prefer: str = OBJECTIVE_NAMES[0],
        search: Search = "auto",
        limits: Limits | None = None,
        adversary: Adversary | None = None,
        progress: Listener = silent,
    ) -> Solution:
        """Find the optimal tree of the problem, or of another one like it."""
        # ``exhaustive`` explores every canonical state; ``best-first`` those that may
        # matter, and has bounds all the while; ``auto`` begins with the first and goes
        # over to the second when there are too many states.
        with self._turns.taken() as waited:
            self._turn_to(self._problem if problem is None else problem, adversary)
            run = self._run((limits or Limits()).less(waited), prefer, progress)
            run.go(checked_search(search))
            return run.solution(self._problem, adversary)

    def start_of(
        self, problem: Problem, *, limits: Limits | None = None
    ) -> PlanStart | None:
        """Return how the best plan of a narrower problem starts, over known states."""
        # None where that cannot be: it is not narrower, there are too many states, or a
        # limit was met.
        with self._turns.taken() as waited:
            budget = self._lowered.units_within(problem)
            if budget is None or self._engine.num_states > MOST_EXPLORED:
                return None
            self._change_to(problem, budget, None)
            run = self._run((limits or Limits()).less(waited))
            return run.explored_start(problem)

    def bounds(self, most_states: int | None, *, limits: Limits) -> Bounds:
        """Return what the expected reward lies between, looking at so many states."""
        # The answer depends on nothing else, unless a limit is met before: first all
        # states are explored; where they are too many, a search narrows the bounds.
        with self._turns.taken() as waited:
            run = self._run(limits.less(waited))
            return run.bounds(self._problem, most_states)

    def _run(
        self,
        limits: Limits,
        prefer: str = OBJECTIVE_NAMES[0],
        progress: Listener = silent,
    ) -> Run:
        return Run(
            self._engine, limits, prefer, progress, self._renewed, self._turn_sizes
        )

    def _renewed(self) -> core.CanonicalEngine:
        del self._engine, self._probabilities  # before there is another
        self._begin(self._problem, self._adversary)
        return self._engine

    @property
    def num_states(self) -> int:
        """How many states there are by now."""
        return self._engine.num_states

    def fits(self, problem: Problem) -> bool:
        """Whether another problem has the states that were explored."""
        return self._lowered.units_of(problem) is not None

    def _begin(self, problem: Problem, adversary: Adversary | None) -> None:
        self._problem, self._adversary = problem, adversary
        self._lowered = Lowered(problem, has_adversary=adversary is not None)
        self._engine = core.CanonicalEngine(self._lowered.instance, self._num_threads)
        self._probabilities = EngineProbabilities(
            self._engine, self._lowered, has_adversary=adversary is not None
        )
        self._engine.face(_deviations(adversary, problem))

    def _turn_to(self, problem: Problem, adversary: Adversary | None) -> None:
        """Keep what was explored, if the problem has the same states."""
        if problem is self._problem and adversary == self._adversary:
            return
        has_adversary = adversary is not None
        budget = self._lowered.units_of(problem, has_adversary=has_adversary)
        if budget is None:
            self._begin(problem, adversary)
            return
        self._change_to(problem, budget, adversary)

    def _change_to(
        self, problem: Problem, budget: list[int], adversary: Adversary | None
    ) -> None:
        self._probabilities.turn_to(problem, has_adversary=adversary is not None)
        self._engine.start(budget)
        self._engine.face(_deviations(adversary, problem))
        self._problem, self._adversary = problem, adversary


def _deviations(adversary: Adversary | None, problem: Problem) -> int | None:
    """Return how many deviations there may be: 0 without an adversary, None: any."""
    if adversary is None:
        return 0
    gamma = adversary.with_useful_deviations(problem).gamma
    return None if gamma is None else min(gamma, _MOST_DEVIATIONS)


class Turns:
    """
    Lets callers have something one after another.

    Threads wait for each other. A caller who asks again before its own turn is over,
    as a listener does, would wait for itself: that is an error.

    Examples
    --------
    >>> turns = Turns()
    >>> with turns.taken() as waited:
    ...     waited < 1
    True
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: int | None = None

    @contextmanager
    def taken(self) -> Iterator[float]:
        """Wait for one's turn and have it; yield how many seconds that took."""
        if self._thread == get_ident():
            raise BusyError(
                "this solver is still at work on the call whose progress listener now "
                "asks it for something; let the listener use a `Solver` of its own, or "
                "ask once the call is over"
            )
        start = time.perf_counter()
        with self._lock:
            self._thread = get_ident()
            try:
                yield time.perf_counter() - start
            finally:
                self._thread = None


_MOST_KEPT: Final = 20_000


class EngineProbabilities:
    """Keeps track of the actions that an engine goes by."""

    # What-ifs differ in few actions, and share the others as they are; so only what is
    # another object than before is lowered and handed over.

    def __init__(
        self, engine: core.CanonicalEngine, lowered: Lowered, *, has_adversary: bool
    ) -> None:
        self._engine = engine
        self._lowered = lowered
        self._actions = list(lowered.problem.actions)
        self._how = (lowered.problem.cost_weight, has_adversary)
        # By the identity of an action, which lives as long as it is kept here.
        self._kept: dict[int, tuple[Action, list[LoweredVariant]]] = {}

    def turn_to(self, problem: Problem, *, has_adversary: bool) -> None:
        """Let the engine go by the numbers of another problem."""
        how = (problem.cost_weight, has_adversary)
        is_new = how != self._how
        if is_new or len(self._kept) > _MOST_KEPT:
            self._kept.clear()
        self._how = how
        for number, action in enumerate(problem.actions):
            if is_new or action is not self._actions[number]:
                variants = self._variants(number, action)
                self._engine.change_probabilities(number, variants)
                self._actions[number] = action

    def _variants(self, number: int, action: Action) -> list[LoweredVariant]:
        known = self._kept.get(id(action))
        if known is not None:
            return known[1]
        weights, faced = self._how
        wider = self._lowered.problem.actions[number]
        lower = self._lowered.variants
        variants = lower(action, wider, weights=weights, has_adversary=faced)
        self._kept[id(action)] = action, variants
        return variants
