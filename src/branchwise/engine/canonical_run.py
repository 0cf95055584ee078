"""One run of the canonical engine, and the solution it comes to."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Final, NamedTuple

import branchwise._core as core
from branchwise._core import Ending, Found
from branchwise.engine.canonical_policy import CanonicalPolicy, tree_of
from branchwise.engine.limits import Limits, Search
from branchwise.engine.lower import core_objective
from branchwise.model.adversary import Adversary
from branchwise.model.problem import Problem
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.solution import Seconds, Solution, Statistics, Status

_STATUS: Final = {
    Ending.DONE: Status.WITHIN_GAP,
    Ending.ASKED: Status.INTERRUPTED,
    Ending.TIME: Status.TIME_LIMIT,
    Ending.MEMORY: Status.MEMORY_LIMIT,
}
"""What a run that did not find the optimum says of its answer."""

# Up to here exploring everything takes a few seconds, and is simplest.
MOST_EXPLORED: Final = 400_000

# Exploring has no plan before it is done. So if it takes longer than this, or than this
# share of a time limit, the search finds one: a run that is broken off then has a plan
# in hand.
_SECONDS_WITHOUT_PLAN: Final = 0.1
_SHARE_WITHOUT_PLAN: Final = 0.2
_SECONDS_FOR_PLAN: Final = 0.05

# From then on both take turns, as it is not known beforehand which is done first.
# Exploring takes a few microseconds per state, so it is most often done first however
# close the bounds of the search are: it has twice as long each time, and the search a
# quarter of that, to improve the plan in hand.
_SHARE_OF_SEARCH: Final = 0.25

# Exploring ends at so many states (`TurnSizes.most`), at so many bytes or this share of
# the machine's memory, and after this share of a time limit.
_MOST_BYTES_IN_TURNS: Final = 4_000_000_000
_SHARE_OF_MEMORY: Final = 0.25
_SHARE_OF_TURNS: Final = 0.4

# What a run that was broken off may take to find a plan and put it together; and what
# that has at least, if finding one took longer.
_GRACE_SECONDS: Final = 0.1
_LEAST_GRACE_SECONDS: Final = 0.02

# Of a time limit, what is kept for that; and at most so many seconds.
_SHARE_TO_FINISH: Final = 0.2
_MOST_TO_FINISH: Final = 4.0

# Where exploring met a memory limit, what finding a plan may take then, at most.
_MOST_AFTER_EXPLORING: Final = 5.0

# Where there are too many states to explore, so many more are searched for bounds.
_MOST_SEARCHED: Final = 1_000

# What a plan takes at least, where a memory limit is met before there is one.
_BYTES_FOR_PLAN: Final = 24_000_000

# A gap that is as good as none, but for which ties need not be settled.
_NO_TIES: Final = 1e-15


class TurnSizes(NamedTuple):
    """
    How many states more each turn of ``auto`` may meet, besides what time it has.

    Problems are as a rule explored before a first turn is over. Sizes of a few states
    let small ones come to every later stage, the same ones on every machine.

    Examples
    --------
    >>> TurnSizes(explored=2, searched=5).doubled()
    TurnSizes(explored=4, searched=10, most=16000000)
    """

    explored: int | None = None
    searched: int | None = None
    most: int = 16_000_000  # Where exploring gives up: the states there may be in all

    def doubled(self) -> TurnSizes:
        """Return the sizes of the turns after these."""
        explored = None if self.explored is None else 2 * self.explored
        searched = None if self.searched is None else 2 * self.searched
        return TurnSizes(explored, searched, self.most)


USUAL_SIZES: Final = TurnSizes()


class Run:
    """One run of the engine, and how it ended."""

    # `renewed` makes another engine for the same problem, after giving up the one there
    # is with all it has explored.

    def __init__(
        self,
        engine: core.CanonicalEngine,
        limits: Limits,
        prefer: str,
        progress: Listener,
        renewed: Callable[[], core.CanonicalEngine],
        sizes: TurnSizes = USUAL_SIZES,
    ) -> None:
        self._engine = engine
        self._sizes = sizes
        self._renewed = renewed
        self._limits = limits
        self._prefer = prefer
        self._objective = core_objective(prefer)
        self._progress = progress
        self._most_states: int | None = None
        self._is_full = False
        self._start = time.perf_counter()
        self._found = Found.PLAN
        self._ending = Ending.DONE
        self._end = self._start
        self._reason = ""
        self._bounds: Bounds | None = None
        self._has_started_over = False

    def go(self, search: Search) -> None:
        """Explore or search, as asked for."""
        if search == "exhaustive":
            self._explore(None, self._limits.time_limit_seconds)
        elif search == "auto" and not self._limits.gap:
            self._take_turns()
        if self._found is Found.TREE:
            return
        self._reason = "searched best first"
        if search == "auto":
            self._reason += f", as {self._why_not_explored()}"
        self._search()

    def explored_start(self, problem: Problem) -> PlanStart | None:
        """Explore everything and look at the root; None at a limit."""
        self._explore(None, self._limits.time_limit_seconds)
        if self._found is not Found.TREE:
            return None
        policy = CanonicalPolicy(core.Plan(self._engine, None), problem)
        decision = policy[policy.root]
        return PlanStart(float(decision.value), decision.action)

    def bounds(self, problem: Problem, most_states: int | None) -> Bounds:
        """Explore up to so many states, then search among a few more."""
        engine, limit = self._engine, self._limits.time_limit_seconds
        how = (self._limits.memory_limit_bytes, self._listen)
        is_done, ending = engine.explore(self._objective, limit, *how, most_states)
        if not is_done:
            if ending is Ending.MEMORY:
                del engine
                engine = self._start_over()
            left = None if limit is None else max(limit - self.seconds, 1e-9)
            room = most_states and most_states + min(most_states, _MOST_SEARCHED)
            engine.search(_NO_TIES, self._objective, left, *how, room)
        secured = self._secured(problem)
        return Bounds(engine.lower_bound + secured, engine.upper_bound + secured)

    def _secured(self, problem: Problem) -> float:
        """Return what is earned whatever is done; the engine leaves that out."""
        policy = CanonicalPolicy(core.Plan(self._engine, _GRACE_SECONDS), problem)
        return float(policy.root.secured)

    def _why_not_explored(self) -> str:
        if self._limits.gap:
            return "a gap was asked for"
        if self._has_started_over:
            return "exploring all canonical states takes more memory than there is"
        if self._is_full:
            return f"there are more than {self._engine.num_states:,} canonical states"
        return "not all canonical states could be explored"

    def _take_turns(self) -> None:
        """Explore and search in turns, until one is done or there is too much."""
        limit = self._limits.time_limit_seconds
        sizes = self._sizes
        explored, searched = _SECONDS_WITHOUT_PLAN, _SECONDS_FOR_PLAN
        if limit is not None:
            explored = min(explored, limit * _SHARE_WITHOUT_PLAN)
            limit *= _SHARE_OF_TURNS
        self._explore(sizes.most, explored, sizes.explored)
        while limit is None or self.seconds + searched + explored < limit:
            if not self._goes_on() or self._is_full or self._has_started_over:
                return
            self._search_for(searched, sizes.searched)
            self._reason = "searched best first, which was done sooner than exploring"
            if self._ending in (Ending.TIME, Ending.STATES):
                self._ending = Ending.DONE
            if not self._goes_on():
                return
            explored, sizes = 2 * explored, sizes.doubled()
            self._explore(sizes.most, explored, sizes.explored)
            searched = _SHARE_OF_SEARCH * explored

    def _goes_on(self) -> bool:
        """Return whether there is only a plan so far, and nothing has ended the run."""
        return self._found is Found.PLAN and self._ending is Ending.DONE

    def _explore(
        self, most_states: int | None, seconds: float | None, more: int | None = None
    ) -> None:
        self._most_states = most_states
        how = (self._objective, seconds, self._limits.memory_limit_bytes, self._listen)
        is_done, ending = self._engine.explore(*how, self._after(more))
        self._most_states = None
        if is_done:
            self._found = Found.TREE
            self._reason = "explored every canonical state"
            return
        if ending is Ending.MEMORY:
            self._start_over()
        if most_states is None or not self._may_search_on(ending):
            self._note(ending)

    def _may_search_on(self, ending: Ending) -> bool:
        """Whether exploring ended only to let the search begin."""
        is_asked = ending is Ending.ASKED and self._is_full
        return is_asked or ending in (Ending.TIME, Ending.MEMORY, Ending.STATES)

    def _after(self, more: int | None) -> int | None:
        """How many states there are after so many more."""
        return None if more is None else self._engine.num_states + more

    def _start_over(self) -> core.CanonicalEngine:
        """Give up what was explored: that has filled the memory and is no plan."""
        self._has_started_over = True
        del self._engine  # before there is another
        self._engine = self._renewed()
        return self._engine

    def _search(self) -> None:
        left = self._seconds_left
        if left is not None:
            left -= min(left * _SHARE_TO_FINISH, _MOST_TO_FINISH)
        if self._ending is Ending.MEMORY:
            # What filled the memory is gone, and there is no plan yet.
            most = min(max(self.seconds, _GRACE_SECONDS), _MOST_AFTER_EXPLORING)
            left = most if left is None else min(left, most)
        elif self._ending is not Ending.DONE:
            left = _GRACE_SECONDS / 2
        self._search_for(left)

    def _search_for(self, seconds: float | None, more: int | None = None) -> None:
        try:
            found, ending = self._searched(seconds, more)
        except MemoryError:
            # Not even enough to begin among all that was explored.
            self._start_over()
            self._note(Ending.MEMORY)
            most = _MOST_AFTER_EXPLORING
            found, ending = self._searched(min(seconds or most, most), more)
        self._found = found
        if self._ending is Ending.DONE or ending is Ending.ASKED:
            self._note(ending)

    def _searched(
        self, seconds: float | None, more: int | None
    ) -> tuple[Found, Ending]:
        how = (self._objective, seconds, self._bytes_for_plan, self._listen)
        return self._engine.search(self._limits.gap, *how, self._after(more))

    @property
    def _bytes_for_plan(self) -> int | None:
        """The memory limit; once it is met, with room for a plan."""
        most = self._limits.memory_limit_bytes
        if most is not None and self._ending is Ending.MEMORY:
            # Other plans may hold on to what was explored: there must be one here, too.
            most = max(most, core.resident_bytes() + _BYTES_FOR_PLAN)
        return most

    def _note(self, ending: Ending) -> None:
        """Write down how the run came to its end, and that it just did."""
        self._ending, self._end = ending, time.perf_counter()

    def _listen(self, stage: str, num_states: int, lower: float, upper: float) -> bool:
        """Pass on what the core reports; False asks it to stop."""
        if lower <= upper:
            self._bounds = Bounds(lower, upper)
        self._progress(Progress(Stage(stage), num_states, *(self._bounds or ())))
        if self._most_states is not None and self._is_too_much(num_states):
            self._is_full = True
            return False
        is_ending = self._ending not in (Ending.DONE, Ending.MEMORY)
        return is_ending or not self._limits.is_cancelled

    def _is_too_much(self, num_states: int) -> bool:
        """Return whether exploring takes more states or memory than it may."""
        assert self._most_states is not None
        if num_states > self._most_states:
            return True
        most = min(_MOST_BYTES_IN_TURNS, _SHARE_OF_MEMORY * _physical_bytes())
        return core.resident_bytes() > most

    @property
    def seconds(self) -> float:
        """The time since the run began."""
        return time.perf_counter() - self._start

    @property
    def _seconds_left(self) -> float | None:
        """What is left of the time limit, and never nothing at all."""
        limit = self._limits.time_limit_seconds
        return None if limit is None else max(limit - self.seconds, _GRACE_SECONDS)

    @property
    def _grace_seconds(self) -> float:
        """What may be taken for putting the plan together."""
        if self._ending is Ending.ASKED:
            passed = time.perf_counter() - self._end
            return max(_GRACE_SECONDS - passed, _LEAST_GRACE_SECONDS)
        left = self._seconds_left
        return _MOST_TO_FINISH if left is None else min(left, _MOST_TO_FINISH)

    def solution(self, problem: Problem, adversary: Adversary | None) -> Solution:
        """Put the answer together."""
        engine, found, solved = self._engine, self._found, self.seconds
        most: tuple[float | None, int | None] = None, None
        if self._ending is not Ending.DONE:
            most = self._grace_seconds, self._bytes_for_plan
        plan = core.Plan(engine, *most)
        tree = tree_of(plan, problem, has_adversary=adversary is not None)
        is_optimal = found is not Found.PLAN
        secured = tree.root.value - plan.score(plan.root, plan.deviations)
        return Solution(
            expected_reward=tree.root.value,
            status=Status.OPTIMAL if is_optimal else _STATUS[self._ending],
            tree=tree,
            engine="canonical",
            prefer=self._prefer,
            is_exact=False,
            statistics=Statistics(
                rewarding_sets=None,
                full_graph_states=engine.num_states,
                reduced_graph_states=plan.count_reduced(),
                tree_nodes=tree.num_nodes,
                seconds=Seconds(full_graph=solved, tree=self.seconds - solved),
                expanded_states=engine.num_expanded,
                num_bytes=engine.num_bytes,
            ),
            problem=problem,
            bound=None if is_optimal else engine.upper_bound + secured,
            reason=self._reason,
            is_tie_settled=found is Found.TREE,
            adversary=adversary,
        )


def _physical_bytes() -> float:
    """Return how much memory the machine has; without end where it does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # pragma: no cover
        return math.inf


class Bounds(NamedTuple):
    """What an expected reward lies between; it is proven where the two are one."""

    lower: float
    upper: float


class PlanStart(NamedTuple):
    """What a plan is worth, and what it does first; None where it does nothing."""

    expected_reward: float
    first_action: str | None
