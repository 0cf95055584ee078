"""Limits: how far a solver may go, and how it is made to stop."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from threading import Event
from typing import Final, Literal, ParamSpec, TypeVar, get_args

import branchwise._core as core
from branchwise.errors import LimitError
from branchwise.model.arguments import a_real, a_whole_number
from branchwise.model.features import ENDINGS
from branchwise.records import dataclass
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, Progress, Stage

Search = Literal["auto", "exhaustive", "best-first", "deepening"]

SEARCHES: Final[tuple[Search, ...]] = get_args(Search)
"""The first one is the default."""


PRUNED_STATES: Final = frozenset({ENDINGS})
"""What states may hold, of `model.features`, where rewarding sets tell what helps."""


def checked_search(search: Search) -> Search:
    """Return the search, if there is such a one."""
    if search not in SEARCHES:
        known = ", ".join(SEARCHES)
        raise ValueError(f"there is no search `{search}`; there are {known}")
    return search


P = ParamSpec("P")
T = TypeVar("T")

_SECONDS_BETWEEN_LOOKS: Final = 0.05
_LEAST_SECONDS: Final = 0.001

# More is as good as no limit, and more than the core can count.
_NO_LIMIT: Final = {"time_limit_seconds": 1e9, "memory_limit_bytes": 2**60}

_MOST_THREADS: Final = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """
    How far a solver may go.

    Examples
    --------
    >>> Limits(gap=0.01, time_limit_seconds=60).gap
    0.01
    """

    # Stop when no plan can be better by more than this share: 0.01 is one percent.
    gap: float = 0.0
    time_limit_seconds: float | None = None  # Stop after this time
    # Stop when the process holds this much memory.
    memory_limit_bytes: int | None = None
    cancel: Event | None = None  # Stop when this event is set, from whatever thread

    def __post_init__(self) -> None:
        if not 0 <= a_real("gap", self.gap) < math.inf:
            raise ValueError(f"a gap is a share from 0 up, not {self.gap}")
        for name in ("time_limit_seconds", "memory_limit_bytes"):
            limit = getattr(self, name)
            if limit is None:
                continue
            if not a_real(name, limit) > 0:
                raise ValueError(f"{name} must be more than 0, not {limit}")
            if limit > _NO_LIMIT[name]:
                object.__setattr__(self, name, None)
            elif name == "memory_limit_bytes":
                object.__setattr__(self, name, a_whole_number(name, limit))
        if self.cancel is not None and not hasattr(self.cancel, "is_set"):
            raise TypeError(f"cancel is a threading.Event, not {self.cancel!r}")

    def less(self, seconds: float) -> Limits:
        """Return what is left after some time, which is never nothing at all."""
        limit = self.time_limit_seconds
        if limit is None:
            return self
        return replace(self, time_limit_seconds=max(limit - seconds, _LEAST_SECONDS))

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self.cancel is not None and self.cancel.is_set()


def watched(progress: Listener, limits: Limits) -> Listener:
    """Return a listener that ends the run at its limits, for engines without bounds."""
    # They have no plan before they are done, so there is nothing to show: an event that
    # is set ends them like Ctrl-C, a limit by a `LimitError`.
    deadline = Deadline.after(limits.time_limit_seconds)
    next_look = Deadline.after(0)

    def listen(report: Progress) -> None:
        nonlocal next_look
        progress(report)
        deadline.check("the time limit was met before there was a plan")
        if not next_look.is_over:
            return
        next_look = Deadline.after(_SECONDS_BETWEEN_LOOKS)
        if limits.is_cancelled:
            raise KeyboardInterrupt
        most = limits.memory_limit_bytes
        if most is not None and core.resident_bytes() >= most:
            raise LimitError("the memory limit was met before there was a plan")

    return listen


def enough_memory(solve: Callable[P, T]) -> Callable[P, T]:
    """Let a function say in our words that memory ran out before it had an answer."""

    @wraps(solve)
    def with_words(*arguments: P.args, **options: P.kwargs) -> T:
        with suppress(MemoryError):
            return solve(*arguments, **options)
        # What was half made hangs on the frames of that error. It is forgotten by now,
        # so that there is room for words.
        raise LimitError(
            "memory ran out before there was anything to show; allow more, lower the "
            "budget, or use another engine"
        )

    return with_words


def reported(
    progress: Listener, limits: Limits
) -> Callable[[str, int, float, float], bool]:
    """Return a listener as the core calls it; it ends the run when asked to."""

    def listen(stage: str, num_states: int, _lower: float, _upper: float) -> bool:
        progress(Progress(Stage(stage), num_states))
        return not limits.is_cancelled

    return listen


def thread_count(num_threads: int | None) -> int:
    """Return how many threads to use: as many as asked for, or as there are cores."""
    if num_threads is None:
        return num_cores()
    return a_whole_number("num_threads", num_threads, least=1, most=_MOST_THREADS)


def num_cores() -> int:
    """Count the cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
