"""The exact value of a tree, worked out afresh from the problem."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from branchwise.errors import PlanError
from branchwise.model.action import Outcome
from branchwise.model.budget import Amounts, Limit
from branchwise.model.problem import Problem
from branchwise.space.own_space import OwnSpace
from branchwise.tree.decision_tree import DecisionTree, checked_tree
from branchwise.tree.own_plan import OwnPlan

Counts = Mapping[str, Mapping[str, int]]
"""How often each outcome of each action has come up."""

Watch = Callable[[int], object]
"""Called with how much there is to look at; raises to end the work."""


def evaluate(
    tree: DecisionTree,
    problem: Problem | OwnSpace,
    *,
    watch: Watch = lambda _: None,
) -> Fraction:
    """
    Work out the expected reward of a tree exactly, step by step as it is carried out.

    Nothing is taken from the engine that made the tree but its choice of actions:
    probabilities, costs, rewards and what is allowed are read off the problem. A tree
    that the problem does not allow raises a `PlanError`.

    Parameters
    ----------
    tree
        What is done.
    problem
        What it is done in: a problem, or a state space of your own.
    watch
        Called with how many positions are still to be looked at in this step, before
        each; may raise to end the work.
    """
    checked_tree(tree)
    if not isinstance(problem, Problem):
        return OwnPlan(tree, problem).value(watch)
    walk = _Walk(tree, problem)
    start = _Position(tree.root.key, 0, tuple(problem.budget.items()))
    here = {start: _Arrival(Fraction(1), {})}
    total = Fraction(0)
    while here:
        following: dict[_Position, _Arrival] = {}
        for position, arrival in here.items():
            watch(len(here))
            total += arrival.probability * walk.gain(position, arrival.counts)
            for child, probability, counts in walk.steps(position, arrival.counts):
                met = following.setdefault(child, _Arrival(Fraction(0), counts))
                met.probability += arrival.probability * probability
        here = following
    return total


class _Position(NamedTuple):
    """Where a plan stands: its own state, what has happened, and what is left."""

    key: Hashable
    happened: int
    left: tuple[tuple[str, Limit], ...]


@dataclass(slots=True)
class _Arrival:
    """How likely a plan comes to a position, and what has happened by then."""

    probability: Fraction
    counts: Counts


class _Walk:
    """One step of a tree at a time, by the letter of the problem."""

    def __init__(self, tree: DecisionTree, problem: Problem) -> None:
        self._policy = tree.policy
        self._problem = problem
        self._actions = {action.name: action for action in problem.actions}
        # Each outcome counts in its own digits of one number, wide enough for any
        # count, so that what has happened is compared at once.
        width = tree.depth.bit_length()
        names = [(a.name, label) for a in problem.actions for label in a.labels]
        self._ones = {name: 1 << width * i for i, name in enumerate(names)}

    def gain(self, position: _Position, counts: Counts) -> Fraction:
        """Return the reward where the plan stops, or what its action is charged."""
        name = self._policy[position.key].action
        if name is None:
            return self._problem.reward(counts)
        cost, _ = self._terms(name, counts)
        return -self._problem.cost_weight.times(cost)

    def steps(
        self, position: _Position, counts: Counts
    ) -> Iterator[tuple[_Position, Fraction, Counts]]:
        """Return the positions that follow, how likely, and what has happened there."""
        decision = self._policy[position.key]
        if decision.action is None:
            return
        name = decision.action
        cost, outcomes = self._terms(name, counts)
        left = _paid(position.left, name, cost)
        keys = {branch.outcome: branch.state for branch in decision.branches}
        for label, probability in ((o.label, o.probability) for o in outcomes):
            if not probability:
                continue
            if label not in keys:
                raise PlanError(f"the plan does not go on after `{name}={label}`")
            happened = position.happened + self._ones[name, label]
            had = counts.get(name, {})
            now = {**counts, name: {**had, label: had.get(label, 0) + 1}}
            yield _Position(keys[label], happened, left), probability, now

    def _terms(self, name: str, counts: Counts) -> tuple[Amounts, tuple[Outcome, ...]]:
        """Return cost and probabilities of an action here; it must be allowed."""
        if name not in self._actions:
            raise PlanError(f"the problem has no action `{name}`")
        action = self._actions[name]
        if sum(counts.get(name, {}).values()) >= action.attempts:
            raise PlanError(f"`{name}` has no attempts left where the plan takes it")
        if not action.requires.holds(counts) or action.precluded_by.holds(counts):
            raise PlanError(f"`{name}` is not available where the plan takes it")
        return action.as_of(counts)


def _paid(
    left: tuple[tuple[str, Limit], ...], name: str, cost: Amounts
) -> tuple[tuple[str, Limit], ...]:
    rest = tuple((resource, have - cost.of(resource)) for resource, have in left)
    for resource, have in rest:
        if have < 0:
            raise PlanError(f"`{name}` costs more than is left of {resource}")
    return rest
