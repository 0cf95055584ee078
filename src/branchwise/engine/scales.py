"""Scales: how amounts of resources become whole numbers of units."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from branchwise.errors import LimitError
from branchwise.model.packed import most_attempts
from branchwise.model.problem import Problem

__all__ = ["MOST_UNITS", "scales_of"]

MOST_UNITS: Final = 2**60
"""Amounts are kept in 64 bits; the headroom lets the core add a few without care."""


def scales_of(problem: Problem, *, every_resource: bool) -> dict[str, int]:
    """
    Find, for each resource that can run out, how many units make one of it.

    A budget that pays for everything at once never binds, and may be left out.

    Parameters
    ----------
    problem
        A valid problem.
    every_resource
        Count every finite resource, even where it never runs out.

    Raises
    ------
    LimitError
        The costs are too fine for the budget to be counted in 64 bits.
    """
    scales = {}
    for resource, limit in problem.budget.items():
        if not isinstance(limit, Fraction):
            continue
        if not every_resource and _pays_for_all(problem, resource, limit):
            continue
        costs = [
            c.of(resource).as_integer_ratio()
            for a in problem.actions
            for c in a.costs()
        ]
        had, of_it = limit.as_integer_ratio()
        # As whole numbers, which takes a fifth of the time that fractions take.
        affordable = {part for whole, part in costs if whole * of_it <= had * part}
        scale = math.lcm(*affordable)
        if limit * scale >= MOST_UNITS:
            raise LimitError(
                f"the costs of {resource} are too fine to be counted in 64 bits, "
                "which only the engine `reference` does not do"
            )
        scales[resource] = scale
    return scales


def _pays_for_all(problem: Problem, resource: str, limit: Fraction) -> bool:
    total = Fraction(0)
    for action in problem.actions:
        dearest = max(cost.get(resource, Fraction(0)) for cost in action.costs())
        attempts = most_attempts(problem, action)
        total += dearest * attempts
    return total <= limit
