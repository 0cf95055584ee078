"""Halts: work that is under way elsewhere ends when it is not wanted any more."""

from __future__ import annotations

import atexit
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import gettempdir
from threading import Event
from typing import Any, Final
from uuid import uuid4

from branchwise.executors.executor import Executor, Future, is_dask

# How often a worker looks whether it is to stop.
_LOOK_SECONDS: Final = 0.05

# What a worker of Dask says of a task that is waited for, once it has begun it.
_WANTED: Final = frozenset({"executing", "long-running"})
_ENDING: Final = frozenset({"closing", "closed", "failed"})

Sign = Event | str
"""What a worker sees by that it is to stop: an event, or a file that appears."""


class Halt:
    """
    Ends what is under way with an executor.

    Threads of this process see an event. A worker of Dask knows itself which of its
    tasks are wanted. Other processes look for a file; those that have another disk do
    not see it, and end with what they were given.
    """

    # Files that processes may still be looking for, with what they are at.
    _files: Final[list[tuple[Path, list[Future[Any]]]]] = []

    def __init__(self, executor: Executor) -> None:
        self.sign: Sign = ""
        if isinstance(executor, ThreadPoolExecutor):
            self.sign = Event()
        elif not is_dask(executor):
            self.sign = str(Path(gettempdir()) / f"branchwise-{uuid4().hex}.halt")

    def end(self, under_way: Iterable[Future[Any]]) -> None:
        """Do not begin what is not begun, and have what is begun end soon."""
        left = [each for each in under_way if not each.done()]
        for each in left:
            each.cancel()
        if isinstance(self.sign, Event):
            self.sign.set()
        elif self.sign and any(not each.done() for each in left):
            file = Path(self.sign)
            file.touch()
            self._files.append((file, left))
        self._clear_away()

    @classmethod
    def _clear_away(cls) -> None:
        """Remove files that nothing looks for any more."""
        for file, under_way in list(cls._files):
            if all(each.done() for each in under_way):
                file.unlink(missing_ok=True)
                cls._files.remove((file, under_way))

    @classmethod
    def clear_all(cls) -> None:
        """Remove all files: this process ends, and with it those that look for them."""
        for file, _ in cls._files:
            file.unlink(missing_ok=True)


# Processes of pools have ended by then.
atexit.register(Halt.clear_all)


class Watch(Event):
    """Set once something says so, which is asked now and then."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        super().__init__()
        self._is_over = is_over
        self._next_look = 0.0

    def is_set(self) -> bool:
        """Return whether it is to stop."""
        if not super().is_set() and time.monotonic() >= self._next_look:
            if self._is_over():
                self.set()
            self._next_look = time.monotonic() + _LOOK_SECONDS
        return super().is_set()


def watched(sign: Sign) -> Event:
    """Return what is set once the work in this thread is not wanted any more."""
    if isinstance(sign, Event):
        return sign
    if sign:
        return Watch(Path(sign).exists)
    dask = sys.modules.get("distributed")
    try:
        worker = dask and dask.get_worker()
    except ValueError:  # It is done where it was asked for.
        worker = None
    if worker is None:
        return Event()
    key = worker.get_current_task()
    return Watch(lambda: not _is_wanted(worker, key))


def _is_wanted(worker: Any, key: str) -> bool:
    """Whether a worker of Dask still has to do a task that it has begun."""
    task = worker.state.tasks.get(key)
    is_ending = worker.status.name in _ENDING
    return task is not None and task.state in _WANTED and not is_ending
