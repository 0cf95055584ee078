"""Efficient plans: the best one for every willingness to pay, with exact limits."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from branchwise.analysis.comparison.evaluation import plan_tree
from branchwise.errors import LimitError
from branchwise.model.budget import Amounts
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.tree.choices.decision_rules import DecisionRules
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.prospects.outlook import outlook
from branchwise.tree.solution import Status

_NO_TIME: Final = "not worked out in the time"

Prices = Mapping[str, Fraction]
"""What one unit of each resource counts in cost."""


class CostedPlan(NamedTuple):
    """A plan with what it achieves and what it costs, on average and exactly."""

    tree: DecisionTree
    effect: Fraction
    cost: Fraction

    def benefit(self, willingness: Fraction) -> Fraction:
        """Return the net monetary benefit: what the effect is worth, less the cost."""
        return willingness * self.effect - self.cost


def costed(tree: DecisionTree, problem: Problem, prices: Prices) -> CostedPlan:
    """Return a plan with its expected effect and cost."""
    expected = outlook(tree, problem)
    spent = (
        price * Fraction(expected.costs[resource].mean)
        for resource, price in prices.items()
    )
    effect = Fraction(expected.rewards.mean)
    return CostedPlan(tree, effect, sum(spent, Fraction(0)))


def ratio(low: CostedPlan, high: CostedPlan) -> Fraction:
    """Return the incremental cost-effectiveness ratio of one plan over another."""
    return (high.cost - low.cost) / (high.effect - low.effect)


class EfficientPlans:
    """
    The plans with the highest net monetary benefit, for every willingness to pay.

    What the best plan is worth at a willingness k is the highest of finitely many
    lines, k times the effect less the cost of each plan: convex, and straight between
    its bends. Where two lines that are best somewhere cross, the problem is solved.
    If no plan is better there than the two, none is between the places where they are
    best: a line that is above both somewhere between, and above neither at the ends,
    is above both where they cross. Else a new line is found, and the search goes on to
    either side of it. So all bends are found, and as fractions.
    """

    def __init__(
        self, problem: Problem, prices: Prices, deadline: Deadline, most_plans: int
    ) -> None:
        self._problem = problem
        self._prices = prices
        self._deadline = deadline
        self._most_plans = most_plans

    def found(self) -> tuple[list[CostedPlan], bool]:
        """Return the plans by rising effect, and whether these are all."""
        nothing = self._costed(plan_tree(DecisionRules(()), self._problem))
        plans = [nothing, self._best_at(None)]
        gaps = [(plans[0], plans[1])]
        while gaps:
            low, high = gaps.pop()
            if high.effect <= low.effect or high.cost <= low.cost:
                continue
            if len(plans) >= self._most_plans:
                return _on_hull(plans), False
            where = ratio(low, high)
            middle = self._best_at(where)
            if middle.benefit(where) > low.benefit(where):
                plans.append(middle)
                gaps += [(low, middle), (middle, high)]
        return _on_hull(plans), True

    def _best_at(self, willingness: Fraction | None) -> CostedPlan:
        """Return the best plan at a willingness to pay; None for any price."""
        self._deadline.check(_NO_TIME)
        scale = Fraction(0) if willingness is None else 1 / willingness
        weights = {r: price * scale for r, price in self._prices.items()}
        found = solve(
            replace(self._problem, cost_weight=Amounts(weights)),
            exact=True,
            prefer="least-expected-cost",
            time_limit_seconds=self._deadline.time_limit_seconds(),
            verify=False,
        )
        if found.status is not Status.OPTIMAL:
            raise LimitError(_NO_TIME)
        return self._costed(found.tree)

    def _costed(self, tree: DecisionTree) -> CostedPlan:
        return costed(tree, self._problem, self._prices)


def _on_hull(plans: list[CostedPlan]) -> list[CostedPlan]:
    """Keep the plans that are best somewhere, by rising effect and cost."""
    kept: list[CostedPlan] = []
    for plan in sorted(plans, key=lambda each: (each.effect, -each.cost)):
        while kept and _is_beaten(kept, plan):
            kept.pop()
        kept.append(plan)
    return kept


def _is_beaten(kept: list[CostedPlan], plan: CostedPlan) -> bool:
    """Whether the last plan kept is best nowhere, given the next one."""
    last = kept[-1]
    if plan.cost <= last.cost:
        return True
    if len(kept) < 2 or plan.effect == last.effect:
        return False
    return ratio(last, plan) <= ratio(kept[-2], last)


def bends(plans: list[CostedPlan]) -> Iterator[Fraction]:
    """Return from which willingness to pay on each plan but the first is best."""
    return (ratio(low, high) for low, high in pairwise(plans))
