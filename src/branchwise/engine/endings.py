"""How runs of the core end, and what that says of the answer."""

from __future__ import annotations

from typing import Final

from branchwise._core import Ending, Found
from branchwise.tree.solution import Status

__all__ = ["STATUS", "Ending", "Found"]


STATUS: Final = {
    Ending.DONE: Status.WITHIN_GAP,
    Ending.ASKED: Status.INTERRUPTED,
    Ending.TIME: Status.TIME_LIMIT,
    Ending.MEMORY: Status.MEMORY_LIMIT,
}
"""What a run that did not find the optimum says of its answer."""
