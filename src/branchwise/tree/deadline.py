"""The deadline: until when what is known of a plan may be worked out and shown."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

from branchwise.errors import LimitError

__all__ = ["LEFT_OUT", "deadline", "in_time", "seconds_left", "watch"]

LEFT_OUT: Final = "left out, as the time limit was met"
"""What is said of what there was no time for."""

_Item = TypeVar("_Item")

# The clock is looked at once in so many steps, of which each takes microseconds.
_STEPS_BETWEEN_LOOKS: Final = 64

# Many functions walk a plan to tell one thing each; none of them is about time.
_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """
    Let walks over a plan end after so many seconds; None sets no deadline.

    Examples
    --------
    >>> with deadline(60):
    ...     sum(in_time(range(4)))
    6
    """
    end = math.inf if seconds is None else time.monotonic() + seconds
    token = _deadline.set(min(end, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


def seconds_left() -> float:
    """Return what is left until the deadline; infinity where there is none."""
    return _deadline.get() - time.monotonic()


def in_time(items: Iterable[_Item]) -> Iterator[_Item]:
    """
    Pass items on, one after another, until the deadline.

    Raises
    ------
    LimitError
        The deadline has passed.
    """
    return iter(items) if _deadline.get() == math.inf else _until(items)


def _until(items: Iterable[_Item]) -> Iterator[_Item]:
    look = watch()
    for item in items:
        look()
        yield item


def watch() -> Callable[[], None]:
    """
    Return what is to be called at every small step of long work.

    It raises a `LimitError` once the deadline that holds now has passed.
    """
    end, num_steps = _deadline.get(), 0

    def look() -> None:
        nonlocal num_steps
        if num_steps % _STEPS_BETWEEN_LOOKS == 0 and time.monotonic() >= end:
            raise LimitError("the time limit was met before all could be shown")
        num_steps += 1

    return look
