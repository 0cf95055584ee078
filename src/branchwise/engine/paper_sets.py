"""Rewarding sets for the paper's stages, listed in C++."""

from __future__ import annotations

from typing import Final

import branchwise._core as core
from branchwise.engine.limits import Limits, told
from branchwise.engine.lower import Lowered
from branchwise.rewarding.enumerate import goals
from branchwise.tree.progress import Listener

__all__ = ["listed_sets"]

_MOST_ATTEMPTS: Final = 2**60


def listed_sets(
    lowering: Lowered, limits: Limits, progress: Listener
) -> core.PaperSets | None:
    """
    List all rewarding sets; None where there are too many to list one by one.

    Parameters
    ----------
    lowering
        The problem in numbers.
    limits
        Give up when so much time has passed, or this process holds so much memory.
    progress
        Told a few times a second that sets are being listed.

    Raises
    ------
    branchwise._core.RunStopped
        Time or memory ran out, or somebody asked.
    """
    problem = lowering.problem
    found = goals(problem)
    gains = sorted({goal.gain for goal in found})
    return core.list_rewarding_sets(
        lowering.instance,
        [(lowering.condition(goal.when), gains.index(goal.gain)) for goal in found],
        [int(min(action.attempts, _MOST_ATTEMPTS)) for action in problem.actions],
        limits.time_limit_seconds,
        limits.memory_limit_bytes,
        told(progress, limits),
    )
