"""Solving: one door to every engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from branchwise.model.problem import Problem
from branchwise.model.state_space import StateSpace
from branchwise.model.validate import checked
from branchwise.reference.objective import Objective
from branchwise.reference.pipeline import solve_by_reference
from branchwise.reference.progress import Progress, silent
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from branchwise.rewarding.sets import RewardingSet

__all__ = ["ENGINES", "solve"]

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
    # Few ask for this, and start-up is felt, so it is loaded only here.
    from branchwise.reference.some_sets import solve_with_some_sets  # noqa: PLC0415

    return solve_with_some_sets(
        problem, rewarding_sets, prefer=prefer, exact=exact, progress=progress
    )
