"""Robust plans beside nominal ones: the price of robustness, and what hurts most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.limits import Limits
from branchwise.engines import Task
from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.adversary import Adversary
from branchwise.model.checks.validate import checked
from branchwise.model.numbers.number import TIE
from branchwise.model.problem import Problem
from branchwise.model.spread import spread_of
from branchwise.space.state_space import Real
from branchwise.tree.deadline import Deadline, deadline
from branchwise.tree.robustness import (
    Perturbation,
    Robustness,
    deviations_by_action,
    worst_value,
)
from branchwise.tree.solution import Solution, Status

_MOST_DEVIATIONS: Final = 6  # As far as the worst case is known one by one.

_Resolve = Callable[[Problem, Adversary], Solution]


def with_robustness(solution: Solution, task: Task, end: Deadline) -> Solution:
    """Return a solution with its robustness, if there is time for that."""
    # The problem is solved again: without adversary, against other numbers of
    # deviations, and with the probabilities of one action after the other exact. What
    # was explored is explored only once.
    problem = task.problem
    assert isinstance(problem, Problem)
    if solution.status is not Status.OPTIMAL or task.limits.is_cancelled:
        return solution
    try:
        resolve = _resolving(solution, problem, task, end)
        # Solving again keeps to its limit; walks over a long plan know this one only.
        with deadline(end.time_limit_seconds()):
            known = _robustness(solution, problem, resolve)
        return replace(solution, robustness=known)
    except LimitError:
        return solution
    except KeyboardInterrupt:
        cancel = task.limits.cancel
        if cancel is None or not cancel.is_set():
            raise
        return solution


def _robustness(solution: Solution, problem: Problem, resolve: _Resolve) -> Robustness:
    assert solution.adversary is not None
    gamma = solution.adversary.gamma
    nominal = resolve(problem, Adversary(gamma=0))
    return Robustness(
        worst_case=solution.expected_reward,
        unseen=worst_value(solution.tree, gamma, problem),
        nominal=worst_value(solution.tree, 0, problem),
        nominal_optimum=nominal.expected_reward,
        nominal_worst_case=worst_value(nominal.tree, gamma, problem),
        by_gamma=tuple(_by_gamma(solution, problem, resolve)),
        perturbations=tuple(_perturbations(solution, problem, resolve)),
    )


def _resolving(
    solution: Solution, problem: Problem, task: Task, end: Deadline
) -> _Resolve:
    """Return what solves relatives of the problem in the same way, in time."""

    def limits() -> Limits:
        return Limits(
            time_limit_seconds=end.time_limit_seconds(), cancel=task.limits.cancel
        )

    if solution.engine != "canonical":
        again = Task(
            problem, exact=task.exact, engine="reference", progress=task.progress
        )
        return lambda other, adversary: replace(
            again, problem=checked(other), adversary=adversary, limits=limits()
        ).solve()
    solver = CanonicalSolver(problem)

    def resolve(other: Problem, adversary: Adversary) -> Solution:
        found = solver.solve(
            checked(other),
            adversary=adversary,
            prefer=solution.prefer,
            limits=limits(),
            progress=task.progress,
        )
        if found.status is Status.OPTIMAL:
            return found
        if found.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        raise LimitError(f"the {found.status} was met before robustness was known")

    return resolve


def _by_gamma(
    solution: Solution, problem: Problem, resolve: _Resolve
) -> Iterator[tuple[int | None, Real]]:
    """Return the worst case against more deviations, until more change nothing."""
    unlimited = resolve(problem, Adversary()).expected_reward
    wanted = solution.adversary.gamma if solution.adversary else None
    for gamma in sorted({*range(_MOST_DEVIATIONS + 1), wanted or 0}):
        value = resolve(problem, Adversary(gamma)).expected_reward
        yield gamma, value
        if value - unlimited <= TIE * abs(float(value)):
            if wanted is not None and wanted > gamma:
                yield wanted, value  # More change nothing.
            break
    yield None, unlimited


def _perturbations(
    solution: Solution, problem: Problem, resolve: _Resolve
) -> Iterator[Perturbation]:
    adversary = Adversary(solution.adversary.gamma if solution.adversary else None)
    deviations = deviations_by_action(solution.tree)
    found = []
    for action in problem.actions:
        clauses = (None, *action.given)
        if all(spread_of(action, clause).is_exact for clause in clauses):
            continue
        others = tuple(_exact(a) if a is action else a for a in problem.actions)
        known = resolve(replace(problem, actions=others), adversary).expected_reward
        gain = max(known - solution.expected_reward, 0)
        found.append(Perturbation(action.name, gain, deviations.get(action.name, 0)))
    yield from sorted(found, key=lambda each: (-each.gain, -each.deviations))


def _exact(action: Action) -> Action:
    """Take the spread off an action: its probabilities are the nominal ones."""
    given = tuple(replace(clause, distance=Fraction(0)) for clause in action.given)
    return replace(action, given=given, distance=Fraction(0))
