"""Progress: what a solver is doing, for those who wait."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from branchwise.space.state_space import Real


class Stage(StrEnum):
    """What may be going on; the first four are the columns of the paper's tables."""

    REWARDING_SETS = "rewarding sets"
    FULL_GRAPH = "full graph"
    REDUCED_GRAPH = "reduced graph"
    TREE = "tree"
    PREPARING = "preparing"
    EXPLORING = "exploring"
    SEARCHING = "searching"
    DEEPENING = "deepening"
    SCORING = "scoring"
    SETTLING_TIES = "settling ties"
    SIMULATING = "simulating"
    DEFENDING = "choosing defenses"
    PROGRAM = "linear program"
    WHAT_IFS = "what-ifs"
    PROFILES = "individuals"
    BATCH = "problems"
    GENERATING = "random problems"
    CHECKING = "checking"


class Progress(NamedTuple):
    """
    How far a solver has come.

    Parameters
    ----------
    stage
        What it is doing.
    num_states
        How many states there are so far in this stage; of what-ifs and individuals,
        how many of them are solved.
    lower_bound, upper_bound
        What the plan in hand is worth, and what no plan can exceed; None as long as
        that is not known.
    num_all
        How many there will be in the end; None where that is not known.
    """

    stage: Stage
    num_states: int
    lower_bound: Real | None = None
    upper_bound: Real | None = None
    num_all: int | None = None


Listener = Callable[[Progress], object]
"""Called as a solver goes on; what it returns does not matter."""


def silent(progress: Progress) -> None:
    """Report nothing."""
