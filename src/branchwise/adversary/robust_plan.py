"""Robust plans beside nominal ones: the price of robustness, and what hurts most."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.adversary import Adversary
from branchwise.model.problem import Problem
from branchwise.model.spread import spread_of
from branchwise.solver import Solver, solve
from branchwise.space.state_space import Real
from branchwise.tree.deadline import deadline, seconds_left
from branchwise.tree.progress import Listener, silent
from branchwise.tree.robustness import Perturbation, Robustness
from branchwise.tree.solution import Solution, Status
from branchwise.tree.worst_case import strikes_by_action, worst_value

__all__ = ["with_robustness"]

_MOST_STRIKES: Final = 6  # As far as the worst case is told strike by strike.

_SAME: Final = 1e-12  # Rounding alone makes such a difference.

_LEAST_SECONDS: Final = 0.001

_Resolve = Callable[[Problem, Adversary], Solution]


def with_robustness(
    solution: Solution,
    *,
    time_limit_seconds: float | None = None,
    progress: Listener = silent,
) -> Solution:
    """
    Say how robust a solution is, and what that costs.

    The problem is solved again: without adversary, against other numbers of strikes,
    and with the odds of one action after the other exact. What was explored is
    explored only once.

    Parameters
    ----------
    solution
        What `solve` found against an adversary, proven optimal.
    time_limit_seconds
        Give up after this time.
    progress
        Told how far it has come.

    Returns
    -------
    Solution
        The same with its `robustness`.

    Raises
    ------
    LimitError
        The time limit was met.

    Examples
    --------
    >>> from branchwise.model.problem import Reward
    >>> drill = Action("drill", outcomes={"oil": "0.5 [0.4, 0.6]", "dry": "rest"})
    >>> problem = Problem([drill], [Reward(drill["oil"], 10)])
    >>> solution = with_robustness(solve(problem, adversary=Adversary()))
    >>> solution.robustness.nominal, solution.robustness.worst_case
    (5.0, 4.0)
    """
    adversary, problem = solution.adversary, solution.problem
    if adversary is None or problem is None:
        raise ValueError("only a problem solved against an adversary is robust")
    if solution.status is not Status.OPTIMAL:
        raise ValueError("only of an optimal plan can be said what robustness costs")
    with deadline(time_limit_seconds):
        resolve = _resolving(solution, problem, progress)
        return replace(solution, robustness=_robustness(solution, problem, resolve))


def _robustness(solution: Solution, problem: Problem, resolve: _Resolve) -> Robustness:
    assert solution.adversary is not None
    gamma = solution.adversary.gamma
    nominal = resolve(problem, Adversary(gamma=0))
    return Robustness(
        worst_case=solution.expected_reward,
        unseen=worst_value(solution.tree, gamma),
        nominal=worst_value(solution.tree, 0),
        nominal_optimum=nominal.expected_reward,
        nominal_worst_case=worst_value(nominal.tree, gamma),
        by_gamma=tuple(_by_gamma(solution, problem, resolve)),
        perturbations=tuple(_perturbations(solution, problem, resolve)),
    )


def _resolving(solution: Solution, problem: Problem, progress: Listener) -> _Resolve:
    """Return what solves relatives of the problem in the same way, in time."""
    how: dict[str, Any] = {"progress": progress}
    if solution.engine != "canonical":
        how |= {"engine": "reference", "exact": solution.is_exact, "verify": False}
        return lambda other, adversary: solve(
            other, adversary=adversary, time_limit_seconds=_seconds_left(), **how
        )
    solver = Solver(problem)

    def resolve(other: Problem, adversary: Adversary) -> Solution:
        found = solver.solve(
            other,
            adversary=adversary,
            prefer=solution.prefer,
            time_limit_seconds=_seconds_left(),
            **how,
        )
        if found.status is Status.OPTIMAL:
            return found
        if found.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        raise LimitError(f"the {found.status} was met before robustness was known")

    return resolve


def _seconds_left() -> float | None:
    left = seconds_left()
    return None if left == math.inf else max(left, _LEAST_SECONDS)


def _by_gamma(
    solution: Solution, problem: Problem, resolve: _Resolve
) -> Iterator[tuple[int | None, Real]]:
    """Return the worst case against more strikes, until more change nothing."""
    unlimited = resolve(problem, Adversary()).expected_reward
    wanted = solution.adversary.gamma if solution.adversary else None
    for gamma in sorted({*range(_MOST_STRIKES + 1), wanted or 0}):
        value = resolve(problem, Adversary(gamma)).expected_reward
        yield gamma, value
        if value - unlimited <= _SAME * abs(float(value)):
            if wanted is not None and wanted > gamma:
                yield wanted, value  # More change nothing.
            break
    yield None, unlimited


def _perturbations(
    solution: Solution, problem: Problem, resolve: _Resolve
) -> Iterator[Perturbation]:
    adversary = Adversary(solution.adversary.gamma if solution.adversary else None)
    strikes = strikes_by_action(solution.tree)
    found = []
    for action in problem.actions:
        clauses = (None, *action.given)
        if all(spread_of(action, clause).is_exact for clause in clauses):
            continue
        others = tuple(_exact(a) if a is action else a for a in problem.actions)
        known = resolve(replace(problem, actions=others), adversary).expected_reward
        gain = max(known - solution.expected_reward, 0)
        found.append(Perturbation(action.name, gain, strikes.get(action.name, 0)))
    yield from sorted(found, key=lambda each: (-each.gain, -each.strikes))


def _exact(action: Action) -> Action:
    """Take the spread off an action: its odds are the nominal ones."""
    given = tuple(replace(clause, distance=Fraction(0)) for clause in action.given)
    return replace(action, given=given, distance=Fraction(0))
