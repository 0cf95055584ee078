"""The canonical engine: one state per distinct future, explored or searched."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import TYPE_CHECKING, Final

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
from branchwise.engine.preparation import NotReadyError, Preparation, unprepared
from branchwise.errors import BusyError
from branchwise.model.action import Action
from branchwise.model.adversary import Adversary
from branchwise.model.features import FEATURES, HIDDEN, refuse_features
from branchwise.model.problem import Problem
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.choices.preference import Prefer, Preference
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from branchwise.rewarding.choice import SetChoices

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
        preparation: Preparation | None = None,
        spares_memory: bool = False,
    ) -> None:
        self._num_threads = thread_count(num_threads)
        self._turn_sizes = turn_sizes
        # As where there are millions of states, which small problems have tests for.
        self._spares_memory = spares_memory
        self._turns = Turns()
        self._left_out: list[bool] = []  # by action, while plans go by some sets only
        self._begin(problem, adversary, preparation)

    def solve(  # noqa: PLR0913 -- one for every way to be asked
        self,
        problem: Problem | None = None,
        *,
        prefer: Prefer = OBJECTIVE_NAMES[0],
        exact: bool = False,
        search: Search = "auto",
        limits: Limits | None = None,
        adversary: Adversary | None = None,
        progress: Listener = silent,
        sets: SetChoices | None = None,
    ) -> Solution:
        """Find the optimal tree of the problem, or of another one like it."""
        # ``exhaustive`` explores every canonical state; ``best-first`` those that may
        # matter, and has bounds all the while; ``auto`` begins with the first and goes
        # over to the second when there are too many states.
        # Only what passes `check_exactness` may be exact, and nothing against an
        # adversary.
        preference = Preference.of(prefer)
        if adversary is not None and (exact or not preference.is_in_core):
            raise ValueError(
                "against an adversary this takes fractions and choices of your own "
                "for the engine `reference` only; use `solve`"
            )
        if adversary is not None:
            refuse_features(
                self._problem if problem is None else problem,
                "a plan against an adversary",
                known=[feature for feature in FEATURES if feature != HIDDEN],
            )
        with self._turns.taken() as waited:
            wanted = self._problem if problem is None else problem
            preparation = Preparation((limits or Limits()).less(waited), progress)
            try:
                self._turn_to(wanted, adversary, preparation)
            except NotReadyError as error:
                return unprepared(
                    wanted,
                    error.ending,
                    prefer=preference.name,
                    is_exact=exact,
                    adversary=adversary,
                )
            limits = preparation.left
            if sets is not None:
                return self._by_sets(
                    sets, preference, checked_search(search), limits, progress
                )
            run = self._run(limits, preference, progress, is_exact=exact)
            run.go(checked_search(search))
            return run.solution(self._problem, adversary)

    def _by_sets(
        self,
        sets: SetChoices,
        preference: Preference,
        search: Search,
        limits: Limits,
        progress: Listener,
    ) -> Solution:
        # Start-up is felt, and most plans go by all sets.
        from branchwise.engine.sets_run import SetsEngine, SetsRun  # noqa: PLC0415

        def begin(limits: Limits, progress: Listener) -> Run:
            return self._run(limits, preference, progress)

        engine = SetsEngine(self._restrict, begin)
        try:
            run = SetsRun(engine, self._problem, sets, limits, progress)
            return run.solution(search)
        finally:
            self._restrict(None)

    def _restrict(self, actions: frozenset[str] | None) -> core.CanonicalEngine:
        """Let plans take only these actions; all of them where it is None."""
        names = (action.name for action in self._problem.actions)
        is_left_out = (actions is not None and name not in actions for name in names)
        self._left_out = [] if actions is None else list(is_left_out)
        self._engine.start(self._budget, self._left_out)
        return self._engine

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
            run = self._plain_run((limits or Limits()).less(waited))
            return run.explored_start(problem)

    def bounds(self, most_states: int | None, *, limits: Limits) -> Bounds:
        """Return what the expected reward lies between, looking at so many states."""
        # The answer depends on nothing else, unless a limit is met before: first all
        # states are explored; where they are too many, a search narrows the bounds.
        with self._turns.taken() as waited:
            run = self._plain_run(limits.less(waited))
            return run.bounds(self._problem, most_states)

    def _plain_run(self, limits: Limits) -> Run:
        return self._run(limits, Preference.of(OBJECTIVE_NAMES[0]), silent)

    def _run(
        self,
        limits: Limits,
        preference: Preference,
        progress: Listener,
        *,
        is_exact: bool = False,
    ) -> Run:
        return Run(
            self._engine,
            limits,
            preference,
            progress,
            self._renewed,
            self._turn_sizes,
            is_exact=is_exact,
        )

    def _renewed(self) -> core.CanonicalEngine:
        del self._engine, self._probabilities  # before there is another
        left_out = self._left_out
        self._begin(self._problem, self._adversary)
        self._left_out = left_out
        if left_out:
            self._engine.start(self._budget, left_out)
        return self._engine

    @property
    def num_states(self) -> int:
        """How many states there are by now."""
        return self._engine.num_states

    def fits(self, problem: Problem) -> bool:
        """Whether another problem has the states that were explored."""
        return self._lowered.units_of(problem) is not None

    def _begin(
        self,
        problem: Problem,
        adversary: Adversary | None,
        preparation: Preparation | None = None,
    ) -> None:
        """Make an engine; a limit that is met before leaves all as it was."""
        preparation = preparation or Preparation(Limits(), silent)
        lowered = preparation.lowered(problem, adversary)
        self._engine = preparation.engine(
            lowered, self._num_threads, spares_memory=self._spares_memory
        )
        self._problem, self._adversary = problem, adversary
        self._lowered = lowered
        self._budget = self._lowered.budget
        self._left_out = []
        self._probabilities = EngineProbabilities(
            self._engine, self._lowered, has_adversary=adversary is not None
        )
        self._engine.face(_deviations(adversary, problem))

    def _turn_to(
        self, problem: Problem, adversary: Adversary | None, preparation: Preparation
    ) -> None:
        """Keep what was explored, if the problem has the same states."""
        if problem is self._problem and adversary == self._adversary:
            return
        has_adversary = adversary is not None
        budget = self._lowered.units_of(problem, has_adversary=has_adversary)
        if budget is None:
            self._begin(problem, adversary, preparation)
            return
        self._change_to(problem, budget, adversary)

    def _change_to(
        self, problem: Problem, budget: list[int], adversary: Adversary | None
    ) -> None:
        self._probabilities.turn_to(problem, has_adversary=adversary is not None)
        self._budget = budget
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
        self._how = (lowered.problem.charge_weight, has_adversary)
        # By the identity of an action, which lives as long as it is kept here.
        self._kept: dict[int, tuple[Action, list[LoweredVariant]]] = {}

    def turn_to(self, problem: Problem, *, has_adversary: bool) -> None:
        """Let the engine go by the numbers of another problem."""
        how = (problem.charge_weight, has_adversary)
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
