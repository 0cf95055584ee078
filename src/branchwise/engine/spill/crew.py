"""Crews: the workers of a cluster, and which of them sees to the states of whom."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from branchwise.engine.spill.shard import (
    BLOCK_BYTES,
    ForgottenError,
    Ground,
    Large,
    Letter,
    close_shards,
    on_shard,
    sees,
)
from branchwise.errors import ExecutorError
from branchwise.executors.executor import in_our_words, is_loss

# Most steps take a moment. (A timeout of `result` is not safe with Dask.)
_LEAST_PAUSE_SECONDS: Final = 0.0005
_MOST_PAUSE_SECONDS: Final = 0.01
_SECONDS_BETWEEN_CALLS: Final = 1.0

# How long to wait for workers where none is there that sees the states of an owner.
_SECONDS_TO_WAIT: Final = 60.0

# Up to so many bytes, what is sent comes with a step; more goes to a file before it.
_MOST_IN_HAND: Final = 4 << 20

# So many blocks are on their way at a time.
_MOST_BLOCKS: Final = 4


class LostError(Exception):
    """A worker was lost: what it was at has to be done again."""


class StoppedError(Exception):
    """It was asked to end."""


class Ask(NamedTuple):
    """A step for an owner."""

    owner: int
    step: str
    arguments: tuple[object, ...] = ()


class Crew:
    """Has the owners take steps, each in a worker that keeps its states."""

    def __init__(
        self, client: Any, ground: Ground, look: Callable[[], object], begun: set[int]
    ) -> None:
        self._client, self._ground = client, ground
        self._packed = pickle.dumps(ground)
        self._look = look  # raises what ends it all
        self._homes: dict[int, str] = {}
        self.begun = begun  # owners whose states are somewhere already
        self._last_call = 0.0
        self._held: object = None  # until further steps are on their way
        for address in self._alive():
            with suppress(LostError):
                self._result(self._submit(close_shards, address, ground.folder))
        self.settle()

    @property
    def num_owners(self) -> int:
        """How many owners there are."""
        return self._ground.num_owners

    def settle(self) -> None:
        """Find a worker for every owner that has none, or none any more."""
        end = time.monotonic() + _SECONDS_TO_WAIT
        for owner in range(self.num_owners):
            while self._homes.get(owner) not in (alive := self._alive()):
                self._look()
                home = self._home_for(owner, alive)
                if home is not None:
                    self._homes[owner] = home
                    break
                if time.monotonic() > end:
                    raise self._homeless(owner)
                time.sleep(0.2)

    def _home_for(self, owner: int, alive: Sequence[str]) -> str | None:
        """Return the worker with the fewest owners that sees the states of one."""
        homes = list(self._homes.values())
        where = self._ground.folder, owner, self.num_owners
        for address in sorted(alive, key=lambda each: (homes.count(each), each)):
            if owner not in self.begun:
                return address
            with suppress(LostError):
                if self._result(self._submit(sees, address, *where), address):
                    return address
        return None

    def _homeless(self, owner: int) -> ExecutorError:
        if owner not in self.begun:
            return ExecutorError(
                "the cluster has no workers any more\n    fix: start some, then start "
                "again with the same folder: it goes on from what is finished"
            )
        return ExecutorError(
            f"no worker sees the states of owner {owner} in `{self._ground.folder}`"
            "\n    fix: start a worker where they are, or use a folder that all share; "
            "then start again with the same folder"
        )

    def all(self, step: str, *arguments: object) -> list[Any]:
        """Have every owner take the same step; return what comes of it, in order."""
        return self.each([Ask(n, step, arguments) for n in range(self.num_owners)])

    def each(self, asks: Sequence[Ask]) -> list[Any]:
        """Have owners take steps side by side; return what comes of them, in order."""
        # Dask sends what it has, then waits for 10 ms: nothing is to come in between.
        try:
            futures = self._client.sync(self._asked_at_once, asks)
        except RuntimeError as error:
            raise _gone(error) from None
        self._held = asks, futures
        try:
            # Owners that have something for these are needed, too.
            return [self._result(each, *self._homes.values()) for each in futures]
        finally:
            for future in futures:
                if not future.done():
                    future.cancel()

    async def _asked_at_once(self, asks: Sequence[Ask]) -> list[Any]:
        return [self._asked(ask) for ask in asks]

    def _asked(self, ask: Ask) -> Any:
        home = self._homes[ask.owner]
        return self._submit(
            on_shard, home, self._packed, ask.owner, ask.step, *ask.arguments
        )

    def step(self, asks: Sequence[Ask], letters: Sequence[Letter]) -> list[Any]:
        """Have owners take steps side by side, each with the letters for it."""
        return self.each([self._with_letters(ask, letters) for ask in asks])

    def _with_letters(self, ask: Ask, letters: Sequence[Letter]) -> Ask:
        mine = [each for each in letters if each.receiver == ask.owner]
        abouts = tuple(each.about for each in mine)
        contents = (self._content(each) for each in mine)
        return ask._replace(arguments=(*ask.arguments, abouts, *contents))

    def _content(self, letter: Letter) -> Any:
        """Return what a letter says, or the name of the file that its receiver has."""
        file = letter.content
        if not isinstance(file, Large):
            return file
        if file.size <= _MOST_IN_HAND:
            return self._asked(self._block(letter, file, 0))
        count = -(-file.size // BLOCK_BYTES)
        if count == 1:
            return self._asked(self._put(letter, file, 0))
        for first in range(0, count, _MOST_BLOCKS):
            numbers = range(first, min(first + _MOST_BLOCKS, count))
            self.each([self._put(letter, file, number) for number in numbers])
        return file.name

    def _put(self, letter: Letter, file: Large, number: int) -> Ask:
        """Bring a block of a file from worker to worker."""
        block = self._asked(self._block(letter, file, number))
        return Ask(letter.receiver, "put", (file.name, number, block))

    def _block(self, letter: Letter, file: Large, number: int) -> Ask:
        return Ask(letter.sender, "block", (file.name, number, file.size))

    def close(self) -> None:
        """Leave all folders to others, as far as workers can be reached."""
        with suppress(Exception):
            for address in self._alive():
                self._submit(close_shards, address, self._ground.folder).result(5)

    def _alive(self) -> list[str]:
        try:
            threads: dict[str, int] = self._client.nthreads()
        except Exception as error:  # noqa: BLE001 - whatever Dask comes to
            raise _gone(error) from None
        return sorted(threads)

    def _submit(self, work: Any, address: str, *arguments: object) -> Any:
        how = {"workers": [address], "allow_other_workers": False, "pure": False}
        try:
            return self._client.submit(work, *arguments, **how, retries=0)
        except RuntimeError as error:
            raise _gone(error) from None

    def _result(self, future: Any, *homes: str) -> Any:
        """Wait for a step, unless a worker is lost or something ends it all."""
        pause = _LEAST_PAUSE_SECONDS
        while not future.done():
            self._check(future, homes)
            time.sleep(pause)
            pause = min(1.5 * pause, _MOST_PAUSE_SECONDS)
        try:
            return future.result()
        except ForgottenError:
            raise LostError from None
        except Exception as error:  # noqa: BLE001 - whatever the work comes to
            if is_loss(error) or self._is_lost(error, homes):
                raise LostError from None
            raise _gone(error) from None

    def _check(self, future: Any, homes: Sequence[str]) -> None:
        """See whether to go on waiting for a step."""
        self._look()
        now = time.monotonic()
        if now > self._last_call + _SECONDS_BETWEEN_CALLS:
            self._last_call = now
            if homes and not self._are_alive(homes):
                future.cancel()
                raise LostError

    def _are_alive(self, homes: Sequence[str]) -> bool:
        return set(homes) <= set(self._alive())

    def _is_lost(self, error: Exception, homes: Sequence[str]) -> bool:
        """Whether what went wrong is that a worker has ended."""
        is_of_us = type(error).__module__.startswith("branchwise")
        return not is_of_us and not self._are_alive(homes)


def _gone(error: Exception) -> BaseException:
    if isinstance(error, OSError | TimeoutError):
        return ExecutorError(
            "the cluster is gone: its scheduler was stopped or cannot be reached"
            "\n    fix: start it again, then start again with the same folder: it goes "
            "on from what is finished"
        )
    return in_our_words(error)
