"""How fast a plan, once chosen, gains worth as one number of the problem rises."""

from __future__ import annotations

from collections.abc import Iterator

from branchwise.analysis.parameters import Parameter
from branchwise.engine.canonical_policy import CanonicalPolicy
from branchwise.engine.plan_curve import Drift, PlanCurve
from branchwise.model.problem import Problem
from branchwise.tree.solution import Solution

__all__ = ["curve_of", "slope_of"]


def curve_of(problem: Problem, solution: Solution) -> PlanCurve:
    """Give the plan of a solution, by the engine ``canonical``, as a curve."""
    policy = solution.tree.policy
    assert isinstance(policy, CanonicalPolicy)
    return PlanCurve(problem, policy)


def slope_of(problem: Problem, parameter: Parameter, curve: PlanCurve) -> float:
    """
    Give the derivative of what one plan is worth.

    Parameters
    ----------
    problem
        What the plan was found for.
    parameter
        One of its numbers, other than a reward: of which rewards a plan ends with, its
        curve knows nothing.
    curve
        The plan.
    """
    match parameter.kind:
        case "probability":
            return curve.slope(_odds_drifts(problem, parameter))
        case "cost":
            # What acts by the budget alone changes no plan, only which ones fit.
            if not problem.cost_weight.of(parameter.resource):
                return 0.0
            return curve.slope(_cost_drifts(problem, parameter))
    return curve.slope(_weight_drifts(problem, parameter))


def _odds_drifts(problem: Problem, parameter: Parameter) -> Iterator[Drift]:
    """Let the mass come from the other outcomes, in proportion."""
    outcomes = parameter.odds(problem)
    rest = float(1 - parameter.value(problem))
    drifts = {
        outcome.label: -float(outcome.probability) / rest if rest else 0.0
        for outcome in outcomes
    }
    drifts[parameter.outcome] = 1.0
    number = problem.actions.index(problem.action(parameter.action))
    action = problem.actions[number]
    own = [each.outcomes is not None for each in action.given]
    for variant in _variants(own, parameter.clause):
        odds = [drifts.get(label, 0.0) for label in action.labels]
        yield Drift(number, variant, odds, 0.0)


def _cost_drifts(problem: Problem, parameter: Parameter) -> Iterator[Drift]:
    number = problem.actions.index(problem.action(parameter.action))
    own = [each.cost is not None for each in problem.actions[number].given]
    weight = float(problem.cost_weight.of(parameter.resource))
    for variant in _variants(own, parameter.clause):
        yield Drift(number, variant, [], weight)


def _weight_drifts(problem: Problem, parameter: Parameter) -> Iterator[Drift]:
    for number, action in enumerate(problem.actions):
        costs = [action.cost if g.cost is None else g.cost for g in action.given]
        for variant, cost in enumerate((*costs, action.cost)):
            yield Drift(number, variant, [], float(cost.of(parameter.resource)))


def _variants(has_own: list[bool], clause: int | None) -> list[int]:
    """Give where a number counts: in its clause, or wherever no clause has its own."""
    if clause is not None:
        return [clause]
    return [n for n, is_own in enumerate((*has_own, False)) if not is_own]
