"""Solving afresh: variations of problems that the default engine cannot deal with."""

from __future__ import annotations

from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.canonical_run import Bounds, PlanStart
from branchwise.engine.limits import Limits
from branchwise.engines import TABLE, Task
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution


class AfreshSolver:
    """Solves one problem after another, each afresh, by the engine that suits it."""

    # It is asked like a `CanonicalSolver`, but no two problems share states.

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.num_states = 0

    def solve(
        self,
        problem: Problem | None = None,
        *,
        limits: Limits | None = None,
        progress: Listener = silent,
    ) -> Solution:
        """Find the optimal tree of the problem, or of another one."""
        asked = self._problem if problem is None else problem
        task = Task(asked, limits=limits or Limits(), progress=progress)
        found = task.solve()
        self.num_states = found.statistics.full_graph_states
        return found

    def start_of(self, problem: Problem, *, limits: Limits) -> PlanStart | None:
        """Return None: nothing is known before it is solved."""
        del problem, limits
        return None

    def bounds(self, most_states: int | None, *, limits: Limits) -> Bounds:
        """Return what the problem is worth, however many states that takes."""
        del most_states
        value = float(self.solve(limits=limits).expected_reward)
        return Bounds(value, value)

    def fits(self, problem: Problem) -> bool:
        """Whether another problem has the same states: that is not looked into."""
        del problem
        return False


VariationSolver = CanonicalSolver | AfreshSolver


def solver_for(problem: Problem, num_threads: int) -> VariationSolver:
    """Return what solves a problem and its variations."""
    if TABLE["canonical"].states.issuperset(features_of(problem)):
        return CanonicalSolver(problem, num_threads=num_threads)
    return AfreshSolver(problem)
