"""Where a plan begins: at the start, or after what has happened."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from branchwise.model.condition import Happened
from branchwise.model.history import Carried, History, carried_out
from branchwise.model.problem import Problem
from branchwise.model.remaining import remaining
from branchwise.model.state import State
from branchwise.tree.decision_tree import Path
from branchwise.tree.solution import Solution

__all__ = ["Beginning", "beginning"]

Space = TypeVar("Space")


@dataclass(frozen=True, slots=True)
class Beginning(Generic[Space]):
    """
    What is to be solved, and what has happened before.

    Parameters
    ----------
    problem
        What is left of the problem there, or a state space.
    order
        Every outcome of the whole problem, in order.
    carried
        What has been carried out before; None at the start.
    """

    problem: Space | Problem
    order: tuple[Happened, ...] = ()
    carried: Carried | None = None

    def told(self, solution: Solution) -> Solution:
        """Let a solution say where it begins, and its states what they know of it."""
        carried = self.carried
        if carried is None:
            return solution
        describe = solution.tree.describe

        def described(key: Any, path: Path) -> object:
            state = describe(key, path)
            if not isinstance(state, State):
                return state
            return state.since(carried.state, self.order)

        tree = solution.tree.described_by(described)
        return replace(solution, tree=tree, history=carried.history)


def beginning(problem: Space | Problem, after: History) -> Beginning[Space]:
    """Find where a plan is to begin; a state space of your own has no histories."""
    if not isinstance(after, str | Happened):
        after = tuple(after)
    if not after:
        return Beginning(problem)
    if not isinstance(problem, Problem):
        raise ValueError("`after` takes a problem, not a state space of your own")
    carried = carried_out(problem, after)
    order = tuple(problem.events())
    return Beginning(remaining(problem, carried.state), order, carried)
