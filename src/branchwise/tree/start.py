"""Where a plan starts: at the beginning, or after what has happened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from branchwise.model.execution.history import Carried, History, as_history, carried_out
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.tree.describing import LaterStates
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from branchwise.model.conditions.condition import Happened
    from branchwise.space.own_space import OwnSpace


@dataclass(frozen=True, slots=True)
class Start:
    """Where a plan starts."""

    problem: Problem | OwnSpace
    # The whole problem, where something has happened before.
    whole: Problem | None = None
    carried: Carried | None = None  # What had been carried out by then
    # The same in a state space of one's own, which starts where that leads.
    steps: tuple[Happened, ...] = ()

    @classmethod
    def after(cls, problem: Problem | OwnSpace, history: History) -> Start:
        """Return the start that a history leads to."""
        if not isinstance(problem, Problem):
            return cls._in_own_space(problem, history)
        events = as_history(history)
        if not events:
            return cls(problem)
        # Start-up is felt, and most plans start at the beginning.
        from branchwise.model.execution.remaining import remaining  # noqa: PLC0415

        carried = carried_out(problem, events)
        return cls(remaining(problem, carried.state), problem, carried)

    @classmethod
    def _in_own_space(cls, space: OwnSpace, history: History) -> Start:
        from branchwise.space import own_space as own  # noqa: PLC0415

        steps = own.as_steps(history)
        if not steps:
            return cls(space)
        state = own.state_after(own.own_space(space, naive=True), steps)
        return cls(own.starting_at(space, state), steps=steps)

    def apply(self, solution: Solution) -> Solution:
        """Return a solution that knows where it starts, and what happened before."""
        if self.whole is None or self.carried is None:
            return replace(solution, history=self.steps) if self.steps else solution
        tree, aim = solution.tree, solution.aim
        assert isinstance(self.problem, Problem)
        earlier = self.carried.state
        later = LaterStates(tree.describe, earlier, self.whole, self.problem)
        if aim is not None and aim.neutral is not None:
            beside = self.apply(aim.neutral.solution)
            aim = aim._replace(neutral=replace(aim.neutral, solution=beside))
        tree = tree.described_by(later, self.whole)
        return replace(solution, tree=tree, history=self.carried.history, aim=aim)
