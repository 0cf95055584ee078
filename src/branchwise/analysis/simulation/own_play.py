"""Playing a state space of one's own through, many runs at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from branchwise.analysis.simulation.rounds import (
    Deals,
    Rounds,
    Runs,
    Tally,
    Trail,
    spread,
)
from branchwise.errors import PlanError
from branchwise.model.arguments import a_function
from branchwise.space.checked_space import CheckedSpace, place
from branchwise.space.own_space import action_at
from branchwise.tree.choices.choosers import Choices, PlanChooser
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.own_plan import COST
from branchwise.tree.progress import Listener
from branchwise.tree.prospects.outlook import Outlook


class _Ending(NamedTuple):
    """What a run comes to."""

    reward: float
    cost: float
    charge: float
    num_actions: int


class _Position(NamedTuple):
    """Where some of the runs stand."""

    mind: Hashable  # what the chooser has in mind
    state: Any
    cost: float  # so far
    charge: float  # so far
    trail: int  # where on the listed paths they are


class OwnChooser:
    """Decides by a plan, by a rule, or by chance."""

    start: Hashable = None

    def __init__(
        self,
        space: CheckedSpace[Any],
        policy: DecisionTree | Callable[[Any], str | None] | None,
    ) -> None:
        self._space, self._policy = space, policy
        self._plan = PlanChooser(policy) if isinstance(policy, DecisionTree) else None
        if self._plan is not None:
            self.start = self._plan.start
        elif policy is not None:
            a_function("policy", policy)

    def choices(self, mind: Hashable, state: Any) -> Choices:
        """Return what is done next, by chance if need be."""
        if self._plan is not None:
            return self._plan.choices(mind, state)
        if self._policy is not None:
            assert not isinstance(self._policy, DecisionTree)
            return ((1.0, self._policy(state)),)
        names = [action.name for action in self._space.actions(state)]
        return tuple((1 / len(names), name) for name in names) or ((1.0, None),)

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:
        """Return what it has in mind after an outcome."""
        return self._plan and self._plan.after(mind, action, outcome)


class OwnPlay(Rounds[_Position, _Ending]):
    """Runs of a state space: its rules say what may happen, a chooser what to do."""

    def __init__(
        self, space: CheckedSpace[Any], chooser: OwnChooser, trail: Trail | None = None
    ) -> None:
        super().__init__(chooser, trail)
        self._space = space
        self._start = chooser.start

    def through(
        self,
        runs: Runs,
        deals: Deals[Runs],
        progress: Listener,
        most_positions: float = float("inf"),
    ) -> Tally[_Ending, Runs]:
        """Play until every run has stopped, and say how they ended."""
        here = {_Position(self._start, self._space.root, 0.0, 0.0, 0): runs}
        return self._played(here, deals, progress, most_positions)

    def outlook(self, tally: Tally[_Ending, Runs], runs: Runs) -> Outlook:
        """Return the distributions of what so many runs, or a share of 1, came to."""
        shares = tally.shares(runs)
        return Outlook(
            net_rewards=spread(shares, lambda end: end.reward - end.charge),
            rewards=spread(shares, lambda end: end.reward),
            costs={COST: spread(shares, lambda end: end.cost)},
            num_actions=spread(shares, lambda end: end.num_actions),
        )

    def _ending(self, position: _Position, num_actions: int) -> _Ending:
        reward = float(self._space.reward(position.state))
        return _Ending(reward, position.cost, position.charge, num_actions)

    def _steps(
        self, position: _Position, action: str
    ) -> tuple[Sequence[float], Sequence[Any]]:
        known = action_at(self._space, position.state, action)
        if known is None:
            raise self._unavailable(position.state, action)
        cost = position.cost + float(known.cost)
        charge = position.charge + float(known.charge)
        likely = [float(each.probability) for each in known.transitions]
        return likely, [(*each, cost, charge) for each in known.transitions]

    def _moved(self, position: _Position, action: str, step: Any) -> _Position:
        outcome, _, child, cost, charge = step
        mind = self._chooser.after(position.mind, action, outcome)
        trail = self._trail.after(position.trail, action, outcome)
        return _Position(mind, child, cost, charge, trail)

    def _unavailable(self, state: Any, name: str) -> PlanError:
        names = ", ".join(f"`{each.name}`" for each in self._space.actions(state))
        fix = f"choose one of {names}, or None to stop" if names else "None, to stop"
        what = f"`{name}` is not available where the policy takes it: {place(state)}"
        return PlanError(f"{what}\n    fix: {fix}")
