"""What can be said of a state space of one's own: critical actions, and risk."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from threading import Event
from typing import Any, Final

from branchwise.analysis.critical_actions.criticality import (
    Criticality,
    criticality_of,
    flows,
)
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.risk import Risk, best_plans, usual_aims
from branchwise.analysis.table import Tabular
from branchwise.errors import LimitError
from branchwise.solver import solve
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.state_space import AvailableAction
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution, Status

OWN_SECTIONS: Final = ("criticality", "risk")
"""The sections that a state space of one's own may have."""

NOT_OWN: Final = (
    "a state space of one's own has no named numbers, budget or conditions to vary"
)
"""Why it has no others."""

_Change = Callable[[AvailableAction[Any]], AvailableAction[Any] | None]


class _Changed:
    """
    A state space with other actions.

    What a space says of itself for pruning need not hold with others, and is left out.
    """

    def __init__(self, space: Any, change: _Change) -> None:
        self._space, self._change = space, change
        self.root = space.root

    def actions(self, state: Hashable) -> Iterator[AvailableAction[Any]]:
        """Return what becomes of the actions at a state."""
        for action in self._space.actions(state):
            changed = self._change(action)
            if changed is not None:
                yield changed

    def reward(self, state: Hashable) -> Any:
        """Return the reward for stopping at a state."""
        return self._space.reward(state)


class OwnWhatIfs:
    """The best plan of a state space, and what it is worth with other actions."""

    def __init__(
        self,
        space: OwnSpace,
        *,
        deadline: Deadline,
        progress: Listener,
        cancel: Event | None,
    ) -> None:
        self.deadline, self.progress, self.cancel = deadline, progress, cancel
        self._given = space
        self._space = own_space(space, naive=True)
        self.solution = self._solved(space)

    def section(self, name: str, options: AnalysisOptions) -> Tabular:
        """Work a section out."""
        if self.solution.status is not Status.OPTIMAL:
            raise LimitError("it needs the best plan, which is not proven")
        return self._criticality() if name == "criticality" else self._risk(options)

    def _criticality(self) -> Criticality:
        through, expected = flows(self.solution.tree), self.solution.expected_reward
        # Without an action that the plan does not take, the plan is as good as it was.
        losses = {
            name: float(expected) - self._value(_removed(name)) for name in through
        }
        sure = {
            name: {
                label: self._value(_always(name, label)) - float(expected)
                for label in labels
            }
            for name, labels in self._labels().items()
        }
        return criticality_of(float(expected), losses, sure, through)

    def _risk(self, options: AnalysisOptions) -> Risk:
        aims = options.aims or usual_aims(float(self.solution.expected_reward))
        limits = self.deadline, self.progress, self.cancel
        return best_plans(self._given, aims, *limits)

    def _value(self, change: _Change) -> float:
        found = self._solved(_Changed(self._space, change))
        if found.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        if found.status is not Status.OPTIMAL:
            raise LimitError("the time limit was met")
        return float(found.expected_reward)

    def _solved(self, space: OwnSpace) -> Solution:
        return solve(
            space,
            verify=False,
            time_limit_seconds=self.deadline.time_limit_seconds(),
            progress=self.progress,
            cancel=self.cancel,
        )

    def _labels(self) -> Mapping[str, list[str]]:
        """Return every action that can be met, and its outcomes, in their order."""
        found: dict[str, dict[str, None]] = {}
        waiting: list[Any] = [self._space.root]
        seen = set(waiting)
        while waiting:
            self.deadline.check()
            for action in self._space.actions(waiting.pop()):
                labels = found.setdefault(action.name, {})
                for outcome, probability, child in action.transitions:
                    if probability:
                        labels[outcome] = None
                    if child not in seen:
                        seen.add(child)
                        waiting.append(child)
        return {name: list(labels) for name, labels in found.items()}


def _removed(name: str) -> _Change:
    return lambda action: None if action.name == name else action


def _always(name: str, label: str) -> _Change:
    """Return the change by which an action comes out so wherever it may."""

    def changed(action: AvailableAction[Any]) -> AvailableAction[Any]:
        sure = [each for each in action.transitions if each.outcome == label]
        if action.name != name or not any(each.probability for each in sure):
            return action
        certain = tuple(each._replace(probability=1) for each in sure)
        return action._replace(transitions=certain, spread=None)

    return changed
