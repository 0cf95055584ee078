"""Budget and costs as data for the page: what is left after any history."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from branchwise.model.action import Action
from branchwise.model.budget import Amounts, Limit
from branchwise.model.condition import AllOf, AnyOf, Attempted, Condition, Happened, Not
from branchwise.model.problem import Problem
from branchwise.report.tree_drawing.lettering import legible

__all__ = ["Names", "spending_document"]


class Names:
    """The names of a plan, each listed once; elsewhere its number stands for it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """Return the number of a name."""
        return self._numbers.setdefault(name, len(self._numbers))

    def listed(self) -> list[str]:
        """Return the names in the order of their numbers, as they may be shown."""
        return [legible(name) for name in self._numbers]


def spending_document(problem: Problem, names: Names) -> dict[str, Any]:
    """
    Return the budget, and what each action costs, in whole numbers.

    What an action costs may depend on what has happened, and a plan's state need not
    show it: where the budget no longer matters, states of different budgets are one. So
    the page is given the clauses, and adds up along the way.
    """
    resources = list(problem.budget)
    scales = {resource: _scale(problem, resource) for resource in resources}
    return {
        "resources": [
            {
                "name": "" if problem.budget.is_plain else legible(resource),
                "limit": _limit(problem.budget[resource], scales[resource]),
                "scale": scales[resource],
            }
            for resource in resources
        ],
        "costs": {
            names.number(action.name): _cost(action, scales, names)
            for action in problem.actions
        },
    }


def _scale(problem: Problem, resource: str) -> int:
    """Return by what to multiply amounts of a resource to make them whole."""
    limit = problem.budget[resource]
    costs = (cost.of(resource) for a in problem.actions for cost in a.costs())
    amounts = [*costs, limit if isinstance(limit, Fraction) else Fraction(0)]
    return math.lcm(*(amount.denominator for amount in amounts))


def _limit(limit: Limit, scale: int) -> int | None:
    return int(limit * scale) if isinstance(limit, Fraction) else None


def _cost(action: Action, scales: dict[str, int], names: Names) -> dict[str, Any]:
    document: dict[str, Any] = {"cost": _amounts(action.cost, scales)}
    if any(clause.cost is not None for clause in action.given):
        document["given"] = [
            {
                "when": _condition(clause.when, names),
                "cost": _amounts(
                    action.cost if clause.cost is None else clause.cost, scales
                ),
            }
            for clause in action.given
        ]
    return document


def _amounts(cost: Amounts, scales: dict[str, int]) -> list[int]:
    return [int(cost.of(resource) * scale) for resource, scale in scales.items()]


def _condition(condition: Condition, names: Names) -> list[Any]:
    """Write a condition as nested lists: what it is, and of what."""
    match condition:
        case Happened():
            parts = [names.number(condition.action), names.number(condition.outcome)]
            return ["happened", *parts]
        case Attempted():
            return ["attempted", names.number(condition.action)]
        case AllOf():
            return ["all", *_parts(condition, names)]
        case AnyOf():
            return ["any", *_parts(condition, names)]
        case Not():
            return ["not", *_parts(condition, names)]
    raise TypeError(f"there is no such condition: {condition!r}")


def _parts(condition: Condition, names: Names) -> Iterator[list[Any]]:
    return (_condition(part, names) for part in condition.parts())
