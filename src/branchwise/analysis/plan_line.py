"""What a plan, once chosen, is worth as one number of the problem changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from branchwise.analysis.facts import WatchedFacts
from branchwise.analysis.parameters import Parameter
from branchwise.analysis.plan_slope import curve_of, slope_of
from branchwise.analysis.slopes import Slopes
from branchwise.model.problem import Problem
from branchwise.tree.solution import Solution

__all__ = ["PlanLine", "bends", "is_straight", "plan_line"]


@dataclass(frozen=True, slots=True)
class PlanLine:
    """
    A plan, and what it is worth at every value of one number.

    Parameters
    ----------
    at
        The value of the number at which it was found to be optimal.
    reward
        What it is worth there.
    first_action
        What it does first; None where it does nothing.
    tree_nodes
        How large its tree is.
    worth
        Gives what it is worth where the number is another.
    """

    at: Fraction
    reward: float
    first_action: str | None
    tree_nodes: int
    worth: Callable[[Fraction], float]


def is_straight(problem: Problem, parameter: Parameter) -> bool:
    """
    Tell whether plans are worth what a straight line says, between all `bends`.

    They are, unless a path of a plan may meet the same odds twice.
    """
    if parameter.kind != "probability":
        return True
    return problem.action(parameter.action).attempts == 1


def bends(problem: Problem, parameter: Parameter) -> list[Fraction]:
    """Give where any plan may bend: where a reward overtakes another one."""
    if parameter.kind != "reward" or problem.combine != "max":
        return []
    return sorted({reward.value for reward in problem.rewards})


def plan_line(problem: Problem, parameter: Parameter, solution: Solution) -> PlanLine:
    """
    Give the plan of a solution as a line.

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
    """Go on in a straight line: of one plan, the derivative says it all."""
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
    """Let the best reward of every ending count."""
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
    """Work the value of the plan out again, with other odds."""
    curve = curve_of(problem, solution)
    return lambda value: curve.value(parameter.changed(problem, value))
