"""How runs of the core end, and what that says of the answer."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from branchwise.tree.solution import Status

__all__ = ["STATUS", "Ending", "Found"]


class Ending(IntEnum):
    """How a run came to its end, as the core says it."""

    DONE = 0
    ASKED = 1
    TIME = 2
    MEMORY = 3
    STATES = 4


class Found(IntEnum):
    """How far a search came, as the core says it."""

    PLAN = 0
    OPTIMUM = 1
    TREE = 2


STATUS: Final = {
    Ending.DONE: Status.WITHIN_GAP,
    Ending.ASKED: Status.INTERRUPTED,
    Ending.TIME: Status.TIME_LIMIT,
    Ending.MEMORY: Status.MEMORY_LIMIT,
}
"""What a run that did not find the optimum says of its answer."""
