"""Where the follower of a plan stands: the problem as known, and the state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from branchwise.errors import HistoryError, Issue
from branchwise.follow.references import action_called, reward_number
from branchwise.model.action import Action, Outcome
from branchwise.model.budget import Amounts, Budget
from branchwise.model.checks.issue import ticked
from branchwise.model.checks.validate import checked
from branchwise.model.condition import Happened
from branchwise.model.history import name_issue, obstacle, start_of, stepped
from branchwise.model.problem import Problem
from branchwise.model.remaining import remaining
from branchwise.model.state import State


@dataclass(frozen=True, slots=True)
class Position:
    """What is known, and where we stand."""

    problem: Problem  # The whole problem, with every surprise so far
    state: State  # What has happened, and what is left

    @classmethod
    def start(cls, problem: Problem) -> Position:
        """Return the position in which nothing has happened."""
        return cls(checked(problem), start_of(problem))

    @property
    def remaining(self) -> Problem:
        """What is left of the problem."""
        return remaining(self.problem, self.state)

    def terms(self, action: str) -> tuple[Amounts, tuple[Outcome, ...]]:
        """Return what an action costs here, and its probabilities."""
        return action_called(self.problem, action).as_of(self.state.outcomes)

    def after(self, event: Happened) -> Position:
        """Return the position after an outcome; refuse one that is impossible."""
        where = f"here {ticked(event)}"
        issue = name_issue(self.problem, event, where)
        reason = issue or obstacle(self.problem, self.state, event)
        if isinstance(reason, Issue):
            raise HistoryError([reason])
        if reason is not None:
            raise HistoryError([Issue(where, *reason)])
        return replace(self, state=stepped(self.problem, self.state, event))

    def forced(self, event: Happened) -> Position:
        """
        Return the position after an outcome that happened although it could not.

        The action must be known; an outcome that it did not have becomes one of it.
        What it costs is paid as far as there is something left.
        """
        problem = self.problem
        try:
            action = problem.action(event.action)
        except KeyError as error:
            fix = (
                "correct the name, or enter what it changed: probabilities, costs, "
                "what is left"
            )
            raise HistoryError(
                [Issue(f"here {ticked(event)}", error.args[0], fix)]
            ) from None
        if event.outcome not in action.labels:
            outcomes = (*action.outcomes, Outcome(event.outcome, 0))
            problem = checked(problem.with_action(replace(action, outcomes=outcomes)))
        return Position(problem, stepped(problem, self.state, event))

    def with_action(self, action: Action) -> Position:
        """Return the position in which an action is another; refuse contradictions."""
        return replace(self, problem=checked(self.problem.with_action(action)))

    def with_reward(self, number: int, value: Fraction) -> Position:
        """Return the position in which a reward, the first being 1, has this value."""
        rewards = list(self.problem.rewards)
        number = reward_number(self.problem, number)
        rewards[number - 1] = rewards[number - 1].with_value(value)
        return replace(
            self, problem=checked(replace(self.problem, rewards=tuple(rewards)))
        )

    def with_left(self, left: Budget) -> Position:
        """Return the position in which this is left of the budget."""
        checked(replace(self.problem, budget=left))
        return replace(self, state=replace(self.state, left=left))
