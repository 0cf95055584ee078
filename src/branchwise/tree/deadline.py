"""The deadline: until when something may be worked out or shown."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

from branchwise.errors import LimitError
from branchwise.model.arguments import a_real
from branchwise.records import dataclass

LEFT_OUT: Final = "left out, as the time limit was met"
"""What is said of what there was no time for."""

_Item = TypeVar("_Item")

# The clock is looked at once in so many steps, of which each takes microseconds.
_STEPS_BETWEEN_LOOKS: Final = 64

# A solver is always given so long: it then has a plan and bounds at once.
_LEAST_SECONDS: Final = 0.001


@dataclass(frozen=True, slots=True)
class Deadline:
    """
    A moment at which work ends.

    Examples
    --------
    >>> Deadline().is_over, Deadline.after(-1).is_over
    (False, True)
    """

    moment: float = math.inf  # By `time.monotonic`; infinity for never

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the deadline in so many seconds; None is for never."""
        return cls() if seconds is None else cls(time.monotonic() + seconds)

    @property
    def seconds_left(self) -> float:
        """How long it is until then; less than 0 afterwards, infinity for never."""
        return self.moment - time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether there is no time left."""
        return self.moment != math.inf and self.seconds_left <= 0

    def time_limit_seconds(self, share: float = 1.0) -> float | None:
        """Return a share of what is left, never nothing at all; None for no limit."""
        if self.moment == math.inf:
            return None
        return max(self.seconds_left * share, _LEAST_SECONDS)

    def check(self, message: str = "the time limit was met") -> None:
        """Go on only if there is time left; else raise a `LimitError`."""
        if self.is_over:
            raise LimitError(message)


_NEVER: Final = Deadline()

# Many functions walk a plan to find one thing each; none of them is about time.
_deadline: ContextVar[Deadline] = ContextVar("deadline", default=_NEVER)


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
    if seconds is not None:
        a_real("seconds", seconds)
    end = min(Deadline.after(seconds).moment, _deadline.get().moment)
    token = _deadline.set(Deadline(end))
    try:
        yield
    finally:
        _deadline.reset(token)


def seconds_left() -> float:
    """Return what is left until the deadline; infinity where there is none."""
    return _deadline.get().seconds_left


def in_time(items: Iterable[_Item]) -> Iterator[_Item]:
    """Pass items on, one after another; raise a `LimitError` at the deadline."""
    return iter(items) if _deadline.get() == _NEVER else _until(items)


def _until(items: Iterable[_Item]) -> Iterator[_Item]:
    look = watch()
    for item in items:
        look()
        yield item


def watch() -> Callable[[], None]:
    """Return what is to be called at every small step of long work."""
    # It raises a `LimitError` once the deadline that holds now has passed.
    end, num_steps = _deadline.get(), 0

    def look() -> None:
        nonlocal num_steps
        if num_steps % _STEPS_BETWEEN_LOOKS == 0:
            end.check("the time limit was met before all could be shown")
        num_steps += 1

    return look
