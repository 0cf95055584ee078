"""What a PRISM model keeps of the budget: whole units of what can run out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from branchwise.errors import FormatError, printable
from branchwise.formats.prism.prism_names import PrismNames
from branchwise.model.action import Action
from branchwise.model.budget import Amounts, limit_text
from branchwise.model.checks.issue import about, ticked
from branchwise.model.numbers.number import number_text
from branchwise.model.problem import Problem

_MOST_UNITS: Final = 2**53
"""Storm compares whole numbers as floats, which are exact up to here."""


@dataclass(frozen=True, slots=True)
class Purse:
    """What is left of one resource, as a variable that counts units."""

    resource: str
    variable: str
    unit: Fraction
    full: int

    def declarations(self) -> Iterator[str]:
        """Declare the variable, and say what it counts."""
        name = printable(self.resource)
        yield f"// what is left of {name}, in units of {number_text(self.unit)}"
        yield f"{self.variable} : [0..{self.full}] init {self.full};"


class PrismBudget:
    """The resources that cannot pay for everything, and what costs take from them."""

    def __init__(self, problem: Problem, names: PrismNames) -> None:
        self._limits = problem.budget
        self.purses = [
            _purse(problem, resource, limit, names)
            for resource, limit in problem.budget.items()
            if isinstance(limit, Fraction) and not _pays_for_all(problem, resource)
        ]

    def affords(self, cost: Amounts) -> bool:
        """Return whether the whole budget pays for a cost."""
        return all(amount <= self._limits[r] for r, amount in cost.items())

    def guards(self, cost: Amounts) -> Iterator[str]:
        """Return the expressions that say what is left is enough."""
        for purse, price in self._prices(cost):
            yield f"{purse.variable}>={price}"

    def updates(self, cost: Amounts) -> Iterator[str]:
        """Return what paying changes."""
        for purse, price in self._prices(cost):
            yield f"({purse.variable}'={purse.variable}-{price})"

    def _prices(self, cost: Amounts) -> Iterator[tuple[Purse, int]]:
        for purse in self.purses:
            if purse.resource in cost:
                yield purse, int(cost[purse.resource] / purse.unit)


def _purse(
    problem: Problem, resource: str, limit: Fraction, names: PrismNames
) -> Purse:
    costs = {n for each in problem.actions for n in _prices(problem, each, resource)}
    whole = math.lcm(*(cost.denominator for cost in costs))
    unit = Fraction(math.gcd(*(int(cost * whole) for cost in costs)), whole)
    full = int(limit / unit)
    if full >= _MOST_UNITS:
        what = f"{limit_text(limit)} {ticked(resource)} is {full} units of"
        what += f" {number_text(unit)}, more than Storm counts exactly"
        fix = "lower the budget, or write costs with fewer digits"
        raise FormatError([about(("budget", resource), what, fix)])
    return Purse(resource, names.fresh("left", resource), unit, full)


def _prices(problem: Problem, action: Action, resource: str) -> Iterator[Fraction]:
    """Return what an action may take of a resource, where the budget pays for it."""
    limit = problem.budget[resource]
    amounts = (cost.of(resource) for cost in action.costs())
    return (amount for amount in amounts if 0 < amount <= limit)


def _pays_for_all(problem: Problem, resource: str) -> bool:
    total: Fraction | float = Fraction(0)
    for action in problem.actions:
        dearest = max(_prices(problem, action, resource), default=Fraction(0))
        if dearest:
            is_endless = action.attempts == math.inf
            total += math.inf if is_endless else dearest * int(action.attempts)
    return total <= problem.budget[resource]
