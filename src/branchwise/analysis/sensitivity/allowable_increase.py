"""Allowable increases: how much a cost may rise while its plan fits the budget."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import NamedTuple

from branchwise.analysis.sensitivity.parameters import Parameter, own_clause
from branchwise.model.budget import Amounts
from branchwise.model.problem import Problem
from branchwise.tree.policy import OptimalSteps, Policy, children_first, steps_of

__all__ = ["AllowableIncrease"]


class _Taken(NamedTuple):
    """What a plan does at a state, and what that costs."""

    action: str
    clause: int | None  # the one that says the cost; None where the action itself does
    cost: Amounts
    children: tuple[Hashable, ...]


class AllowableIncrease:
    """
    The plan of a problem, and what it spends.

    Parameters
    ----------
    problem
        What the plan is for.
    policy
        The plan.
    """

    def __init__(self, problem: Problem, policy: Policy) -> None:
        steps = steps_of(policy)
        self._problem = problem
        self._root = steps.root
        self._states: dict[Hashable, _Taken | None] = {}
        for state in children_first(policy, steps.root):
            self._states[state] = self._taken(steps, state)
        every = self._states.values()
        self._payers = {(each.action, each.clause) for each in every if each}

    def of(self, cost: Parameter) -> Fraction | None:
        """
        Return by how much a cost may rise before the plan no longer fits the budget.

        None where the plan never pays it, or where the resource is unlimited.
        """
        limit = self._problem.budget[cost.resource]
        if not isinstance(limit, Fraction) or not self.is_paid(cost):
            return None
        spent: dict[Hashable, dict[int, Fraction]] = {}
        for state, taken in self._states.items():
            spent[state] = self._most_spent(taken, cost, spent)
        ends = spent[self._root].items()
        return min(((limit - most) / uses for uses, most in ends if uses), default=None)

    def is_paid(self, cost: Parameter) -> bool:
        """Whether the plan may ever pay a cost."""
        return (cost.action, cost.clause) in self._payers

    def _most_spent(
        self,
        taken: _Taken | None,
        cost: Parameter,
        after: Mapping[Hashable, Mapping[int, Fraction]],
    ) -> dict[int, Fraction]:
        """Return the most that is spent from here on, by how often the cost is paid."""
        if taken is None:
            return {0: Fraction(0)}
        is_paid = (taken.action, taken.clause) == (cost.action, cost.clause)
        amount = taken.cost.of(cost.resource)
        most: dict[int, Fraction] = {}
        for child in taken.children:
            for uses, spent in after[child].items():
                now = uses + is_paid
                most[now] = max(most.get(now, Fraction(0)), spent + amount)
        return most

    def _taken(self, policy: OptimalSteps, state: Hashable) -> _Taken | None:
        step = policy.step_taken(state)
        if step is None:
            return None
        action = self._problem.action(step.action)
        clause = own_clause(action, step.clause, "cost")
        cost = None if clause is None else action.given[clause].cost
        children = tuple(b.state for b in step.branches)
        return _Taken(
            action.name, clause, action.cost if cost is None else cost, children
        )
