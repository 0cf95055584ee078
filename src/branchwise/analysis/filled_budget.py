"""Costs that fill a limited budget: at which of them some plan stops fitting."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from branchwise.analysis.attempts import most_attempts
from branchwise.analysis.parameters import Parameter
from branchwise.model.action import Action
from branchwise.model.budget import UNLIMITED
from branchwise.model.problem import Problem

__all__ = ["Fits", "fills_budget", "fits"]

# With more sums of costs than this, there are too many places to look at.
_MOST_SUMS: Final = 2_000
_MOST_PLACES: Final = 400


class Fits(NamedTuple):
    """
    Where plans may stop to fit the budget.

    Parameters
    ----------
    places
        The costs, by rising size: above each of them something may no longer fit that
        fits at it. Between two of them nothing changes.
    step
        Less than half of how far any two of them, and the ends, can be apart.
    is_complete
        Whether there are no others.
    """

    places: tuple[Fraction, ...]
    step: Fraction
    is_complete: bool


def fills_budget(problem: Problem, parameter: Parameter) -> bool:
    """Tell whether a number is a cost of something that is limited."""
    is_cost = parameter.kind == "cost"
    return is_cost and problem.budget[parameter.resource] != UNLIMITED


def fits(problem: Problem, cost: Parameter, low: Fraction, high: Fraction) -> Fits:
    """
    Find every cost at which a sum of costs may fill the budget.

    Who pays the cost k times, and s for all else, fits while it is at most the k-th
    part of what s leaves of the budget. Every sum that attempts could make is taken,
    whether or not conditions let it be, so there may be more places than are needed.

    Parameters
    ----------
    problem
        What is solved.
    cost
        The cost that is varied, of a resource that is limited.
    low, high
        Its range.

    Examples
    --------
    >>> from branchwise.analysis.parameters import find_parameter
    >>> one, two = (Action(name, outcomes={"ok": 1}) for name in ("one", "two"))
    >>> problem = Problem([one, two], budget=3)
    >>> cost = find_parameter(problem, "cost of one")
    >>> [int(at) for at in fits(problem, cost, Fraction(0), Fraction(9)).places]
    [2, 3]
    """
    limit = problem.budget[cost.resource]
    assert isinstance(limit, Fraction)
    times = _most_times(problem, cost, low)
    sums, is_complete = _sums(problem, cost, limit)
    found = sorted(
        {
            (limit - spent) / uses
            for spent in sums
            for uses in range(1, times + 1)
            if low < (limit - spent) / uses < high
        }
    )
    if len(found) > _MOST_PLACES:
        is_complete = False
        found = found[:: len(found) // _MOST_PLACES + 1]
    ends = [low, high, limit, *sums]
    finest = lcm(*(each.denominator for each in ends)) * times
    return Fits(tuple(found), Fraction(1, 3 * finest * finest), is_complete)


def _most_times(problem: Problem, cost: Parameter, low: Fraction) -> int:
    """Count how often a path may pay the cost."""
    cheapest = cost.changed(problem, low)
    return most_attempts(cheapest.action(cost.action), cheapest)


def _sums(
    problem: Problem, cost: Parameter, limit: Fraction
) -> tuple[set[Fraction], bool]:
    """Give what may be spent on all else; and whether that is all of it."""
    sums = {Fraction(0)}
    for action in problem.actions:
        amounts = _amounts(action, cost) - {Fraction(0)}
        attempts = most_attempts(action, problem) if amounts else 0
        new = sums
        for _ in range(attempts):
            new = _more(new, amounts, limit) - sums
            if not new:
                break
            sums |= new
            if len(sums) > _MOST_SUMS:
                return sums, False
    return sums, True


def _more(
    sums: Iterable[Fraction], amounts: Iterable[Fraction], limit: Fraction
) -> set[Fraction]:
    every = {spent + amount for spent in sums for amount in amounts}
    return {spent for spent in every if spent <= limit}


def _amounts(action: Action, cost: Parameter) -> set[Fraction]:
    """Give what an attempt may cost of the resource, but for the cost itself."""
    clauses = ((n, clause.cost) for n, clause in enumerate(action.given))
    places = [(None, action.cost), *clauses]
    return {
        amounts.of(cost.resource)
        for clause, amounts in places
        if amounts is not None and (action.name, clause) != (cost.action, cost.clause)
    }
