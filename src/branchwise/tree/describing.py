"""Describing states: what a key of a policy stands for, given the way there."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from branchwise.model.budget import Budget, Limit
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import start_of, stepped, ways_of
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.tree.choices.policy import Policy, children_first

Outcomes = Mapping[str, frozenset[str]]
"""The outcomes that each action has had."""


def histories(policy: Policy, root: Hashable) -> Iterator[tuple[Hashable, Outcomes]]:
    """Yield every state of a policy with what has happened on one way there."""
    # The root comes first. A state may stand for many histories, but only for such as
    # have the same future: what is paid or charged there is the same after all of them.
    found: dict[Hashable, Outcomes] = {root: {}}
    for state in reversed(list(children_first(policy, root))):
        outcomes, decision = found.pop(state), policy[state]
        yield state, outcomes
        if decision.action is None:
            continue
        name = decision.action
        for label, _, child in decision.branches:
            if child not in found:
                had = outcomes.get(name, frozenset())
                found[child] = {**outcomes, name: had | {label}}


Path = tuple[Happened, ...]
"""What has happened, in order."""

Describe = Callable[[Any, Path], object]
"""
Describes a state of a policy, given what has happened on the way there.

What a tree is to be pickled with can be pickled, so no function within another one.
"""


def as_it_is(state: Any, _path: Path) -> Any:
    """Return the state itself: that of a state space of your own."""
    return state


@dataclass(frozen=True, slots=True)
class PathStates:
    """Describes the states of a problem by the way there alone."""

    problem: Problem
    # The last way, and the states on it: the next one mostly goes on from there.
    _last: list[tuple[Path, list[State]]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def __reduce__(self) -> "tuple[type[PathStates], tuple[Problem]]":
        return PathStates, (self.problem,)

    def __call__(self, _key: Any, path: Path) -> State:
        """Return what has happened, and what is left, after these outcomes."""
        if features_of(self.problem):
            return self._walked(path)
        left: dict[str, Limit] = dict(self.problem.budget)
        counts: dict[str, dict[str, int]] = {}
        for event in path:
            cost, _ = self.problem.action(event.action).as_of(counts)
            for resource, amount in cost.items():
                left[resource] -= amount
            had = counts.setdefault(event.action, {})
            had[event.outcome] = had.get(event.outcome, 0) + 1
        named = tuple(
            (Happened(action.name, label), counts[action.name][label])
            for action in self.problem.actions
            if action.name in counts
            for label in action.labels
            if label in counts[action.name]
        )
        return State(named, Budget(left))

    def _walked(self, path: Path) -> State:
        """Return the state after these outcomes, from where the last way parts."""
        last, states = self._last[0] if self._last else ((), [start_of(self.problem)])
        pairs = enumerate(zip(last, path, strict=False))
        alike = min(len(last), len(path))
        alike = next((at for at, (a, b) in pairs if a is not b), alike)
        states = states[: alike + 1]
        for event in path[alike:]:
            states.append(stepped(self.problem, states[-1], event))
        # Replaced as a whole, as threads may describe the states of one plan.
        self._last[:] = [(path, states)]
        return states[-1]


@dataclass(frozen=True, slots=True)
class SpaceStates:
    """Describes the states of a problem as its state space does, which is faster."""

    space: ProblemSpace  # The problem as a state space
    # Gives the state of the space that a key of the policy stands for.
    packed: Callable[[Any], PackedState]

    def __call__(self, key: Any, _path: Path) -> State:
        """Return the state by name."""
        return self.space.describe(self.packed(key))

    def __reduce__(self) -> tuple[type[PathStates], tuple[Problem]]:
        return PathStates, (self.space.problem,)


@dataclass(frozen=True, slots=True)
class LaterStates:
    """Describes the states of a plan that begins after something has happened."""

    describe: Describe  # Describes them as if nothing had
    earlier: State  # Where the plan begins
    whole: Problem  # The problem as it was in the beginning
    left: Problem  # What is left of it

    def __call__(self, key: Any, path: Path) -> object:
        """Return the state with what it knows from before."""
        state = self.describe(key, path)
        if not isinstance(state, State):
            return state
        since = state.since(self.earlier, self.whole.events())
        if self.earlier.ended is not None:
            since = replace(since, ended=self.earlier.ended)
        if not self.whole.hidden:
            return since
        # What has become impossible is no longer among what may be.
        ways = zip(ways_of(self.left), state.knowledge, strict=True)
        weights = {way.labels: weight for way, weight in ways}
        known = (weights.get(way.labels, 0) for way in ways_of(self.whole))
        return replace(since, knowledge=tuple(known))
