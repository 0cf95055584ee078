"""Signals that ask a program to end: all end it in order, as Ctrl-C does."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Final, NoReturn

__all__ = ["end_in_order", "exit_code", "let_go"]

_POLITE: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_received: list[int] = []


def end_in_order() -> None:
    """
    Let whoever ends the program be answered as for Ctrl-C.

    The work stops with what it has, and files that are half written are removed. A
    signal that the caller has chosen to ignore, as `nohup` does, stays ignored.
    """
    _received.clear()
    for number in _POLITE:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)


def let_go() -> None:
    """Let signals end the process at once: there is nothing to put in order."""
    for number in (signal.SIGINT, *_POLITE):
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def exit_code() -> int:
    """Return the exit code of what a signal has ended, as shells count."""
    return 128 + (_received[0] if _received else signal.SIGINT)


def _interrupt(number: int, _: FrameType | None) -> NoReturn:
    _received.append(number)
    raise KeyboardInterrupt
