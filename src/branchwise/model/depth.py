"""Depth: how many actions a plan can take one after another, at most."""

from __future__ import annotations

import math
from fractions import Fraction

from branchwise.model.problem import Problem

__all__ = ["most_actions"]


def most_actions(problem: Problem) -> int | float:
    """
    Return a number of actions that no path of any plan exceeds; infinity for no limit.

    A path takes an action at most as often as it has attempts, and each time pays no
    less of a resource than the cheapest of its costs. So the attempts on a path, put
    in order of these least costs, cost at least as much as the same number of the
    cheapest attempts there are; and what a path costs fits every budget. The number of
    cheapest attempts that fit a budget is therefore a limit, for each resource.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> cheap = Action("cheap", outcomes={"ok": 1}, attempts=3)
    >>> dear = Action("dear", outcomes={"ok": 1}, cost=5, attempts=1000)
    >>> most_actions(Problem([cheap, dear], [Reward(dear["ok"], 1)], budget=14))
    5
    """
    total = sum(action.attempts for action in problem.actions)
    return min(total, *(_most_paid(problem, r) for r in problem.budget), math.inf)


def _most_paid(problem: Problem, resource: str) -> int | float:
    """Return how many of the cheapest attempts what there is of a resource pays for."""
    left = problem.budget[resource]
    if not isinstance(left, Fraction):
        return math.inf
    offers = sorted(
        (min(cost.of(resource) for cost in action.costs()), action.attempts)
        for action in problem.actions
    )
    count: int | float = 0
    for price, attempts in offers:
        affordable = math.floor(left / price) if price else math.inf
        taken = min(attempts, affordable)
        count += taken
        if taken < attempts or taken == math.inf:
            break
        left -= price * int(taken)
    return count
