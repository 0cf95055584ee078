"""Signals that ask a program to end: all end it in order, as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Timer, current_thread, main_thread
from types import FrameType
from typing import Final, NoReturn

_POLITE: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_MOMENT_SECONDS: Final = 0.01
_received: list[int] = []


def end_in_order() -> None:
    """
    Let every signal that asks the program to end do what Ctrl-C does.

    The work stops with what it has, and files that are half written are removed. A
    signal that the caller has chosen to ignore, as `nohup` does, stays ignored.
    """
    _received.clear()
    sys.unraisablehook = _raised_again
    for number in _POLITE:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)


def let_go() -> None:
    """Let signals end the process at once: there is nothing to put in order."""
    for number in (signal.SIGINT, *_POLITE):
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    # Python ends itself by SIGINT, whatever the exit code, if a `KeyboardInterrupt` was
    # raised within an `exec`, as every data class has one; the next forgets that.
    exec("")


def exit_code() -> int:
    """Return the exit code of what a signal has ended, as shells count."""
    return 128 + (_received[0] if _received else signal.SIGINT)


@contextmanager
def cancelled_by_interruption() -> Iterator[Event]:
    """
    Yield an event that Ctrl-C sets, so that solving ends in order wherever it is.

    Ctrl-C as an exception may come between any two steps and would take the plan with
    it. Pressed a second time, it ends everything at once.
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


def _raised_again(lost: sys.UnraisableHookArgs) -> None:
    """Raise an interruption again that came where nothing can be raised."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        number = _received.pop() if _received else signal.SIGINT
        again = Timer(_MOMENT_SECONDS, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()
    elif not isinstance(lost.exc_value, OSError):
        # A file that cannot even be closed has failed before, and was reported then.
        sys.__unraisablehook__(lost)


def _interrupt(number: int, _: FrameType | None) -> NoReturn:
    _received.append(number)
    raise KeyboardInterrupt
