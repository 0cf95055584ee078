"""Where the follower of a plan stands, and what people refer to there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from branchwise.errors import HistoryError
from branchwise.model.action import Action, Outcome
from branchwise.model.budget import Amounts, Budget
from branchwise.model.checks.issue import listed, ticked
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import Condition, Happened
from branchwise.model.conditions.condition_text import (
    ConditionSyntaxError,
    as_condition,
)
from branchwise.model.execution.history import as_history, name_issue, obstacle
from branchwise.model.execution.remaining import remaining
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import marginals, start_of, stepped, turn_of
from branchwise.model.problem import Problem


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

    @property
    def left(self) -> Budget:
        """What is left of the budget."""
        return self.state.left

    def cost(self, action: str) -> Amounts:
        """Return what an action costs here."""
        return self.terms(action)[0]

    @property
    def facts(self) -> Mapping[str, Mapping[str, Fraction]]:
        """How likely each hidden fact is what it may be, by what is known."""
        return marginals(self.problem, self.state.knowledge)

    @property
    def counters(self) -> Mapping[str, int]:
        """Where each counter stands."""
        return self.state.counters

    def terms(self, action: str) -> tuple[Amounts, tuple[Outcome, ...]]:
        """Return what an action costs here, and its probabilities by what is known."""
        called = action_called(self.problem, action)
        turn = turn_of(self.problem, called, self.state)
        if not self.problem.hidden:
            return called.under(turn.clauses[0])
        chances = turn.chances.items()
        return turn.cost, tuple(Outcome(o, each.probability) for o, each in chances)

    def after(self, event: Happened) -> Position:
        """Return the position after an outcome; refuse one that is impossible."""
        where = f"here {ticked(event)}"
        issue = name_issue(self.problem, event, where)
        if issue:
            raise HistoryError([issue])
        reason = obstacle(self.problem, self.state, event)
        if reason is not None:
            raise HistoryError.of(where, *reason)
        return replace(self, state=stepped(self.problem, self.state, event))

    def forced(self, event: Happened) -> Position:
        """Return the position after an outcome that happened although it could not."""
        # The action must be known; an outcome that it did not have becomes one of it.
        # What it costs is paid as far as there is something left.
        problem = self.problem
        try:
            action = problem.action(event.action)
        except KeyError as error:
            changed = "probabilities, costs, what is left"
            fix = f"correct the name, or enter what it changed: {changed}"
            where = f"here {ticked(event)}"
            raise HistoryError.of(where, error.args[0], fix) from None
        if event.outcome not in action.labels:
            outcomes = (*action.outcomes, Outcome(event.outcome, 0))
            problem = checked(problem.with_action(replace(action, outcomes=outcomes)))
        return Position(problem, stepped(problem, self.state, event))

    def with_action(self, action: Action) -> Position:
        """Return the position in which an action is another; refuse contradictions."""
        return replace(self, problem=checked(self.problem.with_action(action)))

    def with_problem(self, problem: Problem) -> Position:
        """Return the position in another problem; refuse contradictions."""
        return replace(self, problem=checked(problem))

    def with_reward(self, number: int, value: Fraction) -> Position:
        """Return the position in which a reward, the first being 1, has this value."""
        rewards = list(self.problem.rewards)
        number = reward_number(self.problem, number)
        rewards[number - 1] = rewards[number - 1].with_value(value)
        problem = replace(self.problem, rewards=tuple(rewards))
        return replace(self, problem=checked(problem))

    def with_left(self, left: Budget) -> Position:
        """Return the position in which this is left of the budget."""
        checked(replace(self.problem, budget=left))
        return replace(self, state=replace(self.state, left=left))


def action_called(problem: Problem, name: str) -> Action:
    """Find an action by its name."""
    try:
        return problem.action(name)
    except KeyError as error:
        fix = f"write {listed([a.name for a in problem.actions], 'or')}"
        raise HistoryError.of(
            f"action {ticked(name)}", str(error.args[0]), fix
        ) from None


def one_outcome(outcome: str | Happened) -> Happened:
    """Read one outcome, such as ``a1=ok``."""
    events = as_history(outcome)
    if len(events) != 1:
        what = f"{ticked(outcome)} is not one outcome"
        raise HistoryError.of("here", what, "write one, such as `a1=ok`")
    return events[0]


def reward_number(problem: Problem, which: int | str | Condition) -> int:
    """Find a reward by its number, from 1 on, or by its condition."""
    conditions = [reward.when for reward in problem.rewards]
    where = f"reward {ticked(which)}"
    if isinstance(which, int):
        if not 1 <= which <= len(conditions):
            fix = f"there are {len(conditions)}, and the first is 1"
            raise HistoryError.of(where, "there is no such reward", fix)
        return which
    try:
        wanted = as_condition(which)
    except ConditionSyntaxError as error:
        raise HistoryError.of(where, error.what, error.fix) from None
    if wanted not in conditions:
        known = listed(map(str, conditions), "or") if conditions else "another file"
        raise HistoryError.of(where, "there is no such reward", f"write {known}")
    return conditions.index(wanted) + 1
