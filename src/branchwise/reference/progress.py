"""Progress: what the pipeline is doing, for those who wait."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

__all__ = ["Progress", "Stage", "silent"]


class Stage(StrEnum):
    """The stages, named as in the paper's Table 2."""

    REWARDING_SETS = "rewarding sets"
    FULL_GRAPH = "full graph"
    REDUCED_GRAPH = "reduced graph"
    TREE = "tree"


Progress = Callable[[Stage, int], None]
"""Called after each state with the stage and the number of states so far."""


def silent(stage: Stage, num_states: int) -> None:
    """Report to nobody."""
