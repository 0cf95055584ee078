"""What carrying out outcomes in an order costs, and how likely they come true."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from branchwise.model.budget import Amounts
from branchwise.model.condition import Happened
from branchwise.model.problem import Problem

__all__ = ["carry_out"]


def carry_out(problem: Problem, order: Iterable[Happened]) -> tuple[Amounts, Fraction]:
    """Carry out outcomes one after another; give their cost and probability."""
    known: dict[str, list[str]] = {}
    spent = dict.fromkeys(problem.budget, Fraction(0))
    probability = Fraction(1)
    for event in order:
        cost, outcomes = problem.action(event.action).as_of(known)
        for resource, amount in cost.items():
            spent[resource] += amount
        odds = {outcome.label: outcome.probability for outcome in outcomes}
        probability *= odds.get(event.outcome, Fraction(0))
        known.setdefault(event.action, []).append(event.outcome)
    return Amounts(spent), probability
