"""Progress on the terminal, for those who wait."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self, TextIO

import branchwise
from branchwise.cli.terminal.page import terminal_width

__all__ = ["TerminalProgress"]

_PATIENCE_SECONDS: Final = 0.5
_PAUSE_SECONDS: Final = 0.25


class TerminalProgress:
    """
    Shows the stage, the number of states and their rate, once it takes long.

    The solver only leaves its numbers here; a thread of its own shows them a few times
    a second, also while a stage says nothing. Where the standard error is no terminal
    nothing is shown.

    Parameters
    ----------
    is_on
        Whether to show anything at all.
    stream
        Where to show it; the standard error unless said otherwise.
    """

    def __init__(self, *, is_on: bool = True, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._progress: branchwise.Progress | None = None
        self._start = self._stage_start = time.monotonic()
        self._num_before = 0
        self._is_done = Event()
        self._thread: Thread | None = None
        if is_on and self._stream.isatty():
            self._thread = Thread(target=self._show, daemon=True)

    def __call__(self, progress: branchwise.Progress) -> None:
        """Take note; this may be called for every state, so it does nothing else."""
        if self._progress is None or progress.stage is not self._progress.stage:
            self._stage_start = time.monotonic()
            # A stage may begin with what the one before has found.
            self._num_before = progress.num_states if self._progress else 0
        self._progress = progress

    def __enter__(self) -> Self:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_done.set()
        if self._thread:
            self._thread.join()

    def _show(self) -> None:
        pause, shown = _PATIENCE_SECONDS, ""
        while not self._is_done.wait(pause):
            pause = _PAUSE_SECONDS
            line = self._line()
            self._write(f"\r{line}{' ' * (len(shown) - len(line))}")
            shown = line
        if shown:
            # The terminal may have added the ^C of whoever interrupts.
            room = min(len(shown) + len("^C"), terminal_width() - 1)
            self._write(f"\r{' ' * room}\r")

    def _line(self) -> str:
        now, progress = time.monotonic(), self._progress
        parts = ["starting" if progress is None else str(progress.stage)]
        if progress is not None and progress.num_all is not None:
            parts[0] += f": {progress.num_states:,} of {progress.num_all:,}"
        elif progress is not None and progress.num_states:
            num_new = progress.num_states - self._num_before
            rate = num_new / max(now - self._stage_start, 0.001)
            parts[0] += f": {progress.num_states:,} {_counted(progress)}"
            parts.append(f"{rate:,.0f} a second")
            parts.extend(_bounds(progress))
        parts.append(f"{now - self._start:.0f} s")
        return ", ".join(parts)[: terminal_width() - 1]

    def _write(self, text: str) -> None:
        with suppress(OSError):  # A terminal that is gone is told nothing.
            self._stream.write(text)
            self._stream.flush()


def _counted(progress: branchwise.Progress) -> str:
    """Say what a stage counts."""
    is_defending = progress.stage is branchwise.Stage.DEFENDING
    return "attacker's problems" if is_defending else "states"


def _bounds(progress: branchwise.Progress) -> list[str]:
    """Say between what the value lies, and how far apart that is."""
    lower, upper = progress.lower_bound, progress.upper_bound
    if lower is None or upper is None:
        return []
    low, high = float(lower), float(upper)
    gap = (high - low) / abs(high) if high else 0.0
    return [f"{low:.6g} to {high:.6g}", f"gap {gap:.2%}"]
