"""Playing a problem through by its own rules, many runs at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import add
from typing import Any, Final, NamedTuple

from branchwise.analysis.simulation.rounds import (
    Deals,
    Rounds,
    Runs,
    Tally,
    Trail,
    dealt,
    spread,
)
from branchwise.executors.executor import Executor
from branchwise.model.budget import UNLIMITED
from branchwise.space.packed import Units
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import Real
from branchwise.tree.choices.choosers import Chooser, check_stop, taken
from branchwise.tree.progress import Listener
from branchwise.tree.prospects.outlook import Outlook

_BEFORE_ALL: Final = -1
"""The round in which hidden facts are drawn."""


class Ending(NamedTuple):
    """What a run comes to: all that the outlook tells of it."""

    reward: float
    left: Units
    spent: Units
    num_actions: int


class _Position(NamedTuple):
    """Where some of the runs stand."""

    mind: Hashable  # what the chooser has in mind
    state: PackedState  # what has happened, and what is left
    spent: Units  # what has been spent of each unlimited resource, which no state has
    trail: int  # where on the listed paths they are; `Trail.OFF` if on none
    way: int  # which of the ways that hidden facts may be is theirs


class Play(Rounds[_Position, Ending]):
    """Runs of a problem: its rules say what may happen, a chooser says what to do."""

    def __init__(
        self, space: ProblemSpace, chooser: Chooser, trail: Trail | None = None
    ) -> None:
        super().__init__(chooser, trail)
        self._space = space
        self._start = chooser.start
        limits = space.problem.budget.values()
        self._num_unlimited = sum(limit == UNLIMITED for limit in limits)

    def through(
        self,
        runs: Runs,
        deals: Deals[Runs],
        progress: Listener,
        most_positions: float = float("inf"),
    ) -> Tally[Ending, Runs]:
        """
        Play until every run has stopped, and say how they ended.

        There are so many runs; 1.0 stands for all of them where they are dealt exactly.
        With more positions than so many, a `LimitError` ends it.
        """
        return self._played(self._begun(runs, deals), deals, progress, most_positions)

    def through_elsewhere(
        self, runs: int, deals: Deals[int], progress: Listener, executor: Executor
    ) -> Tally[Ending, int]:
        """Do the same with the help of others; they come to the same."""
        here = self._begun(runs, deals)
        return self._played_elsewhere(here, deals, progress, executor)

    def _begun(self, runs: Runs, deals: Deals[Runs]) -> dict[_Position, Runs]:
        """Return where the runs begin."""
        nothing = (0,) * self._num_unlimited
        here: dict[_Position, Runs] = {}
        # Hidden facts are drawn once for each run; what it knows of them is its state.
        prior = dealt(runs, self._space.prior, deals(_BEFORE_ALL, 0))
        for way, part in enumerate(prior):
            if part:
                here[_Position(self._start, self._space.root, nothing, 0, way)] = part
        return here

    def outlook(self, tally: Tally[Ending, Runs], runs: Runs) -> Outlook:
        """Return the distributions of what so many runs, or a share of 1, came to."""
        problem, shares = self._space.problem, tally.shares(runs)
        costs = {e: self._space.spent(e.left, e.spent) for e in shares}
        charges = {e: float(problem.charge_weight.times(costs[e])) for e in shares}

        def cost_of(resource: str) -> Callable[[Ending], Real]:
            return lambda e: costs[e][resource]

        return Outlook(
            net_rewards=spread(shares, lambda e: e.reward - charges[e]),
            rewards=spread(shares, lambda e: e.reward),
            costs={each: spread(shares, cost_of(each)) for each in problem.budget},
            num_actions=spread(shares, lambda e: e.num_actions),
        )

    def _ending(self, position: _Position, num_actions: int) -> Ending:
        check_stop(self._space, position.state)
        reward = float(self._space.reward_if(position.state, position.way))
        return Ending(reward, position.state.left, position.spent, num_actions)

    def _steps(
        self, position: _Position, action: str
    ) -> tuple[Sequence[float], Sequence[Any]]:
        known = taken(self._space, position.state, action)
        likely = self._space.probabilities_if(position.state, known, position.way)
        return likely, known.transitions

    def _moved(self, position: _Position, action: str, step: Any) -> _Position:
        mind, state, spent, trail, way = position
        outcome, _, child = step
        if self._num_unlimited:
            price = self._space.unlimited_price(state, action, outcome)
            spent = tuple(map(add, spent, price))
        after = self._chooser.after(mind, action, outcome)
        return _Position(
            after, child, spent, self._trail.after(trail, action, outcome), way
        )
