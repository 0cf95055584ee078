"""Solving: one door to every engine."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.model.problem_space import ProblemSpace
from branchwise.model.state_space import StateSpace
from branchwise.model.validate import checked
from branchwise.reference.objective import Objective
from branchwise.reference.pipeline import solve_by_reference
from branchwise.reference.progress import Progress, silent
from branchwise.rewarding.enumerate import ListedSets, chosen_sets, list_sets
from branchwise.rewarding.sets import RewardingSet, RewardingSets
from branchwise.tree.solution import Solution, Status

__all__ = ["ENGINES", "solve"]

_SECONDS_FOR_A_BOUND: Final = 10.0

ENGINES: Final = ("reference",)
"""The engines there are; the first one is the default."""


def solve(
    problem: Problem | StateSpace[Any],
    *,
    engine: str = ENGINES[0],
    prefer: str | Objective = "fewest-nodes",
    naive: bool = False,
    exact: bool = False,
    rewarding_sets: int | Iterable[RewardingSet] | None = None,
    progress: Progress = silent,
) -> Solution:
    """
    Find the decision tree with the highest expected reward.

    Parameters
    ----------
    problem
        A problem, or any state space of your own.
    engine
        ``reference``: the paper line by line, in plain Python.
    prefer
        Which of several optimal trees to choose: ``fewest-nodes``, ``least-depth``,
        ``least-expected-cost``, ``fewest-expected-actions``, ``order`` (the problem's
        order of actions) or a function of your own.
    naive
        Explore every state, without pruning by rewarding sets.
    exact
        Compute with fractions instead of floats.
    rewarding_sets
        Go only by these rewarding sets, or by this many of the strongest. The plan is
        valid and its expected reward a lower bound; the more sets, the better.
    progress
        Called with the stage and the number of states as they grow.

    Returns
    -------
    Solution
        The tree, its expected reward, and what it took to find.

    Raises
    ------
    ProblemError
        The problem contradicts itself; the error lists every issue.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> toss = Action(
    ...     "toss",
    ...     outcomes={"heads": "1/2", "tails": "1/2"},
    ...     attempts=2,
    ...     precluded_by="toss=heads",
    ... )
    >>> solution = solve(Problem([toss], [Reward(toss["heads"], 10)]), exact=True)
    >>> solution.first_action, solution.expected_reward
    ('toss', Fraction(15, 2))
    """
    if engine not in ENGINES:
        known = ", ".join(ENGINES)
        raise ValueError(f"there is no engine `{engine}`; there are {known}")
    if isinstance(problem, Problem):
        checked(problem)
    if rewarding_sets is None:
        return solve_by_reference(
            problem, prefer=prefer, naive=naive, exact=exact, progress=progress
        )
    if naive or not isinstance(problem, Problem):
        raise ValueError("without pruning there are no rewarding sets to choose from")
    every = RewardingSets(problem)
    if isinstance(rewarding_sets, int):
        rewarding_sets = islice(every, rewarding_sets)
    sets = chosen_sets(problem, rewarding_sets)
    solution = solve_by_reference(
        problem, prefer=prefer, exact=exact, sets=sets, progress=progress
    )
    if _has_all(problem, sets):
        return solution
    return replace(solution, status=Status.LOWER_BOUND, bound=_upper_bound(problem))


def _upper_bound(problem: Problem) -> float:
    """Give what no plan can exceed: with perfect information, or else at all."""
    with suppress(LimitError):
        sets = RewardingSets(problem, time_limit_seconds=_SECONDS_FOR_A_BOUND)
        return sets.perfect_information
    rewards = [float(r.value) for r in problem.rewards if r.value > 0]
    return sum(rewards) if problem.combine == "sum" else max(rewards, default=0.0)


def _has_all(problem: Problem, chosen: ListedSets) -> bool:
    """Tell whether pruning by these sets keeps all that pruning may ever keep."""
    found = list_sets(ProblemSpace(problem))
    return found is not None and set(found.sets) <= set(chosen.sets)
