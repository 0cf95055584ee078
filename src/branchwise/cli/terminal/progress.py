"""Progress on the terminal, for those who wait."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, Self, TextIO

import branchwise

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE_SECONDS: Final = 0.5
_PAUSE_SECONDS: Final = 0.25

# After so long, those who have not asked for a gap are told what one would do.
_SUGGESTION_SECONDS: Final = 10.0
_GAPS: Final = (0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 15, 20, 25, 30, 35, 40, 50)  # in percent


class TerminalProgress:
    """
    Shows the stage, the number of states, their rate and the time, once it takes long.

    The solver only leaves its numbers here; a thread of its own shows them a few times
    a second, also while a stage says nothing. Where the standard error is no terminal
    nothing is shown, and rich is not even loaded. Where it takes very long, one line
    says which `--gap` would end it, unless the command has none or was given one.
    """

    def __init__(
        self,
        *,
        is_on: bool = True,
        suggests_gap: bool = False,
        at_first: str = "starting",
        stream: TextIO | None = None,
    ) -> None:
        self._stream = stream or sys.stderr
        self._suggests_gap = suggests_gap
        self._at_first = at_first
        self._progress: branchwise.tree.Progress | None = None
        self._stage_start = time.monotonic()
        self._num_before = 0
        self._is_done = Event()
        self._thread: Thread | None = None
        if is_on and self._stream.isatty():
            self._thread = Thread(target=self._show, daemon=True)

    def __call__(self, progress: branchwise.tree.Progress) -> None:
        """Take note; this may be called for every state, so it does nothing else."""
        if self._progress is None or progress.stage is not self._progress.stage:
            self._stage_start = time.monotonic()
            # A stage may begin with what the one before has counted.
            self._num_before = progress.num_states if self._progress else 0
        self._progress = progress

    def __enter__(self) -> Self:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_done.set()
        if self._thread:
            self._thread.join()

    def _show(self) -> None:
        start = time.monotonic()
        if self._is_done.wait(_PATIENCE_SECONDS):
            return
        # A terminal that is gone is shown nothing.
        with suppress(OSError), _display(self._stream) as display:
            task = display.add_task("", total=None)
            display.tasks[task].start_time = start
            is_done = False
            while not is_done:
                if time.monotonic() - start > _SUGGESTION_SECONDS:
                    self._suggest(display)
                display.update(task, description=self._words(), refresh=True)
                is_done = self._is_done.wait(_PAUSE_SECONDS)

    def _suggest(self, display: Progress) -> None:
        """Say once which gap would end it now, where there is one."""
        progress = self._progress
        gap = None if progress is None else _gap(progress)
        enough = next((each for each in _GAPS if gap and 100 * gap <= each), None)
        if not self._suggests_gap or gap is None or enough is None:
            return
        self._suggests_gap = False
        between = f"still {100 * gap:.2g} % between the plan and its bound"
        words = f"{between}: --gap {enough}% would stop now"
        display.console.print(words, markup=False, highlight=False, soft_wrap=True)

    def _words(self) -> str:
        """Return the stage, how far it has come, and how fast."""
        progress = self._progress
        if progress is None:
            return self._at_first
        if progress.num_all is not None:
            return f"{progress.stage}: {progress.num_states:,} of {progress.num_all:,}"
        if not progress.num_states:
            return str(progress.stage)
        seconds = max(time.monotonic() - self._stage_start, 0.001)
        rate = (progress.num_states - self._num_before) / seconds
        is_defending = progress.stage is branchwise.tree.Stage.DEFENDING
        counted = "attacker's problems" if is_defending else "states"
        shown = f"{progress.stage}: {progress.num_states:,} {counted}"
        return f"{shown}, {rate:,.0f} a second{_bounds(progress)}"


def _display(stream: TextIO) -> Progress:
    """Return rich's progress in one line, which is gone when it ends."""
    # Loading it takes a tenth of a second, and most commands end before.
    from rich import console, progress, table  # noqa: PLC0415

    column = table.Column(no_wrap=True, overflow="ellipsis")
    return progress.Progress(
        progress.SpinnerColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("{task.description}", markup=False, table_column=column),
        console=console.Console(file=stream),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _bounds(progress: branchwise.tree.Progress) -> str:
    """Return between what the value lies, and how far apart that is."""
    lower, upper, gap = progress.lower_bound, progress.upper_bound, _gap(progress)
    if lower is None or upper is None or gap is None:
        return ""
    low, high = f"{float(lower):.6g}", f"{float(upper):.6g}"
    if low != high:
        return f", {low} to {high}, gap {gap:.2%}"
    is_searching = progress.stage is branchwise.tree.Stage.SEARCHING
    return f", worth {low}, proving it" if is_searching else f", worth {low}"


def _gap(progress: branchwise.tree.Progress) -> float | None:
    """Return the gap as a share of the upper bound; None where that is not known."""
    if progress.lower_bound is None or progress.upper_bound is None:
        return None
    low, high = float(progress.lower_bound), float(progress.upper_bound)
    return (high - low) / abs(high) if high else 0.0
