"""Turns: one caller at a time has what works for one caller at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident

from branchwise.errors import BusyError

__all__ = ["Turns"]


class Turns:
    """
    Lets callers have something one after another.

    Threads wait for each other. A caller who asks again before its own turn is over,
    as a listener does, would wait for itself: that is an error.

    Examples
    --------
    >>> turns = Turns()
    >>> with turns.taken() as waited:
    ...     waited < 1
    True
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: int | None = None

    @contextmanager
    def taken(self) -> Iterator[float]:
        """Wait for one's turn and have it; yield how many seconds that took."""
        if self._thread == get_ident():
            raise BusyError(
                "this solver is still at work on the call whose progress listener now "
                "asks it for something; let the listener use a `Solver` of its own, or "
                "ask once the call is over"
            )
        start = time.perf_counter()
        with self._lock:
            self._thread = get_ident()
            try:
                yield time.perf_counter() - start
            finally:
                self._thread = None
