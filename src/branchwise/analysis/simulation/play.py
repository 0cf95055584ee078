"""Playing a problem through by its own rules, many runs at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from operator import add
from typing import Final, Generic, NamedTuple, TypeVar

from branchwise.errors import LimitError
from branchwise.model.budget import UNLIMITED
from branchwise.model.conditions.condition import Happened
from branchwise.space.packed import Units
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import Real
from branchwise.tree.choosers import Chooser, check_stop, taken
from branchwise.tree.decision_tree import Path
from branchwise.tree.distribution import Distribution
from branchwise.tree.outlook import Outlook
from branchwise.tree.progress import Listener, Progress, Stage

Runs = TypeVar("Runs", int, float)
"""A number of runs, or a share of all: their probability."""

Deal = Callable[[Runs, Sequence[float]], Sequence[Runs]]
"""Splits runs by probabilities."""


class Ending(NamedTuple):
    """What a run comes to: all that the outlook tells of it."""

    reward: float
    left: Units
    spent: Units
    num_actions: int


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


class Tally(Generic[Runs]):
    """How many runs, or which share of them, ended how."""

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
        shares = {e: share_of(part, runs) for e, part in self._endings.items()}
        costs = {e: self._space.spent(e.left, e.spent) for e in shares}
        charges = {e: float(problem.charge_weight.times(costs[e])) for e in shares}

        def spread(worth: Callable[[Ending], Real]) -> Distribution:
            return Distribution.of((worth(e), share) for e, share in shares.items())

        def cost_of(resource: str) -> Callable[[Ending], Real]:
            return lambda e: costs[e][resource]

        return Outlook(
            net_rewards=spread(lambda e: e.reward - charges[e]),
            rewards=spread(lambda e: e.reward),
            costs={each: spread(cost_of(each)) for each in problem.budget},
            num_actions=spread(lambda e: e.num_actions),
        )


def share_of(part: Real, runs: Real) -> Real:
    """Return the share of a number of runs exactly; a probability is one already."""
    return part if isinstance(part, float) else Fraction(part) / Fraction(runs)


class _Position(NamedTuple):
    """Where some of the runs stand."""

    mind: Hashable  # what the chooser has in mind
    state: PackedState  # what has happened, and what is left
    spent: Units  # what has been spent of each unlimited resource, which no state has
    trail: int  # where on the listed paths they are; `Trail.OFF` if on none
    way: int  # which of the ways that hidden facts may be is theirs


class Play:
    """
    Runs of a problem: its rules say what may happen, a chooser says what to do.

    Runs that are at the same position go on together, as a count that outcomes split.
    So their number hardly matters, only in how many different ways they go.
    """

    def __init__(
        self, space: ProblemSpace, chooser: Chooser, trail: Trail | None = None
    ) -> None:
        self._space = space
        self._chooser = chooser
        self._trail = trail or Trail()
        limits = space.problem.budget.values()
        self._num_unlimited = sum(limit == UNLIMITED for limit in limits)

    def through(
        self,
        runs: Runs,
        deal: Deal[Runs],
        progress: Listener,
        most_positions: float = float("inf"),
    ) -> Tally[Runs]:
        """
        Play until every run has stopped, and say how they ended.

        There are so many runs; 1.0 stands for all of them where they are dealt exactly.
        With more positions than so many, a `LimitError` ends it.
        """
        nothing = (0,) * self._num_unlimited
        here: dict[_Position, Runs] = {}
        # Hidden facts are drawn once for each run; what it knows of them is its state.
        prior = self._space.prior
        for way, part in enumerate(dealt(runs, prior, deal)):
            if part:
                root = self._space.root
                here[_Position(self._chooser.start, root, nothing, 0, way)] = part
        tally: Tally[Runs] = Tally(self._space)
        num_actions = num_positions = 0
        while here:
            following: dict[_Position, Runs] = {}
            for position, some in here.items():
                num_positions += 1
                if not num_positions % 1024:
                    progress(Progress(Stage.SIMULATING, num_positions))
                    if num_positions > most_positions:
                        raise LimitError("the policy comes to too many states")
                for action, part in self._chosen(position, some, deal):
                    if action is None:
                        self._stop(position, part, num_actions, tally)
                    else:
                        self._attempt(position, action, part, deal, following)
            here = following
            num_actions += 1
        return tally

    def _chosen(
        self, position: _Position, some: Runs, deal: Deal[Runs]
    ) -> Iterator[tuple[str | None, Runs]]:
        """Return what the runs do next, and how many of them."""
        choices = self._chooser.choices(position.mind, position.state)
        parts = dealt(some, [share for share, _ in choices], deal)
        for (_, action), part in zip(choices, parts, strict=True):
            if part:
                yield action, part

    def _stop(
        self, position: _Position, some: Runs, num_actions: int, tally: Tally[Runs]
    ) -> None:
        _, state, spent, trail, way = position
        check_stop(self._space, state)
        reward = float(self._space.reward_if(state, way))
        tally.add(Ending(reward, state.left, spent, num_actions), trail, some)

    def _attempt(
        self,
        position: _Position,
        name: str,
        some: Runs,
        deal: Deal[Runs],
        following: dict[_Position, Runs],
    ) -> None:
        mind, state, before, trail, way = position
        action = taken(self._space, state, name)
        likely = self._space.probabilities_if(state, action, way)
        parts = dealt(some, likely, deal)
        for (outcome, _, child), part in zip(action.transitions, parts, strict=True):
            if part:
                spent = before
                if self._num_unlimited:
                    price = self._space.unlimited_price(state, name, outcome)
                    spent = tuple(map(add, before, price))
                after = self._chooser.after(mind, name, outcome)
                place = self._trail.after(trail, name, outcome)
                there = _Position(after, child, spent, place, way)
                following[there] = following.get(there, 0) + part


def dealt(some: Runs, shares: Sequence[float], deal: Deal[Runs]) -> Sequence[Runs]:
    """Split runs, where there is something to split."""
    return [some] if len(shares) == 1 else deal(some, shares)


def by_probability(share: float, probabilities: Sequence[float]) -> list[float]:
    """Split all runs at once, each by its probability."""
    return [share * probability for probability in probabilities]
