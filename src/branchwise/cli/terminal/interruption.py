"""Ctrl-C while a plan is being looked for: the plan in hand is wanted, not an error."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread
from types import FrameType

__all__ = ["cancelled_by_interruption"]


@contextmanager
def cancelled_by_interruption() -> Iterator[Event]:
    """
    Give an event that Ctrl-C sets, so that solving ends in order wherever it is.

    Ctrl-C as an exception may come between any two steps and would take the plan with
    it. Whoever presses it a second time wants the end at once.
    """
    cancel = Event()
    if current_thread() is not main_thread():
        yield cancel  # Signals are none of its business.
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
