"""Runs that go on in rounds: those at the same position go on together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, TypeVar

from branchwise.errors import LimitError
from branchwise.model.conditions.condition import Happened
from branchwise.space.state_space import Real
from branchwise.tree.choices.choosers import Choices
from branchwise.tree.decision_tree import Path
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.prospects.distribution import Distribution

Runs = TypeVar("Runs", int, float)
"""A number of runs, or a share of all: their probability."""

Deal = Callable[[Runs, Sequence[float]], Sequence[Runs]]
"""Splits runs by probabilities."""

End = TypeVar("End", bound=Hashable)
"""What a run comes to: all that is asked about it."""


class Position(Hashable, Protocol):
    """Where some of the runs stand."""

    @property
    def mind(self) -> Hashable:
        """What the chooser has in mind."""

    @property
    def state(self) -> Any:
        """What has happened, and what is left."""

    @property
    def trail(self) -> int:
        """Where on the listed paths they are; `Trail.OFF` if on none."""


Place = TypeVar("Place", bound=Position)


class Chooser(Protocol):
    """Says what is done next, and what it then has in mind."""

    def choices(self, mind: Any, state: Any) -> Choices:
        """Return what is done next, each with its probability."""

    def after(self, mind: Any, action: str, outcome: str) -> Hashable:
        """Return what it has in mind after an outcome."""


class Trail:
    """Paths to watch, as one tree, to see which runs take them to the end."""

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


class Tally(Generic[End, Runs]):
    """How many runs, or which share of them, ended how."""

    def __init__(self) -> None:
        self._endings: dict[End, Runs] = {}
        self._stopped: dict[int, Runs] = {}

    def add(self, ending: End, trail: int, some: Runs) -> None:
        """Count runs that have stopped."""
        self._endings[ending] = self._endings.get(ending, 0) + some
        if trail != Trail.OFF:
            self._stopped[trail] = self._stopped.get(trail, 0) + some

    def num_stopped(self, trail: int) -> int:
        """Count the runs that stopped at a place of the trail."""
        return int(self._stopped.get(trail, 0))

    def shares(self, runs: Runs) -> dict[End, Real]:
        """Return each ending with its share of so many runs, or of 1, exactly."""
        return {end: _share(part, runs) for end, part in self._endings.items()}


def _share(part: Real, runs: Real) -> Real:
    """Return the share of a number of runs; a probability is one already."""
    return part if isinstance(part, float) else Fraction(part) / Fraction(runs)


class Rounds(ABC, Generic[Place, End]):
    """
    Runs of one chooser, from position to position until each has stopped.

    Runs that are at the same position go on together, as a count that outcomes split.
    So their number hardly matters, only in how many different ways they go.
    """

    def __init__(self, chooser: Chooser, trail: Trail | None = None) -> None:
        self._chooser = chooser
        self._trail = trail or Trail()

    @abstractmethod
    def _ending(self, position: Place, num_actions: int) -> End:
        """Return what runs come to that stop here after so many actions."""

    @abstractmethod
    def _steps(
        self, position: Place, action: str
    ) -> tuple[Sequence[float], Sequence[Any]]:
        """Return what may come of an action here: the probabilities, and the steps."""

    @abstractmethod
    def _moved(self, position: Place, action: str, step: Any) -> Place:
        """Return where a step of an action leads."""

    def _played(
        self,
        here: dict[Place, Runs],
        deal: Deal[Runs],
        progress: Listener,
        most_positions: float,
    ) -> Tally[End, Runs]:
        """Play until every run has stopped, and count how they ended."""
        tally: Tally[End, Runs] = Tally()
        num_actions = num_positions = 0
        while here:
            following: dict[Place, Runs] = {}
            for position, some in here.items():
                num_positions += 1
                if not num_positions % 1024:
                    progress(Progress(Stage.SIMULATING, num_positions))
                    if num_positions > most_positions:
                        raise LimitError("the policy comes to too many states")
                for action, part in self._chosen(position, some, deal):
                    if action is None:
                        ending = self._ending(position, num_actions)
                        tally.add(ending, position.trail, part)
                    else:
                        self._attempt(position, action, part, deal, following)
            here = following
            num_actions += 1
        return tally

    def _chosen(
        self, position: Place, some: Runs, deal: Deal[Runs]
    ) -> Iterator[tuple[str | None, Runs]]:
        """Return what the runs do next, and how many of them."""
        choices = self._chooser.choices(position.mind, position.state)
        parts = dealt(some, [share for share, _ in choices], deal)
        for (_, action), part in zip(choices, parts, strict=True):
            if part:
                yield action, part

    def _attempt(
        self,
        position: Place,
        action: str,
        some: Runs,
        deal: Deal[Runs],
        following: dict[Place, Runs],
    ) -> None:
        """Let runs take an action, and add them to where they come."""
        likely, steps = self._steps(position, action)
        for step, part in zip(steps, dealt(some, likely, deal), strict=True):
            if part:
                there = self._moved(position, action, step)
                following[there] = following.get(there, 0) + part


def dealt(some: Runs, shares: Sequence[float], deal: Deal[Runs]) -> Sequence[Runs]:
    """Split runs, where there is something to split."""
    return [some] if len(shares) == 1 else deal(some, shares)


def by_probability(share: float, probabilities: Sequence[float]) -> list[float]:
    """Split all runs at once, each by its probability."""
    return [share * probability for probability in probabilities]


def spread(shares: dict[End, Real], worth: Callable[[End], Real]) -> Distribution:
    """Return how something that endings have is distributed."""
    return Distribution.of((worth(end), share) for end, share in shares.items())
