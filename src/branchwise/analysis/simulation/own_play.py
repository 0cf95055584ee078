"""Playing a state space of one's own through, many runs at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

from branchwise.analysis.simulation.play import Deal, Runs, Trail, dealt, share_of
from branchwise.errors import LimitError, PlanError
from branchwise.model.arguments import a_function
from branchwise.space.checked_space import CheckedSpace, place
from branchwise.space.own_space import action_at
from branchwise.space.state_space import Real
from branchwise.tree.choosers import Choices, PlanChooser
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.distribution import Distribution
from branchwise.tree.outlook import Outlook
from branchwise.tree.own_plan import COST
from branchwise.tree.progress import Listener, Progress, Stage


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


class OwnPlay:
    """Runs of a state space: its rules say what may happen, a chooser what to do."""

    def __init__(
        self, space: CheckedSpace[Any], chooser: OwnChooser, trail: Trail | None = None
    ) -> None:
        self._space, self._chooser = space, chooser
        self._trail = trail or Trail()
        self._endings: dict[_Ending, Any] = {}
        self._stopped: dict[int, Any] = {}

    def num_stopped(self, trail: int) -> int:
        """Count the runs that stopped at a place of the trail."""
        return int(self._stopped.get(trail, 0))

    def through(
        self,
        runs: Runs,
        deal: Deal[Runs],
        progress: Listener,
        most_positions: float = float("inf"),
    ) -> Outlook:
        """Play until every run has stopped, and say what came of them."""
        here = {_Position(self._chooser.start, self._space.root, 0.0, 0.0, 0): runs}
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
                        self._stop(position, part, num_actions)
                    else:
                        self._attempt(position, action, part, deal, following)
            here = following
            num_actions += 1
        return self._outlook(runs)

    def _chosen(
        self, position: _Position, some: Runs, deal: Deal[Runs]
    ) -> Iterator[tuple[str | None, Runs]]:
        choices = self._chooser.choices(position.mind, position.state)
        parts = dealt(some, [share for share, _ in choices], deal)
        for (_, action), part in zip(choices, parts, strict=True):
            if part:
                yield action, part

    def _stop(self, position: _Position, some: Runs, num_actions: int) -> None:
        reward = float(self._space.reward(position.state))
        ending = _Ending(reward, position.cost, position.charge, num_actions)
        self._endings[ending] = self._endings.get(ending, 0) + some
        if position.trail != Trail.OFF:
            known = self._stopped.get(position.trail, 0)
            self._stopped[position.trail] = known + some

    def _attempt(
        self,
        position: _Position,
        name: str,
        some: Runs,
        deal: Deal[Runs],
        following: dict[_Position, Runs],
    ) -> None:
        action = action_at(self._space, position.state, name)
        if action is None:
            raise self._unavailable(position.state, name)
        cost = position.cost + float(action.cost)
        charge = position.charge + float(action.charge)
        parts = dealt(some, [float(t.probability) for t in action.transitions], deal)
        for (outcome, _, child), part in zip(action.transitions, parts, strict=True):
            if part:
                mind = self._chooser.after(position.mind, name, outcome)
                trail = self._trail.after(position.trail, name, outcome)
                there = _Position(mind, child, cost, charge, trail)
                following[there] = following.get(there, 0) + part

    def _unavailable(self, state: Any, name: str) -> PlanError:
        names = ", ".join(f"`{each.name}`" for each in self._space.actions(state))
        fix = f"choose one of {names}, or None to stop" if names else "None, to stop"
        what = f"`{name}` is not available where the policy takes it: {place(state)}"
        return PlanError(f"{what}\n    fix: {fix}")

    def _outlook(self, runs: Real) -> Outlook:
        shares = {end: share_of(part, runs) for end, part in self._endings.items()}

        def spread(worth: Callable[[_Ending], Real]) -> Distribution:
            return Distribution.of((worth(e), share) for e, share in shares.items())

        return Outlook(
            net_rewards=spread(lambda end: end.reward - end.charge),
            rewards=spread(lambda end: end.reward),
            costs={COST: spread(lambda end: end.cost)},
            num_actions=spread(lambda end: end.num_actions),
        )
