"""What a plan of one's own is worth, what it loses, and where it loses it first."""

from __future__ import annotations

import os
from collections.abc import Hashable
from dataclasses import dataclass
from heapq import heappop, heappush
from threading import Event
from typing import Final

from branchwise.analysis.table import Table, Tabular, own_columns
from branchwise.errors import LimitError, PlanError
from branchwise.formats.plan_file import SavedPlan, read_plan
from branchwise.model.arguments import a_function
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.history import History, as_history, carried_out
from branchwise.model.numbers.number import TIE
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import Real
from branchwise.tree.choices.choosers import (
    Chooser,
    PlanChooser,
    Rule,
    RuleChooser,
    policy_tree,
)
from branchwise.tree.choices.decision_rules import DecisionRules, RulesChooser
from branchwise.tree.choices.policy import Decision, children_first
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.progress import Listener, silent
from branchwise.tree.prospects.outlook import Outlook, outlook
from branchwise.tree.solution import Solution, Status

MOST_STATES: Final = 100_000
"""A plan is worked out state by state, as long as it comes to no more than these."""

_MOST_SOLVED: Final = 500  # Places that are solved to see what is lost there.

Plan = DecisionTree | Solution | DecisionRules | Rule | str | os.PathLike[str]
"""
What can be evaluated: a tree, a solution, decision rules, a function that names the
action to take at a state, or the path of a file with a plan.
"""


@dataclass(frozen=True, slots=True)
class Loss:
    """
    A place where a plan loses something: it does not do what would be best there.

    Parameters
    ----------
    history
        What has happened by then, one way to come there.
    probability
        How likely the plan comes there.
    action
        What it does there; None to stop.
    best_action
        What would be best; None to stop.
    loss
        What that loses, once there.
    """

    history: Path
    probability: Real
    action: str | None
    best_action: str | None
    loss: Real

    @property
    def share(self) -> Real:
        """What is lost there on average: the loss times its probability."""
        return self.probability * self.loss


@dataclass(frozen=True, slots=True)
class Evaluation(Tabular):
    """
    What a plan is worth in a problem, beside the best plan.

    Parameters
    ----------
    problem
        The problem.
    plan
        What the plan is called: the name of its file, say.
    tree
        The plan as a tree, with exact values.
    best
        The best plan; where a limit was met, the best one found by then.
    losses
        Where the plan loses something, the first places first.
    are_losses_complete
        Whether these account for all of the loss.
    history
        What has happened where the plan begins.
    outlook
        What may come of the plan; None where it begins later.
    """

    problem: Problem
    plan: str
    tree: DecisionTree
    best: Solution
    losses: tuple[Loss, ...] = ()
    are_losses_complete: bool = True
    history: Path = ()
    outlook: Outlook | None = None

    @property
    def value(self) -> Real:
        """What the plan is worth, exactly."""
        return self.tree.root.value

    @property
    def first_action(self) -> str | None:
        """What it does first; None where it does nothing."""
        return self.tree.root.action

    @property
    def loss(self) -> Real:
        """How much less the plan is worth than the best one that was found."""
        return _lost(self.best.expected_reward, self.value)

    @property
    def most_lost(self) -> Real:
        """How much less it is worth than any plan can be; the loss, once proven."""
        return max(_lost(self.best.upper_bound, self.value), 0)

    @property
    def status(self) -> Status:
        """Whether the best plan is proven to be that."""
        return self.best.status

    def tables(self) -> tuple[Table, ...]:
        """Return where something is lost."""
        columns = {
            "after": lambda lost: ", ".join(map(str, lost.history)),
            **own_columns("probability", "action", "best_action", "loss", "share"),
        }
        return (Table.of_columns("losses", columns, self.losses),)


# Every argument past the second has a name and a default, so many do no harm.
def evaluation(  # noqa: PLR0913
    plan: Plan,
    problem: Problem,
    *,
    after: History = (),
    exact: bool = False,
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> Evaluation:
    """
    Work out what a plan is worth, what it loses, and where it loses it first.

    Parameters
    ----------
    plan
        A tree or a solution, of this problem or another one; `DecisionRules`; a
        function that names the action to take at a `State`, or None to stop; or a path:
        of a solution saved as JSON, or of decision rules in YAML or JSON.
    problem
        What the plan is to be carried out in.
    after
        What has happened where it begins; for a saved solution, what it says itself.
    exact
        Find the best plan with fractions; what the plan is worth is always exact.
    gap, time_limit_seconds, memory_limit_bytes, progress, cancel
        As for `solve`, of the best plan.

    Raises
    ------
    PlanError
        The plan does what the problem does not allow: where, and why not.
    FormatError
        The file with the plan cannot be read.
    LimitError
        The plan comes to more than 100,000 states.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    >>> bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    >>> rewards = [Reward(safe["ok"], 40), Reward(bold["ok"], 100)]
    >>> problem = Problem([safe, bold], rewards, budget=1)
    >>> mine = evaluation(DecisionRules.of([("not safe", "safe")]), problem)
    >>> mine.value, mine.loss, mine.losses[0].best_action
    (Fraction(36, 1), 14.0, 'bold')
    """
    deadline = Deadline.after(time_limit_seconds)
    evaluated = _as_plan(plan, checked(problem), after)
    tree = evaluated.tree(problem, progress)
    history = evaluated.history
    best = solve(
        problem,
        after=history,
        exact=exact,
        gap=gap,
        time_limit_seconds=deadline.time_limit_seconds(),
        memory_limit_bytes=memory_limit_bytes,
        progress=progress,
        cancel=cancel,
    )
    losses: tuple[Loss, ...] = ()
    is_complete = best.status is Status.OPTIMAL
    if is_complete:
        places = _Places(problem, tree, best, deadline, exact=exact)
        losses, is_complete = places.losses()
    foreseen = None if history else outlook(tree, problem)
    return Evaluation(
        problem, evaluated.name, tree, best, losses, is_complete, history, foreseen
    )


@dataclass(frozen=True, slots=True)
class _Planned:
    """A plan before it is worked out: its name, where it begins, and what decides."""

    name: str
    history: Path
    plan: DecisionTree | DecisionRules | Rule

    def tree(
        self, problem: Problem, progress: Listener, *, exact: bool = True
    ) -> DecisionTree:
        """Work the plan out in a problem."""
        space = ProblemSpace(problem, exact=exact)
        chooser: Chooser
        if isinstance(self.plan, DecisionTree):
            chooser = PlanChooser(self.plan)
        elif isinstance(self.plan, DecisionRules):
            chooser = RulesChooser(space, self.plan)
        else:
            chooser = RuleChooser(space, self.plan)
        start = _start(space, self.history)
        try:
            tree = policy_tree(space, chooser, MOST_STATES, progress, start)
        except PlanError as error:
            known = isinstance(self.plan, DecisionRules)
            place = "" if known or self.name in {"plan", "rule"} else f"{self.name}: "
            raise PlanError(f"{place}{error}") from None
        if tree is None:
            what = f"the plan comes to more than {MOST_STATES:,} states"
            raise LimitError(f"{what}; simulate it instead: `branchwise.simulate`")
        return tree


def plan_tree(plan: Plan, problem: Problem, *, exact: bool = True) -> DecisionTree:
    """Return a plan as it would be carried out in a problem; exactly, unless not."""
    return _as_plan(plan, problem, ()).tree(problem, silent, exact=exact)


def _as_plan(plan: Plan, problem: Problem, after: History) -> _Planned:
    history = as_history(after)
    if isinstance(plan, str | os.PathLike):
        found = read_plan(plan, problem)
        if isinstance(found, SavedPlan):
            return _Planned(os.fspath(plan), history or found.history, found.tree)
        return _Planned(os.fspath(plan), history, found)
    if isinstance(plan, Solution):
        return _Planned("plan", history or plan.history, plan.tree)
    if isinstance(plan, DecisionTree | DecisionRules):
        return _Planned("plan", history, plan)
    a_function("the plan, if no tree, solution, rules or path,", plan)
    return _Planned(getattr(plan, "__name__", "rule"), history, plan)


def _start(space: ProblemSpace, history: Path) -> PackedState:
    """Return the state that a history leads to."""
    state = space.root
    for event in carried_out(space.problem, history).history if history else ():
        action = space.action(state, event.action)
        assert action is not None  # It was carried out already.
        state = next(s for o, _, s in action.transitions if o == event.outcome)
    return state


def _lost(best: Real, value: Real) -> Real:
    """Return how much less a value is; nothing where that is only rounding."""
    loss = best - value if not isinstance(best, float) else best - float(value)
    is_rounding = abs(float(loss)) <= TIE * max(abs(float(best)), abs(float(value)))
    return 0 if is_rounding else loss


class _Places:
    """
    The places of a plan, solved one after another to see where something is lost.

    What a plan loses in all is what it loses at each of its states, times how likely it
    comes there: at a state, what going on as well as possible is worth, less what its
    action is worth there if one then went on as well as possible. None of these is
    negative, so that once they account for all of the loss, no place is left out.
    """

    def __init__(
        self,
        problem: Problem,
        tree: DecisionTree,
        best: Solution,
        deadline: Deadline,
        *,
        exact: bool,
    ) -> None:
        self._problem = problem
        self._policy = tree.policy
        self._root = tree.root.key
        self._exact = exact
        self._deadline = deadline
        self._history = best.history
        self._paths, self._chances = _arrived(tree)
        self._best: dict[Hashable, tuple[Real, str | None]] = {
            self._root: (best.expected_reward, best.first_action)
        }

    def losses(self) -> tuple[tuple[Loss, ...], bool]:
        """Return the places where something is lost, and whether these are all."""
        found: list[Loss] = []
        entered = {self._root}
        # Where most may be lost is looked at first, as there may be an end to it.
        pending = [(-1.0, 0, self._root)]
        while pending:
            _, _, key = heappop(pending)
            if self._below(key) == 0:
                continue
            decision = self._policy[key]
            for branch in decision.branches:
                if branch.state in entered:
                    continue
                if len(entered) >= _MOST_SOLVED or not self._solve(branch.state):
                    return self._ordered(found), False
                entered.add(branch.state)
                weight = float(self._chances[branch.state] * self._below(branch.state))
                heappush(pending, (-weight, len(entered), branch.state))
            if loss := self._loss(key, decision):
                found.append(loss)
        return self._ordered(found), True

    def _solve(self, key: Hashable) -> bool:
        """Find out what is best at a state; False where there is no time for it."""
        if self._deadline.is_over:
            return False
        path = (*self._history, *self._paths[key])
        found = solve(self._problem, after=path, exact=self._exact, verify=False)
        self._best[key] = found.expected_reward, found.first_action
        return True

    def _below(self, key: Hashable) -> Real:
        """Return what the plan loses from a state on."""
        return max(_lost(self._best[key][0], self._policy[key].value), 0)

    def _loss(self, key: Hashable, decision: Decision) -> Loss | None:
        """Return what is lost at a state itself, if anything is."""
        best, action = self._best[key]
        # What the action is worth if one then goes on as well as possible: what it is
        # worth in the plan, and what the plan loses after it.
        worth = decision.value + sum(
            branch.probability * self._below(branch.state)
            for branch in decision.branches
        )
        lost = _lost(best, worth)
        if lost <= 0:
            return None
        return Loss(self._paths[key], self._chances[key], decision.action, action, lost)

    def _ordered(self, losses: list[Loss]) -> tuple[Loss, ...]:
        return tuple(sorted(losses, key=lambda loss: (len(loss.history), -loss.share)))


def _arrived(
    tree: DecisionTree,
) -> tuple[dict[Hashable, Path], dict[Hashable, Real]]:
    """Return a way to each state of a plan, and how likely the plan comes there."""
    policy, root = tree.policy, tree.root.key
    paths: dict[Hashable, Path] = {root: ()}
    chances: dict[Hashable, Real] = {root: 1}
    for state in reversed(list(children_first(policy, root))):
        decision = policy[state]
        for outcome, probability, child in decision.branches:
            event = Happened(str(decision.action), outcome)
            paths.setdefault(child, (*paths[state], event))
            chances[child] = chances.get(child, 0) + chances[state] * probability
    return paths, chances
