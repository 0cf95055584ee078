"""Lowering: a problem in numbers, as the C++ engines want it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import branchwise._core as core
from branchwise.errors import LimitError
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import Amounts
from branchwise.model.condition import (
    ALWAYS,
    AllOf,
    AnyOf,
    Attempted,
    Condition,
    Happened,
    Not,
    all_of,
    negation,
)
from branchwise.model.packed import most_attempts
from branchwise.model.problem import Problem

__all__ = ["Lowered"]

# Amounts are kept in 64 bits; the headroom lets the core add a few without care.
_MOST_UNITS = 2**60

_OTHERWISE = Given(ALWAYS)

_Variant = tuple[int, list[int], float, float, list[float]]


class Lowered:
    """
    A valid problem in numbers.

    Parameters
    ----------
    problem
        It must have passed `branchwise.model.validate.checked`.
    every_resource
        Count what is left of every finite resource, even where it never runs out: the
        paper's states differ in it.

    Raises
    ------
    LimitError
        The costs are too fine for the budget to be counted in 64 bits.
    """

    def __init__(self, problem: Problem, *, every_resource: bool = False) -> None:
        self.problem = problem
        self.scales = _scales(problem, every_resource=every_resource)
        self._action_ids = {a.name: i for i, a in enumerate(problem.actions)}
        self.outcome_ids: dict[Happened, int] = {}
        for action in problem.actions:
            for label in action.labels:
                literal = Happened(action.name, label)
                self.outcome_ids[literal] = len(self.outcome_ids)
        budget = [int(problem.budget[r] * scale) for r, scale in self.scales.items()]
        self._budget = dict(zip(self.scales, budget, strict=True))
        self.instance = core.Instance(budget, problem.combine == "sum")
        for action in problem.actions:
            self._add_action(action)
        for reward in problem.rewards:
            when = self.condition(reward.when)
            self.instance.add_reward(when, float(reward.value))

    def units_of(self, problem: Problem) -> list[int] | None:
        """
        Count the budget of another problem in the same units.

        None if it differs in more than its probabilities, its cost weights and a
        smaller budget: then it does not have the same states.
        """
        ours = self.problem.budget
        if list(ours) != list(problem.budget) or _skeleton(problem) != self._skeleton:
            return None
        for resource, limit in problem.budget.items():
            is_counted = resource in self.scales
            if limit > ours[resource] or (limit != ours[resource] and not is_counted):
                return None
        return [int(problem.budget[r] * scale) for r, scale in self.scales.items()]

    @cached_property
    def _skeleton(self) -> Hashable:
        return _skeleton(self.problem)

    def _add_action(self, action: Action) -> None:
        allowed = all_of(action.requires, negation(action.precluded_by))
        attempts = min(most_attempts(self.problem, action), _MOST_UNITS)
        clauses = (*action.given, _OTHERWISE)
        self.instance.add_action(
            attempts,
            self.condition(allowed),
            [self._variant(action, clause) for clause in clauses],
        )

    def _variant(self, action: Action, clause: Given) -> _Variant:
        cost = action.cost if clause.cost is None else clause.cost
        outcomes = action.outcomes if clause.outcomes is None else clause.outcomes
        odds = {outcome.label: float(outcome.probability) for outcome in outcomes}
        return (
            self.condition(clause.when),
            self._price(cost),
            float(cost.total()),
            float(self.problem.cost_weight.times(cost)),
            [odds.get(label, 0.0) for label in action.labels],
        )

    def _price(self, cost: Amounts) -> list[int]:
        """Count a cost in units; one that is never affordable need not be exact."""
        prices = []
        for resource, scale in self.scales.items():
            # Rounding down could make affordable what is not.
            price = math.ceil(cost.of(resource) * scale)
            prices.append(min(price, self._budget[resource] + 1))
        return prices

    def condition(self, condition: Condition) -> int:
        """Number a condition as the core does."""
        match condition:
            case Happened():
                return self.instance.happened(self.outcome_ids[condition])
            case Attempted(action):
                return self.instance.attempted(self._action_ids[action])
            case AllOf(parts):
                return self.instance.all([self.condition(part) for part in parts])
            case AnyOf(parts):
                return self.instance.any([self.condition(part) for part in parts])
            case Not(inner):
                return self.instance.negation(self.condition(inner))
        raise TypeError(f"not a condition: {condition!r}")


def _skeleton(problem: Problem) -> Hashable:
    """Give all that two problems with the same states must have in common."""
    actions = tuple(
        (
            replace(action, outcomes=(), given=()),
            _possible(action.outcomes),
            tuple((g.when, g.cost, _possible(g.outcomes)) for g in action.given),
        )
        for action in problem.actions
    )
    return actions, problem.rewards, problem.combine


def _possible(outcomes: tuple[Outcome, ...] | None) -> Hashable:
    return outcomes and tuple((o.label, o.probability > 0) for o in outcomes)


def _scales(problem: Problem, *, every_resource: bool) -> dict[str, int]:
    """
    Find, for each resource that can run out, how many units make one of it.

    A budget that pays for everything at once never binds, and may be left out.
    """
    scales = {}
    for resource, limit in problem.budget.items():
        if not isinstance(limit, Fraction):
            continue
        if not every_resource and _pays_for_all(problem, resource, limit):
            continue
        costs = [
            c.get(resource, Fraction(0)) for a in problem.actions for c in a.costs()
        ]
        scale = math.lcm(*(cost.denominator for cost in _affordable(costs, limit)))
        if limit * scale >= _MOST_UNITS:
            raise LimitError(
                f"the costs of {resource} are too fine to be counted in 64 bits, "
                "which only the engine `reference` does not do"
            )
        scales[resource] = scale
    return scales


def _affordable(costs: Iterable[Fraction], limit: Fraction) -> Iterable[Fraction]:
    return (cost for cost in costs if cost <= limit)


def _pays_for_all(problem: Problem, resource: str, limit: Fraction) -> bool:
    total = Fraction(0)
    for action in problem.actions:
        dearest = max(cost.get(resource, Fraction(0)) for cost in action.costs())
        attempts = most_attempts(problem, action)
        total += dearest * attempts
    return total <= limit
