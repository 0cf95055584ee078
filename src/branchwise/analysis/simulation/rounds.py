"""Runs that go on in rounds: those at the same position go on together."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from threading import Event
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from branchwise.errors import LimitError
from branchwise.executors.executor import Executor
from branchwise.executors.share import share
from branchwise.model.conditions.condition import Happened
from branchwise.space.state_space import Real
from branchwise.tree.choices.choosers import Choices
from branchwise.tree.decision_tree import Path
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.prospects.distribution import Distribution

# So many positions are sent together; fewer than twice as many are not worth sending.
_SLICE: Final = 256
_LEAST_SHARED: Final = 2 * _SLICE

Runs = TypeVar("Runs", int, float)
"""A number of runs, or a share of all: their probability."""

Deal = Callable[[Runs, Sequence[float]], Sequence[Runs]]
"""Splits runs by probabilities."""

Deals = Callable[[int, int], Deal[Runs]]
"""
Splits runs at one position, given the number of the round and that of the position.

So what chance decides at a position depends on no other, and any process may see to it.
"""

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


@runtime_checkable
class Excerpted(Chooser, Protocol):
    """A chooser that is not sent to other processes, but what it decides somewhere."""

    def excerpt(self, places: Iterable[tuple[Any, Any]]) -> Chooser:
        """Return what it decides at some places, and nothing else."""


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

    def take(self, other: Tally[End, Runs]) -> None:
        """Count what another tally has counted."""
        for ending, some in other._endings.items():
            self._endings[ending] = self._endings.get(ending, 0) + some
        for trail, some in other._stopped.items():
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


class _Slice(NamedTuple, Generic[Place]):
    """Some positions of a round, one after another, with their runs."""

    num_actions: int  # what was done before: the number of the round
    first: int  # the number of the first position in its round
    runs: Sequence[tuple[Place, int]]
    chooser: Chooser | None  # what decides there, where it cannot be sent whole


class _Turn(NamedTuple, Generic[Place, End, Runs]):
    """What came of some positions of a round."""

    ended: Tally[End, Runs]
    following: dict[Place, Runs]


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
        deals: Deals[Runs],
        progress: Listener,
        most_positions: float,
    ) -> Tally[End, Runs]:
        """Play until every run has stopped, and count how they ended."""
        tally: Tally[End, Runs] = Tally()
        num_actions, num_before = 0, 0
        while here:
            look = _counting(num_before, progress, most_positions)
            turn = self._turn(num_actions, 0, here.items(), deals, look)
            look(len(here))
            tally.take(turn.ended)
            num_before += len(here)
            here = turn.following
            num_actions += 1
        return tally

    def _played_elsewhere(
        self,
        here: dict[Place, int],
        deals: Deals[int],
        progress: Listener,
        executor: Executor,
    ) -> Tally[End, int]:
        """Do the same with the help of others, wherever there are many positions."""
        tally: Tally[End, int] = Tally()
        num_actions, num_before = 0, 0
        while here:
            look = _counting(num_before, progress, math.inf)
            turns = self._shared(num_actions, here, deals, executor, look)
            num_before += len(here)
            here = {}
            for turn in turns:
                tally.take(turn.ended)
                for position, some in turn.following.items():
                    here[position] = here.get(position, 0) + some
            num_actions += 1
        return tally

    def _shared(
        self,
        num_actions: int,
        here: dict[Place, int],
        deals: Deals[int],
        executor: Executor,
        look: Callable[[int], object],
    ) -> list[_Turn[Place, End, int]]:
        """Let runs do what is next, slice by slice where there are many positions."""
        if len(here) < _LEAST_SHARED:
            return [self._turn(num_actions, 0, here.items(), deals, look)]
        slices = list(self._slices(num_actions, here))
        work = partial(_turns, self, deals)
        return share(work, slices, executor, lambda number: look(_SLICE * number))

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: of some choosers others get excerpts only."""
        state = dict(self.__dict__)
        if isinstance(self._chooser, Excerpted):
            del state["_chooser"]
        return state

    def _slices(
        self, num_actions: int, here: dict[Place, int]
    ) -> Iterator[_Slice[Place]]:
        runs = list(here.items())
        for first in range(0, len(runs), _SLICE):
            some = runs[first : first + _SLICE]
            places = [(p.mind, p.state) for p, _ in some]
            chooser = self._chooser
            part = chooser.excerpt(places) if isinstance(chooser, Excerpted) else None
            yield _Slice(num_actions, first, some, part)

    def turn(self, part: _Slice[Place], deals: Deals[int]) -> _Turn[Place, End, int]:
        """Let the runs of a slice do what is next."""
        if part.chooser is not None:
            self._chooser = part.chooser
        known = part.num_actions, part.first, part.runs, deals
        return self._turn(*known, lambda _: None)

    def _turn(
        self,
        num_actions: int,
        first: int,
        runs: Iterable[tuple[Place, Runs]],
        deals: Deals[Runs],
        look: Callable[[int], object],
    ) -> _Turn[Place, End, Runs]:
        """Let runs do what is next, and count those that have stopped."""
        turn: _Turn[Place, End, Runs] = _Turn(Tally(), {})
        for number, (position, some) in enumerate(runs, first):
            if number % 1024 == 1023:
                look(number + 1)
            deal = deals(num_actions, number)
            for action, part in self._chosen(position, some, deal):
                if action is None:
                    ending = self._ending(position, num_actions)
                    turn.ended.add(ending, position.trail, part)
                else:
                    self._attempt(position, action, part, deal, turn.following)
        return turn

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


def _counting(
    num_before: int, progress: Listener, most_positions: float
) -> Callable[[int], None]:
    """Return what is called with how many positions of a round are done."""

    def look(number: int) -> None:
        progress(Progress(Stage.SIMULATING, num_before + number))
        if num_before + number > most_positions:
            raise LimitError("the policy comes to too many states")

    return look


def _turns(
    rounds: Rounds[Any, Any],
    deals: Deals[int],
    slices: Sequence[_Slice[Any]],
    cancel: Event,
) -> list[_Turn[Any, Any, int]]:
    """Let the runs of some slices do what is next, in a worker."""
    del cancel  # A slice is done in a moment.
    return [rounds.turn(each, deals) for each in slices]


def dealt(some: Runs, shares: Sequence[float], deal: Deal[Runs]) -> Sequence[Runs]:
    """Split runs, where there is something to split."""
    return [some] if len(shares) == 1 else deal(some, shares)


def exactly(num_actions: int, number: int) -> Deal[float]:  # noqa: ARG001
    """Split all runs at once, wherever they are, each by its probability."""
    return _by_probability


def _by_probability(share: float, probabilities: Sequence[float]) -> list[float]:
    return [share * probability for probability in probabilities]


def spread(shares: dict[End, Real], worth: Callable[[End], Real]) -> Distribution:
    """Return how something that endings have is distributed."""
    return Distribution.of((worth(end), share) for end, share in shares.items())
