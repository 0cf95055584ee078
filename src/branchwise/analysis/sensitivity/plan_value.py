"""What a plan, once chosen, is worth as one number of the problem changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import lcm
from typing import NamedTuple

from branchwise.analysis.parameter import Parameter, cost_in, own_clause
from branchwise.analysis.sensitivity.carried_out import deeds_of, kept_tree
from branchwise.analysis.sensitivity.slopes import Slopes, WatchedFacts
from branchwise.engine.plan_curve import Drift, PlanCurve
from branchwise.errors import PlanError
from branchwise.model.budget import Amounts
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.tree.choices.policy import (
    OptimalSteps,
    Policy,
    children_first,
    steps_of,
)
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.evaluate import evaluate
from branchwise.tree.solution import Solution


def curve_of(problem: Problem, solution: Solution) -> PlanCurve:
    """Return the plan of a solution, by the engine ``canonical``, as a curve."""
    return PlanCurve(problem, solution.tree.policy)


def slope_of(problem: Problem, parameter: Parameter, curve: PlanCurve) -> float:
    """
    Return the derivative of what one plan is worth, by any number but a reward.

    Of which rewards a plan ends with, its curve knows nothing.
    """
    match parameter.kind:
        case "probability":
            return curve.slope(_probability_drifts(problem, parameter))
        case "cost":
            # What acts by the budget alone changes no plan, only which ones fit.
            if not problem.cost_weight.of(parameter.resource):
                return 0.0
            return curve.slope(_cost_drifts(problem, parameter))
    return curve.slope(_weight_drifts(problem, parameter))


def _probability_drifts(problem: Problem, parameter: Parameter) -> Iterator[Drift]:
    """Return how probabilities move: those of other outcomes in proportion."""
    rest = float(1 - parameter.value(problem))
    drifts = {
        outcome.label: -float(outcome.probability) / rest if rest else 0.0
        for outcome in parameter.outcomes(problem)
    }
    drifts[parameter.outcome] = 1.0
    number = problem.actions.index(problem.action(parameter.action))
    action = problem.actions[number]
    own = [each.outcomes is not None for each in action.given]
    for variant in _variants(own, parameter.clause):
        changes = [drifts.get(label, 0.0) for label in action.labels]
        yield Drift(number, variant, changes, 0.0)


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
    """Return where a number counts: in its clause, or where no clause has its own."""
    if clause is not None:
        return [clause]
    return [n for n, is_own in enumerate((*has_own, False)) if not is_own]


class PlanLine(NamedTuple):
    """A plan, and what it is worth at every value of one number."""

    at: Fraction  # the value of the number at which it was found to be optimal
    reward: float  # what it is worth there
    first_action: str | None  # what it does first; None where it does nothing
    tree_nodes: int  # how large its tree is
    # Gives what it is worth where the number is another.
    worth: Callable[[Fraction], float]
    # What it does, whatever the number is; empty where that is not known.
    deeds: bytes = b""


def is_straight(problem: Problem, parameter: Parameter) -> bool:
    """
    Whether plans are worth what a straight line says, between all `bends`.

    They are, unless a path of a plan may meet the same probabilities twice.
    """
    if parameter.kind == "parameter":
        return False
    if parameter.kind != "probability":
        return True
    return problem.action(parameter.action).attempts == 1


def can_be_sent(problem: Problem, parameter: Parameter) -> bool:
    """Whether plans can go to another process as lines of this number."""
    if parameter.kind != "probability" or features_of(problem):
        return True
    return is_straight(problem, parameter)


def bends(problem: Problem, parameter: Parameter) -> list[Fraction]:
    """Return where any plan may bend: where a reward overtakes another one."""
    if parameter.kind != "reward" or problem.combine != "max":
        return []
    return sorted({reward.value for reward in problem.rewards})


def plan_line(
    problem: Problem,
    parameter: Parameter,
    solution: Solution,
    curve: PlanCurve | None = None,
) -> PlanLine:
    """Return the plan of a solution as a line; its curve may be known already."""
    deeds = b""
    if parameter.kind == "parameter" or features_of(problem):
        tree = kept_tree(solution.tree)
        worth, deeds = _evaluated(problem, parameter, tree), deeds_of(tree)
    elif parameter.kind == "reward" and problem.combine == "max":
        worth = _by_endings(problem, parameter, solution)
    elif is_straight(problem, parameter):
        worth = _line(problem, parameter, solution, curve)
    else:
        worth = _curve(problem, parameter, curve or curve_of(problem, solution))
    return PlanLine(
        parameter.value(problem),
        float(solution.expected_reward),
        solution.first_action,
        solution.tree.num_nodes,
        worth,
        deeds,
    )


def _line(
    problem: Problem, parameter: Parameter, solution: Solution, curve: PlanCurve | None
) -> Callable[[Fraction], float]:
    """Return a straight line: of one plan, the derivative says it all."""
    at, reward = parameter.value(problem), float(solution.expected_reward)
    if parameter.kind == "reward":
        slopes = Slopes(problem, solution, most_places=0, only=parameter)
        slope = slopes.of(parameter).right
    else:
        slope = slope_of(problem, parameter, curve or curve_of(problem, solution))
    return _OnLine(at, reward, slope)


@dataclass(frozen=True, slots=True)
class _OnLine:
    """What a plan is worth, on a straight line through a point."""

    at: Fraction
    reward: float
    slope: float

    def __call__(self, value: Fraction) -> float:
        return self.reward + self.slope * float(value - self.at)


def _by_endings(
    problem: Problem, parameter: Parameter, solution: Solution
) -> Callable[[Fraction], float]:
    """Return the mean of the best reward of every ending, less what is spent."""
    values = [float(reward.value) for reward in problem.rewards]
    chances: dict[tuple[bool, float], float] = {}
    for chance, held in WatchedFacts(problem).endings(solution.tree):
        others = [values[number] for number in held if number != parameter.number]
        key = parameter.number in held, max([0.0, *others])
        chances[key] = chances.get(key, 0.0) + chance

    number = values[parameter.number]
    spent = _earned(chances, number) - float(solution.expected_reward)
    return partial(_less_spent, chances, spent)


def _earned(chances: Mapping[tuple[bool, float], float], value: float) -> float:
    return sum(
        chance * (max(value, other) if is_held else other)
        for (is_held, other), chance in chances.items()
    )


def _less_spent(
    chances: Mapping[tuple[bool, float], float], spent: float, value: Fraction
) -> float:
    return _earned(chances, float(value)) - spent


def _curve(
    problem: Problem, parameter: Parameter, curve: PlanCurve
) -> Callable[[Fraction], float]:
    """Return the value of the plan, worked out again for each value."""
    return lambda value: curve.value(parameter.changed(problem, value))


def _evaluated(
    problem: Problem, parameter: Parameter, tree: DecisionTree
) -> Callable[[Fraction], float]:
    """Return the value of the plan, carried out anew; without end below if it fails."""
    return _CarriedOut(problem, parameter, tree)


@dataclass(frozen=True)
class _CarriedOut:
    """What a plan is worth, carried out anew for each value."""

    problem: Problem
    parameter: Parameter
    tree: DecisionTree
    known: dict[Fraction, float] = field(default_factory=dict)

    def __call__(self, value: Fraction) -> float:
        if value not in self.known:
            self.known[value] = self._worth(value)
        return self.known[value]

    def _worth(self, value: Fraction) -> float:
        try:
            changed = self.parameter.changed(self.problem, value)
            return float(evaluate(self.tree, changed))
        except PlanError:  # It no longer fits the budget, say.
            return -math.inf


class _Taken(NamedTuple):
    """What a plan does at a state, and what that costs."""

    action: str
    clause: int | None  # the one that says the cost; None where the action itself does
    cost: Amounts
    children: tuple[Hashable, ...]


class AllowableIncrease:
    """The plan of a problem, and what it spends."""

    def __init__(self, problem: Problem, policy: Policy) -> None:
        steps = steps_of(policy)
        self._problem = problem
        self._root = steps.root
        order = children_first(policy, steps.root)
        self._states = {state: self._taken(steps, state) for state in order}
        # Whole numbers are added up many times faster than fractions.
        self._known_units: dict[str, tuple[int, Mapping[Hashable, int]]] = {}
        self._payers = {(e.action, e.clause) for e in self._states.values() if e}

    def of(self, cost: Parameter) -> Fraction | None:
        """
        Return by how much a cost may rise before the plan no longer fits the budget.

        None where the plan never pays it, or where the resource is unlimited.
        """
        limit = self._problem.budget[cost.resource]
        is_paid = (cost.action, cost.clause) in self._payers
        if not isinstance(limit, Fraction) or not is_paid:
            return None
        in_one, units = self._units(cost.resource)
        spent: dict[Hashable, dict[int, int]] = {}
        for state, taken in self._states.items():
            spent[state] = _most_spent(taken, units[state], cost, spent)
        ends = ((n, Fraction(m, in_one)) for n, m in spent[self._root].items() if n)
        return min(((limit - most) / uses for uses, most in ends), default=None)

    def _units(self, resource: str) -> tuple[int, Mapping[Hashable, int]]:
        """Return how many units are one, and what each state takes in whole units."""
        if resource not in self._known_units:
            amounts = {
                state: Fraction(0) if taken is None else taken.cost.of(resource)
                for state, taken in self._states.items()
            }
            in_one = lcm(*{amount.denominator for amount in amounts.values()})
            units = {state: int(amount * in_one) for state, amount in amounts.items()}
            self._known_units[resource] = in_one, units
        return self._known_units[resource]

    def _taken(self, policy: OptimalSteps, state: Hashable) -> _Taken | None:
        step = policy.step_taken(state)
        if step is None:
            return None
        action = self._problem.action(step.action)
        clause = own_clause(action, step.clause, "cost")
        children = tuple(b.state for b in step.branches)
        return _Taken(action.name, clause, cost_in(action, clause), children)


def _most_spent(
    taken: _Taken | None,
    amount: int,
    cost: Parameter,
    after: Mapping[Hashable, Mapping[int, int]],
) -> dict[int, int]:
    """Return the most that is spent from here on, by how often the cost is paid."""
    if taken is None:
        return {0: 0}
    is_paid = (taken.action, taken.clause) == (cost.action, cost.clause)
    most: dict[int, int] = {}
    for child in taken.children:
        for uses, spent in after[child].items():
            now = uses + is_paid
            most[now] = max(most.get(now, 0), spent + amount)
    return most
