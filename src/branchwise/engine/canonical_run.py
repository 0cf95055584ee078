"""One run of the canonical engine, and the solution it comes to."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

import branchwise._core as core
from branchwise._core import Ending, Found
from branchwise.engine.canonical_policy import CanonicalPolicy, tree_of
from branchwise.engine.limits import Limits, Search
from branchwise.engine.lower import core_objective
from branchwise.engine.preparation import ENDED
from branchwise.errors import LimitError, NoPlanError
from branchwise.model.adversary import Adversary
from branchwise.model.execution.stuck import stuck_error
from branchwise.model.problem import Problem
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.choices.preference import Preference
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.solution import Seconds, Solution, Statistics, Status

if TYPE_CHECKING:
    from branchwise.engine.exact.settled_tree import TreeSettler

_STATUS: Final = {Ending.DONE: Status.WITHIN_GAP, **ENDED}
"""What a run that did not find the optimum says of its answer."""

# Up to here exploring everything takes a few seconds, and is simplest.
MOST_EXPLORED: Final = 400_000

# Exploring has no plan before it is done. So if it takes longer than this, or than this
# share of a time limit, the search finds one: a run that is broken off then has a plan
# in hand.
_SECONDS_WITHOUT_PLAN: Final = 0.1
_SHARE_WITHOUT_PLAN: Final = 0.2
_SECONDS_FOR_PLAN: Final = 0.04

# From then on both take turns, as it is not known beforehand which is done first.
# Exploring takes a few microseconds per state, so it is most often done first however
# close the bounds of the search are: it has twice as long each time, and the search a
# twelfth of that, to improve the plan in hand.
_SHARE_OF_SEARCH: Final = 0.08

# A state takes deepening about twice as long as exploring. It needs a fifth to a third
# of the states where these are many (`TurnSizes.least_deepened`) and the budget pays
# for little of what could be done (`TurnSizes.deepened_share`), so that failures cost
# much; else half of them or more.

# Of a time limit, what plans may take at most before there are any turns: a run that
# will be broken off is to have a good one. They take as much time in all as without.
_SHARE_OF_PLANS: Final = 0.7

# Exploring ends at so many states (`TurnSizes.most`), at so many bytes or this share of
# the machine's memory, and after this share of a time limit.
_MOST_BYTES_IN_TURNS: Final = 4_000_000_000
_SHARE_OF_MEMORY: Final = 0.25
_SHARE_OF_TURNS: Final = 0.4

# Of a time limit, what exploring may take where one must finish; then come better
# plans, and a bound.
_SHARE_OF_EXPLORING: Final = 0.6

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

# Settling ties takes some ten microseconds for a state.
_STATES_BETWEEN_LOOKS: Final = 256

_WHY_ONLY_EXPLORED: Final = "as one may not stop anywhere, which searching relies on"
_WHY_NOT_EXACTLY: Final = "deepening does not follow all that may be optimal exactly"
_WHY_NOT_DEEPENED: Final = (
    "a failed attempt is nothing but a loss, which deepening relies on, only where "
    "nothing is negated, precluded, conditioned, repeatable, charged or a penalty"
)

# A gap that is as good as none, but for which ties need not be settled.
_NO_TIES: Final = 1e-15


class TurnSizes(NamedTuple):
    """
    How many states more each turn of ``auto`` may meet, besides what time it has.

    Problems are as a rule explored before a first turn is over. Sizes of a few states
    let small ones come to every later stage, the same ones on every machine.

    Examples
    --------
    >>> TurnSizes(explored=2, searched=5).doubled()[:2]
    (4, 10)
    """

    explored: int | None = None
    searched: int | None = None
    most: int = 16_000_000  # Where exploring gives up: the states there may be in all
    least_deepened: int = 50_000  # The states from which on deepening may be better
    deepened_share: float = 0.26  # Of what could be done, what the budget then pays for

    def doubled(self) -> TurnSizes:
        """Return the sizes of the turns after these."""
        explored = None if self.explored is None else 2 * self.explored
        searched = None if self.searched is None else 2 * self.searched
        return self._replace(explored=explored, searched=searched)


USUAL_SIZES: Final = TurnSizes()


class Run:
    """One run of the engine, and how it ended."""

    # `renewed` makes another engine for the same problem, after giving up the one there
    # is with all it has explored.

    def __init__(
        self,
        engine: core.CanonicalEngine,
        limits: Limits,
        preference: Preference,
        progress: Listener,
        renewed: Callable[[], core.CanonicalEngine],
        sizes: TurnSizes = USUAL_SIZES,
        *,
        is_exact: bool = False,
    ) -> None:
        self._engine = engine
        self._engine.set_exact(is_exact)
        self._sizes = sizes
        self._renewed = renewed
        self._is_exact = is_exact
        self._limits = limits
        self._preference = preference
        usual = preference.name if preference.is_in_core else OBJECTIVE_NAMES[0]
        self._objective = core_objective(usual)
        self._is_settled_here = is_exact or not preference.is_in_core
        self._progress = progress
        self._most_states: int | None = None
        self._is_full = False
        self._is_explored = False
        self._start = time.perf_counter()
        self._found = Found.PLAN
        self._ending = Ending.DONE
        self._end = self._start
        self._reason = ""
        self._bounds: Bounds | None = None
        self._has_started_over = False

    def go(self, search: Search) -> None:
        """Explore or search, as asked for."""
        if not self._engine.can_search:
            self._explore_alone(search)
            return
        if search == "exhaustive":
            self._explore(None, self._limits.time_limit_seconds)
        elif search == "deepening" and self._engine.can_deepen:
            self._deepen(None, self._limits.time_limit_seconds)
        elif search == "auto" and not self._limits.gap:
            self._take_turns()
        if self._found is Found.TREE:
            return
        self._reason = "searched best first"
        if search == "auto":
            self._reason += f", as {self._why_not_explored()}"
        elif search == "deepening" and not self._engine.can_deepen:
            why = _WHY_NOT_EXACTLY if self._is_exact else _WHY_NOT_DEEPENED
            self._reason += f", as {why}"
        self._search()

    def _explore_alone(self, search: Search) -> None:
        """Explore everything where no search holds, with a plan in hand soon."""
        self._explore_with_a_plan()
        if self._found is Found.TREE:
            if search in {"best-first", "deepening"}:
                self._reason += f", {_WHY_ONLY_EXPLORED}"
            return
        if self._ending is Ending.DONE:
            self._reason = "explored until the gap was closed"
            return
        self._reason = "not all canonical states could be explored"
        self._finish_or_raise(
            "raise the limit, or say what has to be reached as a reward"
        )

    def _finish_or_raise(self, fix: str) -> None:
        """Have a plan that finishes, or say that there is none and what to do."""
        if self._finish_before_the_end():
            return
        if self._ending is Ending.ASKED:
            raise KeyboardInterrupt
        what = "memory" if self._ending is Ending.MEMORY else "time"
        raise NoPlanError(
            f"the {what} limit was met before there was a plan that finishes"
            f"\n    fix: {fix}"
        )

    def _explore_with_a_plan(self) -> None:
        """Explore in turns, after each of which plan and bound get better."""
        limit = self._limits.time_limit_seconds
        most = math.inf if limit is None else limit * _SHARE_OF_EXPLORING
        seconds = min(_SECONDS_WITHOUT_PLAN, most / 2)
        self._explore(None, seconds)
        while self._found is not Found.TREE and self._ending is Ending.TIME:
            if self.seconds >= most:
                return
            self._ending = Ending.DONE
            self._finish_early(max(_SECONDS_FOR_PLAN, _SHARE_OF_SEARCH * seconds))
            if self._ending is not Ending.DONE or self._is_within_gap:
                return
            seconds = min(2 * seconds, max(most - self.seconds, _GRACE_SECONDS))
            self._explore(None, seconds)

    @property
    def _is_within_gap(self) -> bool:
        """Whether plan and bound are as close as was asked for, if that was."""
        if self._bounds is None or not self._limits.gap:
            return False
        lower, upper = self._bounds
        return upper - lower <= self._limits.gap * abs(upper)

    def _finish_before_the_end(self) -> bool:
        """Improve the plan in hand with what is left; return whether there is one."""
        if self._ending is Ending.MEMORY:
            self._start_over()
            seconds = min(max(self.seconds, _GRACE_SECONDS), _MOST_AFTER_EXPLORING)
            if self._finish_early(seconds):
                return True
            seconds = _MOST_AFTER_EXPLORING  # A machine short of memory may stall.
        elif self._ending is Ending.ASKED:
            seconds = _GRACE_SECONDS
        else:
            left = self._seconds_left
            assert left is not None
            seconds = left - min(left * _SHARE_TO_FINISH, _MOST_TO_FINISH)
        return self._finish_early(seconds)

    def _finish_early(self, seconds: float) -> bool:
        """Find a plan that finishes, or improve it; return whether there is one."""
        how = (self._objective, seconds, self._bytes_for_plan, self._listen)
        found, ending = self._engine.finish_early(*how)
        if found is not None:
            self._found = found
            self._bounds = Bounds(self._engine.lower_bound, self._engine.upper_bound)
        if self._ending is Ending.DONE and ending is Ending.ASKED:
            self._note(ending)
        return found is not None

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
        if not engine.can_search:
            most_states = None
        is_done, ending = engine.explore(self._objective, limit, *how, most_states)
        if not is_done and not engine.can_search:
            raise NoPlanError("a limit was met before there were any bounds")
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
        """Explore or deepen, and search, in turns, until one is done."""
        limit = self._limits.time_limit_seconds
        sizes = self._sizes
        explored, searched = _SECONDS_WITHOUT_PLAN, _SECONDS_FOR_PLAN
        if limit is not None:
            explored = min(explored, limit * _SHARE_WITHOUT_PLAN)
        self._explore(sizes.most, explored, sizes.explored)
        if limit is not None:
            ahead = self._plan_ahead(limit, sizes.searched)
            limit = min(limit * _SHARE_OF_TURNS + ahead, limit * (1 - _SHARE_TO_FINISH))
        while limit is None or self.seconds + searched + 2 * explored < limit:
            if not self._goes_on() or self._is_full or self._has_started_over:
                return
            self._search_for(searched, sizes.searched)
            self._reason = "searched best first, which was done sooner than exploring"
            if self._ending in (Ending.TIME, Ending.STATES):
                self._ending = Ending.DONE
            if not self._goes_on():
                return
            explored, sizes = 2 * explored, sizes.doubled()
            if self._looks_deep():
                self._deepen(sizes.most, explored, sizes.explored)
            else:
                self._explore(sizes.most, explored, sizes.explored)
            searched = _SHARE_OF_SEARCH * explored

    def _plan_ahead(self, limit: float, more: int | None) -> float:
        """Look for the first few plans; return how many seconds that took."""
        start = self.seconds
        if self._goes_on() and not self._is_full and not self._has_started_over:
            self._search_for(limit * _SHARE_OF_PLANS, more, gap=math.inf)
            if self._found is Found.OPTIMUM:
                self._found = Found.PLAN  # The search settles ties, in its turn.
            if self._ending in (Ending.TIME, Ending.STATES):
                self._ending = Ending.DONE
        return self.seconds - start

    def _looks_deep(self) -> bool:
        """Return whether deepening is likely to be done sooner than exploring."""
        engine = self._engine
        is_large = engine.num_states >= self._sizes.least_deepened
        is_tight = engine.affordable_share <= self._sizes.deepened_share
        return is_large and is_tight and engine.can_deepen

    def _goes_on(self) -> bool:
        """Return whether there is only a plan so far, and nothing has ended the run."""
        return self._found is Found.PLAN and self._ending is Ending.DONE

    def _explore(
        self, most_states: int | None, seconds: float | None, more: int | None = None
    ) -> None:
        self._most_states = most_states
        how = (self._objective, seconds, self._limits.memory_limit_bytes, self._listen)
        is_done, ending = self._engine.explore(*how, self._after(more))
        self._is_explored |= is_done
        reason = "explored every canonical state"
        self._end_turn(reason if is_done else None, ending)

    def _deepen(
        self, most_states: int | None, seconds: float | None, more: int | None = None
    ) -> None:
        self._most_states = most_states
        how = (self._objective, seconds, self._limits.memory_limit_bytes, self._listen)
        is_done, ending = self._engine.deepen(*how, self._after(more))
        reason = "deepened until the optimum was proven"
        self._end_turn(reason if is_done else None, ending)

    def _end_turn(self, reason: str | None, ending: Ending) -> None:
        """Note what came of exploring or deepening: a tree, if there is a reason."""
        is_last = self._most_states is None
        self._most_states = None
        if reason is not None:
            self._found = Found.TREE
            self._reason = reason
            return
        if ending is Ending.MEMORY and self._engine.can_search:
            self._start_over()
        if is_last or not self._may_search_on(ending):
            self._note(ending)

    def _may_search_on(self, ending: Ending) -> bool:
        """Whether exploring or deepening ended only to let the search begin."""
        is_asked = ending is Ending.ASKED and self._is_full
        return is_asked or ending in (Ending.TIME, Ending.MEMORY, Ending.STATES)

    def _after(self, more: int | None) -> int | None:
        """How many states there are after so many more."""
        return None if more is None else self._engine.num_states + more

    def _start_over(self) -> core.CanonicalEngine:
        """Begin anew with nothing but the plan: what was explored filled the memory."""
        self._has_started_over = True
        steps = self._engine.steps_in_hand()
        del self._engine  # before there is another
        self._engine = self._renewed()
        self._engine.set_exact(self._is_exact)
        if steps:
            how = (_MOST_AFTER_EXPLORING, self._limits.memory_limit_bytes, self._listen)
            self._engine.take_over(steps, *how)
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

    def _search_for(
        self,
        seconds: float | None,
        more: int | None = None,
        *,
        gap: float | None = None,
    ) -> None:
        gap = self._limits.gap if gap is None else gap
        try:
            found, ending = self._searched(gap, seconds, more)
        except MemoryError:
            # Not even enough to begin among all that was explored.
            self._start_over()
            self._note(Ending.MEMORY)
            most = _MOST_AFTER_EXPLORING
            found, ending = self._searched(gap, min(seconds or most, most), more)
        self._found = found
        if self._ending is Ending.DONE or ending is Ending.ASKED:
            self._note(ending)

    def _searched(
        self, gap: float, seconds: float | None, more: int | None
    ) -> tuple[Found, Ending]:
        how = (self._objective, seconds, self._bytes_for_plan, self._listen)
        return self._engine.search(gap, *how, self._after(more))

    @property
    def _bytes_for_plan(self) -> int | None:
        """The memory limit; once it is met, with room for a plan."""
        most = self._limits.memory_limit_bytes
        if most is not None and self._ending is Ending.MEMORY:
            # Other plans may hold on to what was explored: there must be one here, too.
            # Of a limit the core leaves a twentieth to Python.
            most = max(most, (core.resident_bytes() + _BYTES_FOR_PLAN) * 20 // 19)
        return most

    def _note(self, ending: Ending) -> None:
        """Write down how the run came to its end, and that it just did."""
        self._ending, self._end = ending, time.perf_counter()

    def _listen(self, stage: str, num_states: int, lower: float, upper: float) -> bool:
        """Pass on what the core reports; False asks it to stop."""
        if lower <= upper:
            # What was started over begins with less than is known.
            known = self._bounds or (lower, upper)
            self._bounds = Bounds(max(lower, known[0]), min(upper, known[1]))
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
        most = min(_MOST_BYTES_IN_TURNS, _SHARE_OF_MEMORY * physical_bytes())
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
        engine, solved = self._engine, self.seconds
        most: tuple[float | None, int | None] = None, None
        if self._ending is not Ending.DONE:
            most = self._grace_seconds, self._bytes_for_plan
        plan = core.Plan(engine, *most)
        if engine.lower_bound == -math.inf and self._is_explored:
            raise stuck_error(CanonicalPolicy(plan, problem).way_into_the_stuck())
        tree, num_reduced = self._tree(plan, problem, adversary)
        return Solution(
            expected_reward=tree.root.value,
            status=Status.OPTIMAL if self._is_proven else _STATUS[self._ending],
            tree=tree,
            engine="canonical",
            prefer=self._preference.name,
            is_exact=self._is_exact,
            statistics=Statistics(
                rewarding_sets=None,
                full_graph_states=engine.num_states,
                reduced_graph_states=num_reduced,
                tree_nodes=tree.num_nodes,
                seconds=Seconds(full_graph=solved, tree=self.seconds - solved),
                expanded_states=engine.num_expanded,
                num_bytes=engine.num_bytes,
            ),
            problem=problem,
            bound=None if self._is_proven else self._bound(plan, problem),
            reason=self._reason,
            is_tie_settled=self._found is Found.TREE,
            adversary=adversary,
        )

    def _tree(
        self, plan: core.Plan, problem: Problem, adversary: Adversary | None
    ) -> tuple[DecisionTree, int | None]:
        """Return the tree, and how many states all optimal trees have, if known."""
        if self._is_settled_here and self._found is Found.TREE:
            try:
                return self._settler(plan, problem).best(self._preference, self._look)
            except LimitError:
                self._found = Found.OPTIMUM
        if self._is_exact:
            return self._settler(plan, problem).in_hand(), None
        tree = tree_of(plan, problem, has_adversary=adversary is not None)
        return tree, plan.count_reduced()

    def _settler(self, plan: core.Plan, problem: Problem) -> TreeSettler:
        # Start-up is felt, and most trees are settled by the core.
        from branchwise.engine.exact.settled_tree import TreeSettler  # noqa: PLC0415

        return TreeSettler(
            self._engine,
            plan,
            problem,
            is_exact=self._is_exact,
            is_explored=self._is_explored,
        )

    def _look(self, num_done: int) -> None:
        """Note that a limit was met, and raise a `LimitError`, if so."""
        if num_done % _STATES_BETWEEN_LOOKS:
            return
        self._progress(Progress(Stage.TREE, num_done, *(self._bounds or ())))
        limits, ending = self._limits, Ending.DONE
        time_limit, most = limits.time_limit_seconds, limits.memory_limit_bytes
        if limits.is_cancelled:
            ending = Ending.ASKED
        elif time_limit is not None and self.seconds > time_limit:
            ending = Ending.TIME
        elif most is not None and core.resident_bytes() >= most:
            ending = Ending.MEMORY
        if ending is not Ending.DONE:
            self._note(ending)
            raise LimitError("a limit was met before ties were settled")

    @property
    def _is_proven(self) -> bool:
        """Whether the plan is proven optimal; exactly, only once ties are settled."""
        if self._is_exact:
            return self._found is Found.TREE
        return self._found is not Found.PLAN

    def _bound(self, plan: core.Plan, problem: Problem) -> float:
        """Return what no plan can exceed."""
        upper = self._engine.upper_bound
        secured = CanonicalPolicy(plan, problem).root.secured
        if not self._is_exact:
            return upper + float(secured)
        highest = Fraction(upper) + Fraction(self._engine.rounding) + secured
        return math.nextafter(float(highest), math.inf)


def physical_bytes() -> float:
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
