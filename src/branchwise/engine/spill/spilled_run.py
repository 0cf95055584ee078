"""One run with states in files, and a plan in hand while it lasts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import branchwise._core as core
from branchwise._core import Ending, Found, PartScored
from branchwise.engine.canonical_run import Run, physical_bytes
from branchwise.engine.limits import Limits, Search
from branchwise.engine.spill.state_folder import in_our_words
from branchwise.errors import SpillError
from branchwise.model.adversary import Adversary
from branchwise.model.problem import Problem
from branchwise.tree.choices.preference import Preference
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.solution import Solution

# Of a memory limit, what the search for a plan in hand may take. What is left of it
# then is for states; tables that grow are there twice for a moment.
_SHARE_OF_SEARCH_MEMORY: Final = 0.1
_SHARE_OF_PART: Final = 0.72
_SHARE_OF_PLAN: Final = 0.25
_LEAST_PART_BYTES: Final = 1 << 20

# Without a limit, what states may take of the memory there is.
_SHARE_OF_MACHINE: Final = 0.5

# Of the time so far, what the search for a better plan may take after each part; at
# first, so many seconds.
_SHARE_OF_SEARCH: Final = 0.08
_SECONDS_FOR_PLAN: Final = 0.1

# From so many expanded states on a part begins no further rank: so much is lost at
# most, and a rank more, where the process is killed. That is half a minute.
_MOST_OWN: Final = 5_000_000

# The core leaves a twentieth of a limit to Python.
_OF_CORE: Final = 19 / 20


class PartLimits(NamedTuple):
    """
    How large parts may become, besides what the memory limit says.

    Limits of a few states let small problems come to many parts, the same ones on
    every machine.

    Examples
    --------
    >>> PartLimits(met=10).most is None
    True
    """

    met: int | None = None  # So many states a part is planned to meet
    most: int | None = None  # At so many it is too large
    plan: int | None = None  # So many states the plan may have with all that is tied


USUAL_PARTS: Final = PartLimits()


class SpilledRun(Run):
    """A run whose states are in files: it explores part after part, then scores."""

    def __init__(
        self,
        spill: core.Spill,
        folder: Path,
        begun: Callable[[], core.CanonicalEngine],
        limits: Limits,
        preference: Preference,
        progress: Listener,
        sizes: PartLimits = USUAL_PARTS,
    ) -> None:
        super().__init__(begun(), limits, preference, progress, begun)
        self._spill, self._folder, self._parts = spill, folder, sizes
        self._is_search_full = False
        self._most_for_search: int | None = None
        self._num_reduced: int | None = None
        self._is_from_files = False

    def go(self, search: Search) -> None:
        """Explore and score what is not in the files yet; then read the plan."""
        self._is_searching = search == "auto"
        with in_our_words():
            is_done = self._explored() and self._scored() and self._plan_read()
        if is_done:
            num_parts = self._spill.num_parts
            parts = "one part" if num_parts == 1 else f"{num_parts:,} parts"
            self._reason = f"explored every canonical state, in {parts} in files"
            return
        if self._has_tree:
            self._reason = "searched best first, which was done sooner than exploring"
            return
        self._reason = (
            f"searched best first, as not all canonical states were explored; "
            f"{self._spill.num_states:,} are in `{self._folder}`: with the same folder "
            "it goes on from there"
        )
        self._end_with_a_plan()

    def _end_with_a_plan(self) -> None:
        if self._engine.can_search:
            self._search()
        else:
            self._finish_or_raise(
                "raise the limit, then start again with the same folder: it goes on "
                "from what is finished"
            )

    # A plan in hand.

    def _improved(self, seconds: float) -> bool:
        """Search for a better plan; return whether there is more to do."""
        if self._is_search_full or self._found is not Found.PLAN:
            return not self._has_tree
        most = core.resident_bytes() + _SHARE_OF_SEARCH_MEMORY * self._memory
        self._most_for_search = round(most / _OF_CORE)
        if self._engine.can_search:
            self._search_for(seconds)
        else:
            self._explore_a_little(seconds)
        self._most_for_search = None
        if self._ending is Ending.MEMORY:
            self._is_search_full = True
        if self._ending in (Ending.TIME, Ending.STATES, Ending.MEMORY):
            self._ending = Ending.DONE
        if self._has_tree and not self._is_searching:
            self._found = Found.OPTIMUM
        return not self._has_tree and self._ending is Ending.DONE

    @property
    def _has_tree(self) -> bool:
        """Whether the search has found all there is to find."""
        return self._found is Found.TREE

    def _explore_a_little(self, seconds: float) -> None:
        how = (seconds, self._most_for_search, self._listen)
        is_done, ending = self._engine.explore(self._objective, *how)
        if is_done:
            self._found = Found.TREE
            return
        self._ending = ending
        if ending is not Ending.ASKED:
            self._finish_early(seconds)

    @property
    def _bytes_for_plan(self) -> int | None:
        if self._most_for_search is not None:
            return self._most_for_search
        return super()._bytes_for_plan

    # The steps.

    @property
    def _memory(self) -> float:
        """How many bytes the process may hold."""
        limit = self._limits.memory_limit_bytes
        machine = _SHARE_OF_MACHINE * min(physical_bytes(), 2**60)
        return machine if limit is None else float(limit)

    def _part_bytes(self) -> int:
        """How many bytes the states of a part may take."""
        left = _OF_CORE * self._memory - core.resident_bytes()
        return max(round(_SHARE_OF_PART * left), _LEAST_PART_BYTES)

    def _may_go_on(self) -> bool:
        """Whether there is time, and it was not asked to stop; else note which."""
        limit = self._limits.time_limit_seconds
        if self._limits.is_cancelled:
            self._note(Ending.ASKED)
        elif limit is not None and self.seconds >= limit:
            self._note(Ending.TIME)
        return self._ending is Ending.DONE

    @property
    def _seconds_for_step(self) -> float | None:
        """The time that a step may take, such that some is left for a plan."""
        left = self._seconds_left
        return None if left is None else left * (1 - _SHARE_OF_SEARCH)

    def _explored(self) -> bool:
        """Explore to the end; False if something ends it before."""
        spill = self._spill
        if spill.is_explored:
            return True
        seconds = _SECONDS_FOR_PLAN
        while spill.next_rank is not None:
            if not self._improved(seconds):
                return False
            is_done, ending = spill.expand(
                self._part_bytes(),
                self._parts.met,
                _MOST_OWN,
                self._seconds_for_step,
                self._limits.memory_limit_bytes,
                self._listen_exploring,
                self._parts.most,
            )
            # A part that became too large ended before what made it so.
            is_too_large = ending in {Ending.STATES, Ending.MEMORY}
            if is_too_large and not is_done:
                self._note(Ending.MEMORY)
            elif not is_too_large:
                self._note(ending)
            if not self._may_go_on():
                return False
            seconds = _SHARE_OF_SEARCH * self.seconds
        spill.end_exploring()
        return True

    def _listen_exploring(
        self, _stage: str, num_states: int, _lower: float, _upper: float
    ) -> bool:
        total = self._spill.num_states + num_states
        self._progress(Progress(Stage.EXPLORING, total, *(self._bounds or ())))
        return not self._limits.is_cancelled

    def _scored(self) -> bool:
        """Score all parts, those that come last first; False if it ends before."""
        for is_wide in (False, True):
            self._measurement = core.Measurement(self._objective, is_wide)
            found = self._scored_by(self._measurement)
            if found is not PartScored.TOO_MANY:
                return found is PartScored.DONE
        raise AssertionError("widest numbers stay where they cannot count on")

    def _scored_by(self, measurement: core.Measurement) -> PartScored:
        spill = self._spill
        self._num_scored = 0
        for part in reversed(range(spill.num_parts)):
            if not spill.is_scored(part, measurement):
                limits = self._seconds_for_step, self._limits.memory_limit_bytes
                scored, ending = spill.score(
                    part, measurement, *limits, self._listen_scoring
                )
                if scored is PartScored.TOO_MANY:
                    return scored
                if scored is PartScored.BROKEN_OFF:
                    self._note(ending)
                    return scored
            self._num_scored += spill.num_own(part)
            if not self._may_go_on():
                return PartScored.BROKEN_OFF
        return PartScored.DONE

    def _listen_scoring(
        self, _stage: str, _num_states: int, _lower: float, _upper: float
    ) -> bool:
        lower, upper = self._bounds or (None, None)
        total = self._spill.num_states
        self._progress(Progress(Stage.SCORING, self._num_scored, lower, upper, total))
        return not self._limits.is_cancelled

    def _plan_read(self) -> bool:
        """Read the plan, with all that is tied if that fits; False if it ends."""
        self._start_over()  # The plan in hand makes room for the best one.
        for keeps_ties in (True, False):
            marks = core.PlanMarks(self._spill, self._measurement, keeps_ties)
            builder = core.PlanBuilder(self._engine)
            marks.mark_root()
            fits = True
            for part in range(self._spill.num_parts):
                records = marks.follow(part)
                if not builder.add(records):
                    raise SpillError.of(
                        self._folder,
                        "its files contradict each other",
                        "remove it, and start again",
                    )
                fits = not keeps_ties or self._has_room_for(builder.num_states)
                if not fits:
                    del builder
                    self._start_over()
                    break
                if not self._may_go_on():
                    return False
            if fits:
                builder.finish()
                break
        self._num_reduced = marks.num_counted
        self._found, self._is_explored = Found.TREE, True
        self._is_from_files = True
        self._spill.remove_keys()
        return True

    def _has_room_for(self, num_states: int) -> bool:
        """Whether a plan of so many states may become larger."""
        if self._parts.plan is not None:
            return num_states <= self._parts.plan
        return self._engine.num_bytes < _SHARE_OF_PLAN * self._memory

    def solution(self, problem: Problem, adversary: Adversary | None) -> Solution:
        """Put the answer together."""
        solution = super().solution(problem, adversary)
        if not self._is_from_files:
            return solution
        counted = replace(
            solution.statistics,
            full_graph_states=self._spill.num_states,
            reduced_graph_states=self._num_reduced,
            expanded_states=self._spill.num_states,
            num_bytes=None,
        )
        return replace(solution, statistics=counted)
