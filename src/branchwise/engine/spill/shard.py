"""Shards: what the owner of some buckets does, in a worker of a cluster."""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from threading import Event, Lock, RLock
from typing import Any, Final, NamedTuple
from uuid import uuid4

import branchwise._core as core
from branchwise._core import Ending, PartScored
from branchwise.engine.lower import Lowered, core_objective
from branchwise.engine.spill.spilled_run import PartLimits
from branchwise.engine.spill.state_folder import in_our_words, state_folder
from branchwise.errors import ExecutorError, SpillError
from branchwise.executors.halt import watched
from branchwise.model.problem import Problem

BLOCK_BYTES: Final = 32 << 20
"""Files go from worker to worker in blocks of so many bytes."""

# What a step has for others comes with its result, up to so many bytes.
_MOST_AT_ONCE: Final = 1 << 20

# Of a memory limit, what the states of a part may take. Blocks come and go besides.
_SHARE_OF_PART: Final = 0.5
_LEAST_PART_BYTES: Final = 1 << 20

# The core leaves a twentieth of a limit to Python.
_OF_CORE: Final = 19 / 20

# From so many expanded states on a part ends: so much is lost at most.
_MOST_OWN: Final = 5_000_000

# Who had a folder before may still be about to end.
_SECONDS_TO_WAIT: Final = 60.0


class Ground(NamedTuple):
    """What all shards of a run have in common."""

    run: str  # a name that no other run has
    problem: Problem
    folder: str
    num_owners: int
    num_threads: int
    memory_bytes: int  # of each worker
    objective: str
    sizes: PartLimits


class ShardStatus(NamedTuple):
    """How far a shard has come."""

    digest: int
    next_rank: int | None
    lows: tuple[int, ...]  # the lowest rank of each part
    num_states: int
    is_explored: bool


class Large(NamedTuple):
    """A file that is fetched on its own, in blocks."""

    name: str
    size: int


class Letter(NamedTuple):
    """What an owner has for another one, about a part of one of them."""

    sender: int
    receiver: int
    part: int
    content: bytes | Large
    rank: int = 0  # of the first keys in it

    @property
    def about(self) -> tuple[int, int]:
        """Return whom it comes from, and which part it is about."""
        return self.sender, self.part


Abouts = Sequence[tuple[int, int]]
"""What each of some letters is about."""


def buckets_of(owner: int, num_owners: int) -> core.BucketRange:
    """Return which buckets an owner has: every one has as many, or one more."""
    all_ = core.NUM_BUCKETS
    first, last = (all_ * each // num_owners for each in (owner, owner + 1))
    return core.BucketRange(first, last)


def shard_folder(folder: str, owner: int, num_owners: int) -> Path:
    """Return where an owner keeps its states."""
    return Path(folder) / f"owner-{owner:03}-of-{num_owners:03}"


class Shard:
    """The states of one owner, and all that is done with them, a step at a time."""

    def __init__(self, ground: Ground, owner: int, cancel: Event) -> None:
        self.ground, self.owner = ground, owner
        self._cancel = cancel
        self.lock = RLock()
        self._stack = ExitStack()
        instance = _lowered(ground.problem).instance
        path = shard_folder(ground.folder, owner, ground.num_owners)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = self._entered(path, core.digest_of(instance), cancel)
        try:
            with in_our_words():
                buckets = buckets_of(owner, ground.num_owners)
                known = instance, ground.num_threads, str(self.path), owner, buckets
                self._spill = core.Spill(*known)
        except BaseException:
            self.close()
            raise
        self._marks: core.PlanMarks | None = None
        self._lows: list[int] = []
        self._room = 0  # in the result of the step

    def _entered(self, path: Path, digest: int, cancel: Event) -> Path:
        """Have the folder for us alone, once who had it before has ended."""
        end = time.monotonic() + _SECONDS_TO_WAIT
        while True:
            try:
                return self._stack.enter_context(state_folder(path, digest))
            except SpillError as error:
                is_taken = "another process is at work" in error.issues[0].what
                if not is_taken or cancel.is_set() or time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def close(self) -> None:
        """Leave the folder to others, once no step is under way any more."""
        with self.lock:
            self._stack.close()

    def take(self, step: str, arguments: Sequence[object], cancel: Event) -> Any:
        """Take a step, unless another one is under way."""
        with self.lock, in_our_words():
            self._cancel, self._room = cancel, _MOST_AT_ONCE
            return getattr(self, step)(*arguments)

    def _listen(self, *_: object) -> bool:
        return not self._cancel.is_set()

    # Exploring.

    def status(self) -> ShardStatus:
        """Return how far it has come."""
        spill = self._spill
        for part in range(len(self._lows), spill.num_parts):
            self._lows.append(spill.layers(part)[-1][0])
        return ShardStatus(
            spill.digest,
            spill.next_rank,
            tuple(self._lows),
            spill.num_states,
            spill.is_explored,
        )

    def explore(
        self, rank: int, seconds: float | None, abouts: Abouts, *contents: bytes | str
    ) -> tuple[Ending, ShardStatus, list[Letter]]:
        """Take in keys, then expand what waits at a rank; return keys for others."""
        self.take_in_keys(abouts, *contents)
        first = self._spill.num_parts
        ending = self._expanded(rank, seconds)
        letters = self.keys_of(range(first, self._spill.num_parts))
        return ending, self.status(), letters

    def take_in_keys(self, abouts: Abouts, *contents: bytes | str) -> ShardStatus:
        """Take in the keys of parts of other owners."""
        for about, content in zip(abouts, contents, strict=True):
            self._spill.import_keys(*about, str(self._received(content)))
        return self.status()

    def keys_of(self, parts: Sequence[int]) -> list[Letter]:
        """Return the keys that parts have for other owners."""
        letters = []
        for part in parts:
            for other in self._others:
                path, buckets = self._new_file(), self._buckets_of(other)
                rank = self._spill.export_keys(part, buckets, str(path))
                sent = self._sent_file(path, is_wanted=rank is not None)
                if rank is not None:
                    letters.append(Letter(self.owner, other, part, sent, rank))
        return letters

    def _expanded(self, rank: int, seconds: float | None) -> Ending:
        """Expand all that waits at a rank, part by part."""
        end = None if seconds is None else time.monotonic() + seconds
        sizes = self.ground.sizes
        while self._spill.next_rank == rank:
            left = None if end is None else max(end - time.monotonic(), 1e-3)
            is_done, ending = self._spill.expand(
                self._part_bytes(),
                sizes.met,
                _MOST_OWN,
                left,
                self.ground.memory_bytes,
                self._listen,
                sizes.most,
            )
            if not is_done:
                # A part that became too large ended before what made it so.
                return Ending.MEMORY if ending is Ending.STATES else ending
        return Ending.DONE

    def _part_bytes(self) -> int:
        left = _OF_CORE * self.ground.memory_bytes - core.resident_bytes()
        return max(round(_SHARE_OF_PART * left), _LEAST_PART_BYTES)

    def end_exploring(self) -> None:
        """Note that there are no more states, anywhere."""
        self._spill.end_exploring()

    # Scoring.

    def unscored(self, is_wide: bool) -> list[int]:  # noqa: FBT001
        """Return the parts that have no values yet."""
        measurement = self._measurement(is_wide=is_wide)
        parts = range(self._spill.num_parts)
        return [p for p in parts if not self._spill.is_scored(p, measurement)]

    def score(
        self,
        parts: Sequence[int],
        asked: Abouts,
        is_wide: bool,  # noqa: FBT001
        seconds: float | None,
        abouts: Abouts,
        *contents: bytes | str,
    ) -> tuple[PartScored, Ending, list[Letter]]:
        """Take in values, then score parts in this order; return values for others."""
        measurement = self._measurement(is_wide=is_wide)
        for (sender, part), content in zip(abouts, contents, strict=True):
            path = str(self._received(content))
            self._spill.import_values(part, sender, measurement, path)
        limits = seconds, self.ground.memory_bytes
        for part in parts:
            scored, ending = self._spill.score(part, measurement, *limits, self._listen)
            if scored is not PartScored.DONE:
                return scored, ending, []
        return PartScored.DONE, Ending.DONE, self._values_for(asked, measurement)

    def _values_for(self, asked: Abouts, measurement: core.Measurement) -> list[Letter]:
        """Return what the keys are worth that parts of other owners have sent."""
        letters = []
        for other, part in asked:
            path = self._new_file()
            has_sent = self._spill.export_values(other, part, measurement, str(path))
            sent = self._sent_file(path, is_wanted=has_sent)
            if has_sent:
                letters.append(Letter(self.owner, other, part, sent))
        return letters

    def _measurement(self, *, is_wide: bool) -> core.Measurement:
        return core.Measurement(core_objective(self.ground.objective), is_wide)

    # Files on their way.

    def _new_file(self) -> Path:
        return self.path / f"{uuid4().hex}.tmp"

    def _sent_file(self, path: Path, *, is_wanted: bool = True) -> bytes | Large:
        """Return what is in a file, or where it is if that is much."""
        size = path.stat().st_size
        if is_wanted and size > self._room:
            return Large(path.name, size)
        content = path.read_bytes() if is_wanted else b""
        self._room -= len(content)
        path.unlink()
        return content

    def _received(self, sent: bytes | str) -> Path:
        """Return the file that was sent, at once or in blocks that are there."""
        if isinstance(sent, str):
            return self.path / sent
        path = self._new_file()
        path.write_bytes(sent)
        return path

    def block(self, name: str, number: int, size: int) -> bytes:
        """Read a block of a file that is sent; the last one removes it."""
        path = self.path / name
        with path.open("rb") as file:
            file.seek(number * BLOCK_BYTES)
            block = file.read(BLOCK_BYTES)
        if (number + 1) * BLOCK_BYTES >= size:
            path.unlink()
        return block

    def put(self, name: str, number: int, block: bytes) -> str:
        """Write a block of a file that is received."""
        path = self.path / name
        with path.open("r+b" if path.exists() else "wb") as file:
            file.seek(number * BLOCK_BYTES)
            file.write(block)
        return name

    # The plan.

    def begin_plan(
        self,
        is_wide: bool,  # noqa: FBT001
        keeps_ties: bool,  # noqa: FBT001
        has_root: bool,  # noqa: FBT001
    ) -> None:
        """Begin to follow optimal plans."""
        measurement = self._measurement(is_wide=is_wide)
        self._marks = core.PlanMarks(self._spill, measurement, keeps_ties)
        if has_root:
            self._marks.mark_root()

    def follow(
        self, parts: Sequence[int], abouts: Abouts, *contents: bytes | str
    ) -> tuple[list[bytes], list[Letter]]:
        """Follow plans through parts; return records, and what others have of them."""
        marks = self._followed
        for about, content in zip(abouts, contents, strict=True):
            marks.add(*about, self._read(content))
        records, letters = [], []
        for part in parts:
            records.append(marks.follow(part))
            for other in self._others:
                if found := marks.marks_in(self._buckets_of(other)):
                    sent = self._sent_bytes(found)
                    letters.append(Letter(self.owner, other, part, sent))
        return records, letters

    def _sent_bytes(self, content: bytes) -> bytes | Large:
        """Return what is sent, or a file where that is much."""
        if len(content) <= self._room:
            self._room -= len(content)
            return content
        path = self._new_file()
        path.write_bytes(content)
        return Large(path.name, len(content))

    def _read(self, sent: bytes | str) -> bytes:
        if not isinstance(sent, str):
            return sent
        path = self.path / sent
        content = path.read_bytes()
        path.unlink()
        return content

    def num_counted(self) -> int:
        """Return how many states plans come to."""
        return self._followed.num_counted

    @property
    def _followed(self) -> core.PlanMarks:
        if self._marks is None:  # Another worker had begun.
            raise ForgottenError("this worker has not begun with the plan")
        return self._marks

    def remove_keys(self) -> None:
        """Remove what only exploring needs."""
        self._spill.remove_keys()

    @property
    def _others(self) -> list[int]:
        return [n for n in range(self.ground.num_owners) if n != self.owner]

    def _buckets_of(self, owner: int) -> core.BucketRange:
        return buckets_of(owner, self.ground.num_owners)


class ForgottenError(ExecutorError):
    """A worker is asked to go on with what another one has begun in its memory."""


# The shards that this process has at hand, by the folder and the owner.
_shards: Final[dict[tuple[str, int], Shard]] = {}
_all_shards: Final = Lock()
_lowered: Final = lru_cache(maxsize=2)(Lowered)
_ground: Final = lru_cache(maxsize=2)(pickle.loads)


def on_shard(ground: bytes, owner: int, step: str, *arguments: object) -> Any:
    """Take a step of an owner, in the worker that sees to it."""
    cancel = watched("")
    return _opened(_ground(ground), owner, cancel).take(step, arguments, cancel)


def _opened(ground: Ground, owner: int, cancel: Event) -> Shard:
    key = ground.folder, owner
    with _all_shards:
        shard = _shards.get(key)
        if shard is not None and shard.ground.run == ground.run:
            return shard
        if shard is not None:
            shard.close()
            del _shards[key]
        _shards[key] = Shard(ground, owner, cancel)
        return _shards[key]


def close_shards(folder: str) -> None:
    """Leave all that is in a folder to others."""
    with _all_shards:
        for key in [each for each in _shards if each[0] == folder]:
            _shards.pop(key).close()


def sees(folder: str, owner: int, num_owners: int) -> bool:
    """Whether this worker sees the states of an owner that it has had."""
    return (shard_folder(folder, owner, num_owners) / "spill.json").exists()
