"""The tally: how the runs of a problem ended, and which paths they took."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Generic, NamedTuple, TypeVar

from branchwise.model.condition import Happened
from branchwise.space.problem_space import ProblemSpace, Units
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import Path
from branchwise.tree.distribution import Distribution
from branchwise.tree.outlook import Outlook

__all__ = ["Ending", "Runs", "Tally", "Trail"]

Runs = TypeVar("Runs", int, float)
"""A number of runs, or a share of all: their probability."""


class Ending(NamedTuple):
    """What a run comes to: all that the outlook tells of it."""

    reward: float
    left: Units
    spent: Units
    num_actions: int


class Trail:
    """
    Paths to watch, as one tree, to see which runs take them to the end.

    Parameters
    ----------
    paths
        The paths; no two are the same.
    """

    OFF: Final = -1

    def __init__(self, paths: Sequence[Path] = ()) -> None:
        self._steps: dict[tuple[int, Happened], int] = {}
        self.ends: list[int] = []
        num_places = 1
        for path in paths:
            place = 0
            for event in path:
                following = self._steps.setdefault((place, event), num_places)
                num_places = max(num_places, following + 1)
                place = following
            self.ends.append(place)

    def after(self, place: int, action: str, outcome: str) -> int:
        """Return the place that follows; `OFF` where no path goes on so."""
        if place == self.OFF:
            return place
        return self._steps.get((place, Happened(action, outcome)), self.OFF)


class Tally(Generic[Runs]):
    """
    How many runs, or which share of them, ended how.

    Parameters
    ----------
    space
        The problem as a state space.
    """

    def __init__(self, space: ProblemSpace) -> None:
        self._space = space
        self._endings: dict[Ending, Runs] = {}
        self._stopped: dict[int, Runs] = {}

    def add(self, ending: Ending, trail: int, some: Runs) -> None:
        """Count runs that have stopped."""
        self._endings[ending] = self._endings.get(ending, 0) + some
        if trail != Trail.OFF:
            self._stopped[trail] = self._stopped.get(trail, 0) + some

    def num_stopped(self, trail: int) -> int:
        """Count the runs that stopped at a place of the trail."""
        return int(self._stopped.get(trail, 0))

    def outlook(self, runs: Runs) -> Outlook:
        """Return the distributions of what so many runs, or a share of 1, came to."""
        problem = self._space.problem
        shares = {e: _share(part, runs) for e, part in self._endings.items()}
        costs = {e: self._space.spent(e.left, e.spent) for e in shares}
        weight = problem.cost_weight
        return Outlook(
            net_rewards=Distribution.of(
                (ending.reward - float(weight.times(costs[ending])), share)
                for ending, share in shares.items()
            ),
            rewards=Distribution.of((e.reward, share) for e, share in shares.items()),
            costs={
                resource: Distribution.of(
                    (costs[e][resource], share) for e, share in shares.items()
                )
                for resource in problem.budget
            },
            num_actions=Distribution.of(
                (e.num_actions, share) for e, share in shares.items()
            ),
        )


def _share(part: Real, runs: Real) -> Real:
    """Return the share of a number of runs exactly; a probability is one already."""
    return part if isinstance(part, float) else Fraction(part) / Fraction(runs)
