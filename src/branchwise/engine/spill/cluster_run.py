"""One run with states in the files of many workers of a cluster."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar, cast
from uuid import uuid4

import branchwise._core as core
from branchwise._core import Ending, Found, PartScored
from branchwise.engine.canonical_run import physical_bytes
from branchwise.engine.limits import Limits, Search, checked_search
from branchwise.engine.lower import Lowered
from branchwise.engine.spill.crew import Ask, Crew, LostError, Parcel, StoppedError
from branchwise.engine.spill.shard import Ground, ShardStatus
from branchwise.engine.spill.spilled_run import USUAL_PARTS, PartLimits, SpilledRun
from branchwise.engine.spill.state_folder import state_folder
from branchwise.errors import ExecutorError, SpillError
from branchwise.executors.executor import Executor, check_versions, is_dask
from branchwise.formats.atomic import write_atomically
from branchwise.model.problem import Problem
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.choices.preference import Prefer, Preference
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Solution

T = TypeVar("T")

_OWNERS: Final = "owners.json"

# After so many losses without a step in between, something else is at fault.
_MOST_LOSSES: Final = 12

# Without a limit, what each worker may hold of the memory that it sees.
_SHARE_OF_MACHINE: Final = 0.5

_SHARE_OF_SEARCH: Final = 0.08
_SECONDS_FOR_PLAN: Final = 0.1


class Shards:
    """The owners of all states: what a run asks of a single `Spill`, of all of them."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self.statuses: list[ShardStatus] = []

    def look(self) -> list[ShardStatus]:
        """Ask all owners how far they have come."""
        self.statuses = self.crew.all("status")
        return self.statuses

    @property
    def next_rank(self) -> int | None:
        """The highest rank that waits anywhere."""
        ranks = [each.next_rank for each in self.statuses]
        return max((each for each in ranks if each is not None), default=None)

    @property
    def num_parts(self) -> int:
        """How many parts there are."""
        return sum(len(each.lows) for each in self.statuses)

    @property
    def num_states(self) -> int:
        """How many states there are, of finished parts."""
        return sum(each.num_states for each in self.statuses)

    def remove_keys(self) -> None:
        """Remove what only exploring needs."""
        self.crew.all("remove_keys")


class ClusterRun(SpilledRun):
    """A run whose states are with the workers of a cluster, layer by layer."""

    def __init__(
        self,
        shards: Shards,
        folder: Path,
        begun: Callable[[], core.CanonicalEngine],
        limits: Limits,
        preference: Preference,
        progress: Listener,
        sizes: PartLimits = USUAL_PARTS,
    ) -> None:
        known = folder, begun, limits, preference, progress, sizes
        super().__init__(cast("core.Spill", shards), *known)
        self._shards, self._crew = shards, shards.crew
        self._num_losses = 0
        self._seconds_searched = 0.0

    def begin(self, num_known: int | None) -> None:
        """Let every owner begin, or go on; from then on each has its states."""
        owners = self._crew.num_owners
        if self._steadily(self._shards.look) is not None and num_known is None:
            text = json.dumps({"owners": owners}) + "\n"
            write_atomically(self._folder / _OWNERS, text)
            self._crew.begun.update(range(owners))

    def _steadily(self, phase: Callable[[], T]) -> T | None:
        """
        Go through a phase, again from where it is wherever a worker is lost.

        None where it was asked to end.
        """
        while True:
            try:
                return phase()
            except StoppedError:
                self._note(Ending.ASKED)
                return None
            except LostError:
                self._num_losses += 1
                if self._num_losses > _MOST_LOSSES:
                    raise ExecutorError(
                        f"{self._num_losses} workers were lost one after another"
                        "\n    fix: give each worker more memory, or have fewer of "
                        "them; then start again with the same folder"
                    ) from None
                with suppress(LostError):
                    self._crew.settle()

    def _explored(self) -> bool:
        return bool(self._steadily(self._explored_further))

    def _explored_further(self) -> bool:
        """Explore to the end; False if something ends it before."""
        statuses = self._shards.look()
        if all(each.is_explored for each in statuses):
            return True
        self._exchange()
        if not self._improved(_SECONDS_FOR_PLAN):
            return False
        while (rank := self._shards.next_rank) is not None:
            total = self._shards.num_states
            self._progress(Progress(Stage.EXPLORING, total, *(self._bounds or ())))
            if not self._expanded(rank):
                return False
            self._exchange()
            self._num_losses = 0
            if not self._improved_at_times():
                return False
        self._crew.all("end_exploring")
        return True

    def _improved_at_times(self) -> bool:
        """Search for a better plan, for a share of the time in all; see `_improved`."""
        seconds = _SHARE_OF_SEARCH * self.seconds - self._seconds_searched
        if seconds < _SECONDS_FOR_PLAN:
            return True
        self._seconds_searched += seconds
        return self._improved(seconds)

    def _expanded(self, rank: int) -> bool:
        """Expand a rank, wherever states of it wait; False if it ends before."""
        seconds, statuses = self._seconds_for_step, self._shards.statuses
        asked = [n for n, each in enumerate(statuses) if each.next_rank == rank]
        asks = [Ask(owner, "expand", (rank, seconds)) for owner in asked]
        for owner, (ending, status) in zip(asked, self._crew.each(asks), strict=True):
            statuses[owner] = status
            if ending is not Ending.DONE:
                self._note(ending)
        return self._may_go_on()

    def _exchange(self) -> None:
        """
        Bring the keys of the lowest rank to those who own them.

        Those of all ranks above it came before anything of it was expanded.
        """
        statuses, owners = self._shards.statuses, range(self._crew.num_owners)
        rank = min((low for each in statuses for low in each.lows), default=None)
        parcels = [
            Parcel(one, "export_keys", (part, other), other, "import_keys", (one, part))
            for one in owners
            for part, low in enumerate(statuses[one].lows)
            if low == rank
            for other in owners
            if other != one
        ]
        found = self._crew.ship(parcels)
        for parcel, status in zip(parcels, found, strict=True):
            known = statuses[parcel.receiver].next_rank
            now = status.next_rank
            # They come in any order, and what waits is only ever more.
            if known is None or (now is not None and now > known):
                statuses[parcel.receiver] = status

    def _scored_by(self, measurement: core.Measurement) -> PartScored:
        found = self._steadily(lambda: self._scored_further(measurement.is_wide))
        return PartScored.BROKEN_OFF if found is None else found

    def _scored_further(self, is_wide: bool) -> PartScored:  # noqa: FBT001
        """Score all parts, rank by rank, from the lowest one on."""
        statuses = self._shards.look()
        unscored = self._crew.all("unscored", is_wide)
        ranks = sorted({low for each in statuses for low in each.lows})
        for number, rank in enumerate(ranks):
            parts = [
                [p for p in reversed(left) if statuses[owner].lows[p] == rank]
                for owner, left in enumerate(unscored)
            ]
            self._ask_for_values(parts, is_wide=is_wide)
            seconds = self._seconds_for_step
            done = self._crew.each(
                [
                    Ask(owner, "score", (some, is_wide, seconds))
                    for owner, some in enumerate(parts)
                    if some
                ]
            )
            for scored, ending in done:
                if scored is PartScored.BROKEN_OFF:
                    self._note(ending)
                if scored is not PartScored.DONE:
                    return cast("PartScored", scored)
            self._num_losses = 0
            self._progress(Progress(Stage.SCORING, number + 1, num_all=len(ranks)))
            if not self._may_go_on():
                return PartScored.BROKEN_OFF
        return PartScored.DONE

    def _ask_for_values(self, parts: list[list[int]], *, is_wide: bool) -> None:
        """Bring what keys are worth to the parts that have sent them."""
        owners = range(self._crew.num_owners)
        self._crew.ship(
            [
                Parcel(
                    other,
                    "export_values",
                    (one, part, is_wide),
                    one,
                    "import_values",
                    (part, other, is_wide),
                )
                for one in owners
                for part in parts[one]
                for other in owners
                if other != one
            ]
        )

    def _plan_read(self) -> bool:
        """Read the plan, with all that is tied if that fits; False if it ends."""
        with_ties = self._steadily(lambda: self._plan_with(keeps_ties=True))
        if with_ties is None:
            return False
        if not with_ties and not self._steadily(
            lambda: self._plan_with(keeps_ties=False)
        ):
            return False
        self._num_reduced = sum(self._crew.all("num_counted"))
        self._found, self._is_explored = Found.TREE, True
        self._is_from_files = True
        self._shards.remove_keys()
        return True

    def _plan_with(self, *, keeps_ties: bool) -> bool:
        """Follow optimal plans from rank to rank; False if they do not fit."""
        self._start_over()
        lows = [each.lows for each in self._shards.look()]
        ranks = sorted({low for each in lows for low in each}, reverse=True)
        root = next(n for n, each in enumerate(lows) if each and each[0] == ranks[0])
        owners = range(self._crew.num_owners)
        wide = self._measurement.is_wide
        self._crew.each(
            [Ask(n, "begin_plan", (wide, keeps_ties, n == root)) for n in owners]
        )
        builder = core.PlanBuilder(self._engine, root)
        for rank in ranks:
            for owner in owners:
                for part, low in enumerate(lows[owner]):
                    if low != rank:
                        continue
                    self._take_in(builder, owner, part)
                    if keeps_ties and not self._has_room_for(builder.num_states):
                        return False
        builder.finish()
        return True

    def _take_in(self, builder: core.PlanBuilder, owner: int, part: int) -> None:
        """Follow plans through a part, and tell the others what they come to."""
        records = self._crew.one(owner, "follow", part)
        for other in range(self._crew.num_owners):
            if other != owner:
                told = owner, part
                self._crew.move(owner, "marks_for", other, "add_marks", *told)
        if not builder.add(records):
            raise SpillError.of(
                self._folder,
                "its files contradict each other",
                "remove it, and start again",
            )


def solve_on_cluster(  # noqa: PLR0913 -- one for every way to be asked
    problem: Problem,
    folder: str | os.PathLike[str],
    executor: Executor,
    *,
    prefer: Prefer = OBJECTIVE_NAMES[0],
    search: Search = "auto",
    limits: Limits | None = None,
    progress: Listener = silent,
    parts: PartLimits = USUAL_PARTS,
    num_owners: int | None = None,
) -> Solution:
    """Find the optimal tree, with states in folders of the workers of a cluster."""
    began = time.perf_counter()
    if not is_dask(executor):
        raise ValueError(
            "`spill` on several workers takes a Dask client, as each worker keeps its "
            "own states\n    fix: give a `distributed.Client`, or leave out `executor`"
        )
    check_versions(executor)
    lowered, within = Lowered(problem), limits or Limits()

    def begun() -> core.CanonicalEngine:
        return core.CanonicalEngine(lowered.instance, 1)

    def look() -> None:
        if within.is_cancelled:
            raise StoppedError

    preference = Preference.of(prefer)
    client: Any = executor
    with state_folder(folder, core.digest_of(lowered.instance)) as path:
        threads: dict[str, int] = client.nthreads()
        known = _known_owners(path)
        most = min(max(len(threads), 1), core.NUM_BUCKETS)
        count = known or num_owners or most
        machine = round(_SHARE_OF_MACHINE * min(physical_bytes(), 2**60))
        ground = Ground(
            run=uuid4().hex,
            problem=problem,
            folder=str(path),
            num_owners=count,
            num_threads=max(min(threads.values(), default=1), 1),
            memory_bytes=within.memory_limit_bytes or machine // max(len(threads), 1),
            objective=preference.name,
            sizes=parts,
        )
        crew = Crew(client, ground, look, set(range(known or 0)))
        try:
            shards = Shards(crew)
            left = within.less(time.perf_counter() - began)
            run = ClusterRun(shards, path, begun, left, preference, progress, parts)
            run.begin(known)
            run.go(checked_search(search))
            return run.solution(problem, None)
        finally:
            crew.close()


def _known_owners(path: Path) -> int | None:
    """Return among how many owners the states of a folder are divided."""
    try:
        count = json.loads((path / _OWNERS).read_text(encoding="utf-8"))["owners"]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        what = "the file does not say how many owners there are"
        raise SpillError.of(path / _OWNERS, what, "remove the folder") from None
    return int(count)
