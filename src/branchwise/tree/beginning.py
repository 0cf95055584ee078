"""Where a plan begins: at the start, or after what has happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from branchwise.model.history import Carried, History, as_history, carried_out
from branchwise.model.problem import Problem
from branchwise.model.remaining import remaining
from branchwise.space.state_space import StateSpace
from branchwise.tree.describing import LaterStates
from branchwise.tree.solution import Solution

__all__ = ["beginning", "begun"]


def beginning(
    problem: Problem | StateSpace[Any], after: History
) -> tuple[Problem | StateSpace[Any], Callable[[Solution], Solution]]:
    """Give what is left to solve after a history, and what tells its solution so."""
    events = as_history(after)
    if not events:
        return problem, lambda solution: solution
    if not isinstance(problem, Problem):
        raise ValueError("`after` takes a problem, not a state space of your own")
    carried = carried_out(problem, events)
    left = remaining(problem, carried.state)
    return left, lambda solution: begun(solution, problem, carried)


def begun(solution: Solution, whole: Problem, carried: Carried) -> Solution:
    """
    Let a solution say where it begins, and its states what they know from before.

    Parameters
    ----------
    solution
        The answer to what was left of a problem.
    whole
        The whole problem.
    carried
        What had been carried out by then.
    """
    tree = solution.tree
    later = LaterStates(tree.describe, carried.state, tuple(whole.events()))
    tree = tree.described_by(later, whole)
    return replace(solution, tree=tree, history=carried.history)
