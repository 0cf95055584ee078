"""The plan over canonical states: one decision for all states with the same future."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

import branchwise._core as core
from branchwise.model.action import Action, Outcome
from branchwise.model.budget import Budget, Limit
from branchwise.model.condition import Happened
from branchwise.model.problem import Problem
from branchwise.model.state import State
from branchwise.model.state_space import Real
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.policy import Branch, Decision, Shape

__all__ = ["CanonicalPolicy", "CanonicalState", "Step", "tree_of"]

_NOTHING: Final = Fraction(0)

_Step = tuple[int, int, list[tuple[int, int, list[int]]]]
"""An action and its variant; of each outcome the child, and the rewards gained."""


class CanonicalState(NamedTuple):
    """
    All states with the same future.

    Parameters
    ----------
    number
        Its number in the engine.
    secured
        What the rewards that can no longer be lost add up to, where rewards do.
    """

    number: int
    secured: Fraction


class Step(NamedTuple):
    """
    One of the actions that were weighed against each other at a state.

    Parameters
    ----------
    action
        Its name.
    clause
        The clause of `given` that counts there, from 0 on; None where none does.
    branches
        Where its outcomes lead.
    value
        The expected reward if it is taken.
    """

    action: str
    clause: int | None
    branches: tuple[Branch, ...]
    value: Real


class CanonicalPolicy(Mapping[Hashable, Decision]):
    """
    The decisions of a plan, looked up in the engine as they are asked for.

    Parameters
    ----------
    plan
        What the engine has found.
    problem
        The problem it was lowered from.
    """

    def __init__(self, plan: core.Plan, problem: Problem) -> None:
        self._plan = plan
        self._problem = problem
        self._known: dict[CanonicalState, Decision] = {}
        self.root = CanonicalState(plan.root, self._value(plan.root_gained))

    def __getitem__(self, key: Hashable) -> Decision:
        if not isinstance(key, CanonicalState):
            raise KeyError(key)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._decision(key)
        return known

    def __iter__(self) -> Iterator[CanonicalState]:
        met = {self.root}
        pending = [self.root]
        while pending:
            state = pending.pop()
            yield state
            for branch in self[state].branches:
                assert isinstance(branch.state, CanonicalState)
                if branch.state not in met:
                    met.add(branch.state)
                    pending.append(branch.state)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _decision(self, state: CanonicalState) -> Decision:
        number, secured = state
        score = _absolute(self._plan.score(number), secured)
        reward = _absolute(self._plan.reward(number), secured)
        step = self._plan.step(number)
        if step is None:
            return Decision(None, (), score, reward)
        action = self._problem.actions[step[0]].name
        return Decision(action, self._branches(state, step), score, reward)

    def _branches(self, state: CanonicalState, step: _Step) -> tuple[Branch, ...]:
        action_number, variant, children = step
        action = self._problem.actions[action_number]
        odds = _odds(action, variant)
        branches = []
        for outcome, child, gained in children:
            label = action.labels[outcome]
            after = CanonicalState(child, state.secured + self._value(gained))
            branches.append(Branch(label, odds[label], after))
        return tuple(branches)

    def steps(self, state: CanonicalState) -> Iterator[Step]:
        """Give the actions whose value at a state is known, and where they lead."""
        for step in self._plan.options(state.number) or ():
            number, variant, children = step
            action = self._problem.actions[number]
            if not all(self._plan.ceiling(child)[1] for _, child, _ in children):
                continue
            clause = variant if variant < len(action.given) else None
            branches = self._branches(state, step)
            value = -_charge(self._problem, action, variant)
            for branch in branches:
                assert isinstance(branch.state, CanonicalState)
                score, _ = self._plan.ceiling(branch.state.number)
                value += branch.probability * _absolute(score, branch.state.secured)
            yield Step(action.name, clause, branches, value)

    def considered(self, state: CanonicalState) -> tuple[Alternative, ...] | None:
        """Give the actions weighed against each other at a state, with their values."""
        options = self._plan.options(state.number)
        if options is None:
            return None
        best, _ = self._plan.ceiling(state.number)
        highest = _absolute(best, state.secured)
        return tuple(self._alternative(state, step, highest) for step in options)

    def _alternative(
        self, state: CanonicalState, step: _Step, highest: Real
    ) -> Alternative:
        number, variant, children = step
        action = self._problem.actions[number]
        odds = _odds(action, variant)
        total = -_charge(self._problem, action, variant)
        is_exact = True
        prospects = []
        for outcome, child, gained in children:
            score, is_reached = self._plan.ceiling(child)
            is_exact = is_exact and is_reached
            label = action.labels[outcome]
            value = _absolute(score, state.secured + self._value(gained))
            prospects.append(Prospect(label, odds[label], value))
            total += odds[label] * value
        # What is known of the state itself may be more than what is known below it.
        best = min(total, highest)
        return Alternative(action.name, best, not is_exact, tuple(prospects))

    def _value(self, rewards: list[int]) -> Fraction:
        values = (self._problem.rewards[reward].value for reward in rewards)
        return sum(values, _NOTHING)


def _absolute(number: float, secured: Fraction) -> Real:
    return number + float(secured) if secured else number


def _odds(action: Action, variant: int) -> Mapping[str, float]:
    outcomes: tuple[Outcome, ...] = action.outcomes
    if variant < len(action.given):
        outcomes = action.given[variant].outcomes or outcomes
    return {outcome.label: float(outcome.probability) for outcome in outcomes}


def _charge(problem: Problem, action: Action, variant: int) -> Real:
    cost = action.cost
    if variant < len(action.given):
        clause = action.given[variant].cost
        cost = cost if clause is None else clause
    weight = problem.cost_weight
    return float(sum((weight.of(r) * n for r, n in cost.items()), _NOTHING))


def tree_of(plan: core.Plan, problem: Problem) -> DecisionTree:
    """Give the tree of a plan."""
    policy = CanonicalPolicy(plan, problem)
    shape = Shape(*plan.shape())
    return DecisionTree(
        policy,
        policy.root,
        lambda _, path: _described(problem, path),
        shape,
        considered=policy.considered,
        problem=problem,
    )


def _described(problem: Problem, path: Path) -> State:
    """Say what has happened, and what is left, after these outcomes in this order."""
    left: dict[str, Limit] = dict(problem.budget)
    counts: dict[str, dict[str, int]] = {}
    for event in path:
        cost, _ = problem.action(event.action).as_of(counts)
        for resource, amount in cost.items():
            left[resource] -= amount
        had = counts.setdefault(event.action, {})
        had[event.outcome] = had.get(event.outcome, 0) + 1
    named = tuple(
        (Happened(action.name, label), counts[action.name][label])
        for action in problem.actions
        if action.name in counts
        for label in action.labels
        if label in counts[action.name]
    )
    return State(named, Budget(left))
