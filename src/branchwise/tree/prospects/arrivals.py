"""Arrivals: where a plan may end, how likely, and what it has spent by then."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from branchwise.model.budget import Amounts
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import (
    rewards_by_way,
    start_of,
    stepped,
    turn_of,
)
from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.deadline import watch
from branchwise.tree.decision_tree import DecisionTree


class Arrival(NamedTuple):
    """Where a plan ends, whichever way it came there."""

    probability: Real
    state: State
    spent: Amounts
    num_actions: int


class _Place(NamedTuple):
    key: Hashable  # The state of the policy
    state: State
    spent: Amounts


def arrivals(tree: DecisionTree, problem: Problem) -> Iterator[Arrival]:
    """
    Yield every way a plan may end, for problems whose states hold more than outcomes.

    A state of the policy may stand for several states of the problem: what may be
    paid, and how likely, depends on these.
    """
    look = watch()
    here: dict[_Place, Real] = {
        _Place(tree.root.key, start_of(problem), Amounts({})): 1
    }
    num_actions = 0

    @cache
    def followed(state: State, event: Happened) -> tuple[State, Amounts]:
        action = problem.action(event.action)
        cost = turn_of(problem, action, state).cost
        extra = action.outcome(event.outcome).cost
        return stepped(problem, state, event), cost.plus(extra)

    while here:
        following: dict[_Place, Real] = {}
        for (key, state, spent), probability in here.items():
            look()
            decision = tree.policy[key]
            if decision.action is None:
                yield Arrival(probability, state, spent, num_actions)
                continue
            for label, chance, child in decision.branches:
                if chance:
                    event = Happened(decision.action, label)
                    after, cost = followed(state, event)
                    place = _Place(child, after, spent.plus(cost))
                    met = following.get(place, 0)
                    following[place] = met + probability * chance
        here, num_actions = following, num_actions + 1


def payoffs(arrival: Arrival, problem: Problem) -> Iterator[tuple[Fraction, Real]]:
    """Yield what may be paid where a plan ends, and how likely it ends so."""
    state = arrival.state
    if problem.is_least_cost:
        is_finished = problem.finish is not None and problem.finish.holds(state.facts)
        yield (
            -(Fraction(0) if is_finished else problem.unfinished or Fraction(0)),
            (arrival.probability),
        )
    elif state.ended == "lose":
        yield Fraction(0), arrival.probability
    elif not state.knowledge:
        yield problem.reward(state.facts), arrival.probability
    else:
        total = sum(state.knowledge)
        rewards = rewards_by_way(problem, state.facts)
        for weight, reward in zip(state.knowledge, rewards, strict=True):
            if weight:
                yield reward, arrival.probability * Fraction(weight, total)
