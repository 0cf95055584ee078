"""One run with states in the files of many workers of a cluster."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar, cast
from uuid import uuid4

import branchwise._core as core
from branchwise._core import Ending, Found, PartScored
from branchwise.engine.canonical_run import physical_bytes
from branchwise.engine.limits import Limits, Search, checked_search
from branchwise.engine.lower import Lowered
from branchwise.engine.spill.crew import Ask, Crew, LostError, StoppedError
from branchwise.engine.spill.shard import Ground, Letter, ShardStatus
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
        letters: list[Letter] = []
        while (rank := self._next_rank(letters)) is not None:
            total = self._shards.num_states
            self._progress(Progress(Stage.EXPLORING, total, *(self._bounds or ())))
            letters = self._expanded(rank, letters)
            if not self._may_go_on() or not self._improved_at_times():
                return False
            self._num_losses = 0
        self._crew.all("end_exploring")
        return True

    def _improved_at_times(self) -> bool:
        """Search for a better plan, for a share of the time in all; see `_improved`."""
        seconds = _SHARE_OF_SEARCH * self.seconds - self._seconds_searched
        if seconds < _SECONDS_FOR_PLAN:
            return True
        self._seconds_searched += seconds
        return self._improved(seconds)

    def _next_rank(self, letters: Sequence[Letter]) -> int | None:
        """Return the highest rank that waits anywhere, or is on its way."""
        waiting = [each.next_rank for each in self._shards.statuses]
        ranks = [each for each in waiting if each is not None]
        return max(ranks + [each.rank for each in letters], default=None)

    def _expanded(self, rank: int, letters: Sequence[Letter]) -> list[Letter]:
        """
        Expand a rank, wherever states of it wait; return the keys that this leads to.

        Whoever has letters takes them in, also those that have nothing to expand: so
        no keys are on their way for longer than a step.
        """
        seconds, statuses = self._seconds_for_step, self._shards.statuses
        asked = {n for n, each in enumerate(statuses) if each.next_rank == rank}
        asked |= {each.receiver for each in letters}
        asks = [Ask(owner, "explore", (rank, seconds)) for owner in sorted(asked)]
        result: list[Letter] = []
        done = self._crew.step(asks, letters)
        for owner, (ending, status, sent) in zip(sorted(asked), done, strict=True):
            statuses[owner] = status
            result += sent
            if ending is not Ending.DONE:
                self._note(ending)
        return result

    def _exchange(self) -> None:
        """
        Bring the keys of the two lowest ranks to those who own them.

        Before a rank was expanded anywhere, all had come of the ranks above the one
        before it: that one's keys come with the step in which it is expanded.
        """
        statuses = self._shards.statuses
        if any(each.is_explored for each in statuses):
            return  # All keys had come by then, and may be gone.
        ranks = sorted({low for each in statuses for low in each.lows})[:2]
        asks = [
            Ask(owner, "keys_of", ([p for p, r in enumerate(s.lows) if r in ranks],))
            for owner, s in enumerate(statuses)
        ]
        letters = [each for sent in self._crew.each(asks) for each in sent]
        receivers = sorted({each.receiver for each in letters})
        asks = [Ask(owner, "take_in_keys") for owner in receivers]
        done = self._crew.step(asks, letters)
        for owner, status in zip(receivers, done, strict=True):
            statuses[owner] = status

    def _scored_by(self, measurement: core.Measurement) -> PartScored:
        found = self._steadily(lambda: self._scored_further(measurement.is_wide))
        return PartScored.BROKEN_OFF if found is None else found

    def _scored_further(self, is_wide: bool) -> PartScored:  # noqa: FBT001
        """Score all parts, rank by rank, from the lowest one on."""
        lows = [each.lows for each in self._shards.look()]
        unscored = self._crew.all("unscored", is_wide)
        ranks = sorted({lows[n][p] for n, left in enumerate(unscored) for p in left})
        layers: list[list[list[int]]] = [
            [
                [p for p in reversed(left) if lows[owner][p] == rank]
                for owner, left in enumerate(unscored)
            ]
            for rank in ranks
        ]
        nothing: list[list[int]] = [[] for _ in lows]
        letters: list[Letter] = []
        for number, parts in enumerate([nothing, *layers]):
            following = [*layers, nothing][number]
            scored, letters = self._scored_layer(parts, following, letters, is_wide)
            if scored is not PartScored.DONE:
                return scored
            self._num_losses = 0
            self._progress(Progress(Stage.SCORING, number, num_all=len(ranks)))
            if not self._may_go_on():
                return PartScored.BROKEN_OFF
        return PartScored.DONE

    def _scored_layer(
        self,
        parts: Sequence[Sequence[int]],
        following: Sequence[Sequence[int]],
        letters: Sequence[Letter],
        is_wide: bool,  # noqa: FBT001
    ) -> tuple[PartScored, list[Letter]]:
        """Score the parts of a rank; return what those of the next one ask for."""
        seconds, asks = self._seconds_for_step, []
        for owner, mine in enumerate(parts):
            others = [n for n in range(len(parts)) if n != owner]
            asked = [(other, part) for other in others for part in following[other]]
            if mine or asked:
                asks.append(Ask(owner, "score", (mine, asked, is_wide, seconds)))
        result: list[Letter] = []
        for scored, ending, sent in self._crew.step(asks, letters):
            if scored is PartScored.BROKEN_OFF:
                self._note(ending)
            if scored is not PartScored.DONE:
                return cast("PartScored", scored), []
            result += sent
        return PartScored.DONE, result

    def _plan_read(self) -> bool:
        """Read the plan, with all that is tied if that fits; False if it ends."""
        with_ties = self._steadily(lambda: self._plan_with(keeps_ties=True))
        if with_ties is None:
            return False
        if not with_ties and not self._steadily(
            lambda: self._plan_with(keeps_ties=False)
        ):
            return False
        self._found, self._is_explored = Found.TREE, True
        self._is_from_files = True
        with suppress(LostError, StoppedError):  # Those that are left do no harm.
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
        letters: list[Letter] = []
        for rank in ranks:
            parts = [[p for p, low in enumerate(each) if low == rank] for each in lows]
            records, letters = self._followed(parts, letters)
            for each in records:
                self._take_in(builder, each)
                if keeps_ties and not self._has_room_for(builder.num_states):
                    return False
        self._num_reduced = sum(self._crew.all("num_counted"))
        builder.finish()
        return True

    def _followed(
        self, parts: Sequence[Sequence[int]], letters: Sequence[Letter]
    ) -> tuple[list[bytes], list[Letter]]:
        """Follow plans through the parts of a rank; return records and letters."""
        asks = [Ask(n, "follow", (mine,)) for n, mine in enumerate(parts) if mine]
        records: list[bytes] = []
        left = [each for each in letters if not parts[each.receiver]]
        for found, sent in self._crew.step(asks, letters):
            records += found
            left += sent
        return records, left

    def _take_in(self, builder: core.PlanBuilder, records: bytes) -> None:
        """Take in what plans come to in a part."""
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
