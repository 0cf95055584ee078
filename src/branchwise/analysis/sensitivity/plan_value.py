"""What a plan, once chosen, is worth as one number of the problem changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from branchwise.analysis.sensitivity.facts import WatchedFacts
from branchwise.analysis.sensitivity.parameters import Parameter
from branchwise.analysis.sensitivity.slopes import Slopes
from branchwise.engine.plan_curve import Drift, PlanCurve
from branchwise.model.problem import Problem
from branchwise.tree.solution import Solution

__all__ = ["PlanLine", "bends", "curve_of", "is_straight", "plan_line", "slope_of"]


def curve_of(problem: Problem, solution: Solution) -> PlanCurve:
    """Return the plan of a solution, by the engine ``canonical``, as a curve."""
    return PlanCurve(problem, solution.tree.policy)


def slope_of(problem: Problem, parameter: Parameter, curve: PlanCurve) -> float:
    """
    Return the derivative of what one plan is worth.

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
            return curve.slope(_probability_drifts(problem, parameter))
        case "cost":
            # What acts by the budget alone changes no plan, only which ones fit.
            if not problem.cost_weight.of(parameter.resource):
                return 0.0
            return curve.slope(_cost_drifts(problem, parameter))
    return curve.slope(_weight_drifts(problem, parameter))


def _probability_drifts(problem: Problem, parameter: Parameter) -> Iterator[Drift]:
    """Return how probabilities move: those of other outcomes in proportion."""
    outcomes = parameter.outcomes(problem)
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


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A plan, and what it is worth at every value of one number."""

    at: Fraction  # the value of the number at which it was found to be optimal
    reward: float  # what it is worth there
    first_action: str | None  # what it does first; None where it does nothing
    tree_nodes: int  # how large its tree is
    # Gives what it is worth where the number is another.
    worth: Callable[[Fraction], float]


def is_straight(problem: Problem, parameter: Parameter) -> bool:
    """
    Whether plans are worth what a straight line says, between all `bends`.

    They are, unless a path of a plan may meet the same probabilities twice.
    """
    if parameter.kind != "probability":
        return True
    return problem.action(parameter.action).attempts == 1


def bends(problem: Problem, parameter: Parameter) -> list[Fraction]:
    """Return where any plan may bend: where a reward overtakes another one."""
    if parameter.kind != "reward" or problem.combine != "max":
        return []
    return sorted({reward.value for reward in problem.rewards})


def plan_line(problem: Problem, parameter: Parameter, solution: Solution) -> PlanLine:
    """
    Return the plan of a solution as a line.

    Parameters
    ----------
    problem
        What was solved.
    parameter
        Which of its numbers is varied.
    solution
        Its solution, by the engine ``canonical``.
    """
    if parameter.kind == "reward" and problem.combine == "max":
        worth = _by_endings(problem, parameter, solution)
    elif is_straight(problem, parameter):
        worth = _line(problem, parameter, solution)
    else:
        worth = _curve(problem, parameter, solution)
    return PlanLine(
        parameter.value(problem),
        float(solution.expected_reward),
        solution.first_action,
        solution.tree.num_nodes,
        worth,
    )


def _line(
    problem: Problem, parameter: Parameter, solution: Solution
) -> Callable[[Fraction], float]:
    """Return a straight line: of one plan, the derivative says it all."""
    at, reward = parameter.value(problem), float(solution.expected_reward)
    if parameter.kind == "reward":
        slopes = Slopes(problem, solution, most_places=0, only=parameter)
        slope = slopes.of(parameter).right
    else:
        slope = slope_of(problem, parameter, curve_of(problem, solution))
    return lambda value: reward + slope * float(value - at)


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

    def earned(value: float) -> float:
        return sum(
            chance * (max(value, other) if is_held else other)
            for (is_held, other), chance in chances.items()
        )

    now = values[parameter.number]
    spent = earned(now) - float(solution.expected_reward)
    return lambda value: earned(float(value)) - spent


def _curve(
    problem: Problem, parameter: Parameter, solution: Solution
) -> Callable[[Fraction], float]:
    """Return the value of the plan, worked out again for each value."""
    curve = curve_of(problem, solution)
    return lambda value: curve.value(parameter.changed(problem, value))
