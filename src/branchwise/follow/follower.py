"""Following a plan: what to do now, and what changes with what is reported."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, Unpack

from branchwise.errors import BranchwiseError, HistoryError, JournalError
from branchwise.follow import entries
from branchwise.follow.advice import Advice, Change
from branchwise.follow.entries import Entry, JournalEntry, Outcame, Undone
from branchwise.follow.journal import Journal, holds_something
from branchwise.follow.own_position import OwnPosition, only_outcomes
from branchwise.follow.position import Position, one_outcome, reward_number
from branchwise.follow.route import How, Route
from branchwise.model.action import Action
from branchwise.model.budget import Amounts, Budget
from branchwise.model.conditions.condition import Condition, Happened
from branchwise.model.numbers.number import Number, exact
from branchwise.model.problem import Problem
from branchwise.space.own_space import OwnSpace
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution, Status

_NO_JOURNAL: Final = (
    "a journal holds the problem, and no file could hold a state space of your own\n"
    "    fix: leave `journal` out, and keep `follower.reported`"
)


class Follower:
    """
    Follows a plan: takes what happens, and says what to do next.

    What is reported is either an outcome, `happened`, or a surprise, after which there
    is a new plan from here. Everything reported can be undone.

    Parameters
    ----------
    problem
        What to plan for. In a state space of your own only outcomes can be reported,
        and there is no journal, as no file could hold the space.
    journal
        A new file to keep what is reported in; None keeps nothing.
    progress
        Called with how far solving has come.
    how
        How to plan: ``engine``, ``prefer``, ``gap``, ``time_limit_seconds`` and
        ``exact``, as for `solve`.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> test = Action("test", outcomes={"good": 0.4, "bad": 0.6})
    >>> drill = Action("drill", outcomes={"oil": 0.5, "dry": 0.5})
    >>> follower = Follower(Problem([test, drill], [Reward(drill["oil"], 200)]))
    >>> follower.advice.action, follower.advice.value
    ('drill', 100.0)
    >>> follower.change_probability("drill=oil", 0.2).after.value
    40.0
    >>> follower.happened("drill=dry").after.action is None
    True
    """

    def __init__(
        self,
        problem: Problem | OwnSpace,
        *,
        journal: str | os.PathLike[str] | None = None,
        progress: Listener = silent,
        **how: Unpack[How],
    ) -> None:
        self.journal: Journal | None = None
        if not isinstance(problem, Problem):
            self._route = Route(OwnPosition.start(problem), how, progress)
            if journal is not None:
                raise ValueError(_NO_JOURNAL)
            return
        self._route = Route(Position.start(problem), how, progress)
        if journal is not None:
            self.journal = Journal.begin(Path(journal), problem, how)

    @classmethod
    def resume(
        cls,
        journal: str | os.PathLike[str],
        *,
        progress: Listener = silent,
        **how: Unpack[How],
    ) -> Follower:
        """
        Go on where a journal ends.

        Parameters
        ----------
        journal
            The file, which holds the problem as well.
        progress
            Called with how far solving has come.
        how
            How to plan from now on, where that is to be another way than before.

        Raises
        ------
        JournalError
            It cannot be read, or another process is at it; which line, and why.
        """
        opened, contents = Journal.resume(Path(journal))
        try:
            merged: Any = {**contents.how, **how}
            follower = cls(contents.problem, progress=progress, **merged)
            for line, entry in enumerate(contents.entries, 2):
                follower._replay(entry, f"{opened.path}:{line}")
        except BaseException:
            opened.close()
            raise
        follower.journal = opened
        return follower

    @staticmethod
    def is_begun(journal: str | os.PathLike[str]) -> bool:
        """Whether there is a journal to resume."""
        return holds_something(Path(journal))

    @staticmethod
    def archive(journal: str | os.PathLike[str]) -> Path:
        """Return a journal another name, so that a new one can begin; say which."""
        return Journal.archive(Path(journal))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the journal, so that another process can go on with it."""
        if self.journal is not None:
            self.journal.close()

    @property
    def beginning(self) -> Any:
        """The problem as it was when this began."""
        return self._route.start.problem

    @property
    def problem(self) -> Any:
        """The whole problem, with every surprise so far."""
        return self._route.position.problem

    @property
    def state(self) -> Any:
        """What has happened, how often, and what is left; or your own space's state."""
        return self._route.position.state

    @property
    def reported(self) -> tuple[Entry, ...]:
        """Everything reported so far, in order, but for what was undone."""
        return self._route.entries

    @property
    def solution(self) -> Solution:
        """The plan that counts now; it may have begun some outcomes ago."""
        return self._route.plan()[0]

    @property
    def advice(self) -> Advice:
        """What to do now, and what that is worth."""
        solution, node = self._route.plan()
        position = self._route.position
        action = node.action
        branches = node.tree.policy[node.key].branches
        problem = solution.problem
        return Advice(
            action=action,
            probabilities=tuple((b.outcome, b.probability) for b in branches),
            cost=Amounts({}) if action is None else position.cost(action),
            value=node.value,
            reward=node.reward,
            left=position.left,
            is_proven=solution.status is Status.OPTIMAL,
            facts=position.facts,
            counters=position.counters,
            is_net=problem is not None and any(problem.cost_weight.values()),
            is_least_cost=problem is not None and problem.is_least_cost,
        )

    def happened(self, outcome: str | Happened, *, force: bool = False) -> Change:
        """
        Return how an action came out, whether it was advised or not.

        Parameters
        ----------
        outcome
            What happened: ``"a1=ok"``.
        force
            Accept it even if the problem says that it cannot happen here, or does not
            know that outcome of the action; else that is a `HistoryError`.
        """
        event = one_outcome(outcome)
        advised = self.advice.action
        entry = Outcame(event.action, event.outcome, advised)
        if force:
            try:
                self._route.beyond(entry)
            except HistoryError:
                entry = replace(entry, is_forced=True)
        return self._tell(entry)

    def rule_out(self, action: str) -> Change:
        """Return that an action is no longer possible."""
        return self._tell(entries.RuledOut(action))

    def change_probability(
        self, outcome: str | Happened, probability: Number
    ) -> Change:
        """
        Return how likely an outcome is now; the others keep their proportion.

        The probabilities that count here change. A clause of `given` that does not hold
        here keeps its own.
        """
        event = one_outcome(outcome)
        number = exact(probability)
        return self._tell(entries.NewProbability(event.action, event.outcome, number))

    def change_cost(self, action: str, cost: Number | Mapping[str, Number]) -> Change:
        """
        Return what an action costs now; resources not named keep their amount.

        The cost that counts here changes. A clause of `given` that does not hold here
        keeps its own.
        """
        here = self._in_problem("change_cost")
        if isinstance(cost, Mapping):
            cost = {**here.cost(action), **cost}
        elif len(here.left) == 1:
            cost = dict.fromkeys(here.left, cost)
        return self._tell(entries.NewCost(action, Amounts(cost)))

    def change_budget(self, left: Budget | Number | Mapping[str, Number]) -> Change:
        """Return how much is left now; resources not named keep theirs."""
        position = self._in_problem("change_budget")
        here = replace(position.problem, budget=position.left)
        return self._tell(entries.NewBudget(here.with_budget(left).budget))

    def change_reward(self, which: int | str | Condition, value: Number) -> Change:
        """
        Return what a reward is worth now.

        Parameters
        ----------
        which
            The number of the reward in the problem, from 1 on, or its condition.
        value
            What it is worth.
        """
        number = reward_number(self._in_problem("change_reward").problem, which)
        return self._tell(entries.NewReward(number, exact(value)))

    def change_requirement(self, action: str, requires: Condition | str) -> Change:
        """Return what an action requires now, instead of what was thought."""
        return self._tell(entries.NewRequirement(action, str(requires)))

    def change_preclusion(self, action: str, precluded_by: Condition | str) -> Change:
        """Return what rules an action out now, instead of what was thought."""
        return self._tell(entries.NewPreclusion(action, str(precluded_by)))

    def add_action(self, action: Action | str, body: str | None = None) -> Change:
        """
        Return an action that was not thought of before.

        Parameters
        ----------
        action
            The action; or its name, if what a problem file says of it is given, too.
        body
            What a problem file says of it: ``"{cost: 2, outcomes: {ok: 1}}"``.
        """
        position = self._in_problem("add_action")
        if isinstance(action, Action):
            body = entries.body_of(position.problem, action)
            action = action.name
        elif body is None:
            fix = "pass an `Action`, or what a problem file says of it"
            raise HistoryError.of("new action", "only a name is given", fix)
        return self._tell(entries.NewAction(action, body))

    def undo(self) -> Change:
        """Take back what was reported last, as if it had never been."""
        if not self.reported:
            fix = "tell what happened first"
            raise HistoryError.of("undo", "there is nothing to undo", fix)
        before = self.advice
        self._write(Undone())
        self._route.back()
        return Change(before, self.advice, is_surprise=False)

    def _in_problem(self, asked: str) -> Position:
        """Return where we stand in a problem; a state space has no such numbers."""
        position = self._route.position
        if isinstance(position, OwnPosition):
            raise only_outcomes(asked)
        return position

    def _tell(self, entry: Entry) -> Change:
        before = self.advice
        position = self._route.beyond(entry)
        self._write(entry)
        self._route.go(entry, position)
        return Change(before, self.advice, is_surprise=entry.is_surprise)

    def _write(self, entry: JournalEntry) -> None:
        if self.journal is not None:
            self.journal.append(entry)

    def _replay(self, entry: JournalEntry, where: str) -> None:
        if isinstance(entry, Undone):
            if not self.reported:
                fix = "delete this line, and renumber those below"
                raise JournalError.of(where, "there is nothing to undo", fix)
            self._route.back()
            return
        try:
            self._route.go(entry, self._route.beyond(entry))
        except BranchwiseError as error:
            fix = "delete this line and all below it to go on from before"
            what = f"this does not fit what came before: {error}"
            raise JournalError.of(where, what, fix) from None
