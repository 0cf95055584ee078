"""What is left of a problem once some of it has happened: a problem again."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from branchwise.errors import HistoryError
from branchwise.model.action import Action, Given
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Comparison,
    Condition,
    Leaf,
    comparison,
    rebuilt,
)
from branchwise.model.conditions.facts import Facts
from branchwise.model.conditions.quantity import Count
from branchwise.model.counter import Counter
from branchwise.model.defense import Defense
from branchwise.model.execution.history import Carried, History, carried_out
from branchwise.model.execution.posterior import posterior
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import is_about_hidden
from branchwise.model.problem import Problem, Reward, a_problem


def problem_after(
    problem: Problem, history: History, *, now: Problem | None = None
) -> Problem:
    """
    Return what is left of a problem after what has happened.

    The best plan for it is worth what the whole problem's is worth from there on: what
    has been earned counts, what has been spent does not.

    Parameters
    ----------
    problem
        The whole problem, without contradictions.
    history
        What has happened, such as ``"a1=ok, a3=fail"``. The order counts, as costs may
        depend on it; an order that is impossible is taken for one that is not. A hidden
        fact that has become known counts as well: ``"disease=present"``.
    now
        The problem as it is known by now, where there is structural news: a new action,
        another prerequisite or preclusion, other numbers. What has happened is judged
        by the problem as it was, and what is left is of this one. It must have the same
        hidden facts, counters and resources, and every outcome that has happened.

    Raises
    ------
    HistoryError
        This cannot have happened; the error says at which step, and why.

    Examples
    --------
    >>> from branchwise.model.problem import Reward
    >>> test = Action("test", outcomes={"good": 0.4, "bad": 0.6})
    >>> drill = Action("drill", outcomes={"oil": 1}, requires=test["good"], cost=2)
    >>> problem = Problem([test, drill], [Reward(drill["oil"], 200)], budget=3)
    >>> left = problem_after(problem, "test=good")
    >>> [action.name for action in left.actions], str(left.budget)
    (['drill'], '2')
    >>> print(left.action("drill").requires)
    always
    """
    a_problem(problem)
    carried = carried_out(problem, history)
    if now is None:
        return remaining(problem, carried.state)
    checked(a_problem(now))
    _refuse_other_states(problem, now, carried)
    return remaining(now, carried.state)


def _refuse_other_states(problem: Problem, now: Problem, carried: Carried) -> None:
    """Raise an error if a state of one problem means nothing in another."""
    parts: dict[str, Callable[[Problem], object]] = {
        "hidden facts": lambda each: [(f.name, f.labels) for f in each.hidden],
        "counters": lambda each: [counter.name for counter in each.counters],
        "resources": lambda each: list(each.budget),
    }
    for what, named in parts.items():
        if named(problem) != named(now):
            fix = f"keep the {what} as they were"
            raise HistoryError.of("now", f"the problem has other {what}", fix)
    known = set(now.events())
    for event in carried.history:
        if event not in known and not is_about_hidden(problem, event):
            what = f"the problem no longer has {event}, which has happened"
            raise HistoryError.of("now", what, "keep what has happened")


def remaining(problem: Problem, state: State) -> Problem:
    """
    Return what is left of a problem at a state.

    Actions that are used up are gone, and conditions speak of what can still change.
    Where nothing is left to do all actions stay, ruled out: a problem has some.
    Counters start where they stand, and hidden facts are as likely as they are by now.
    """
    spent = (a.name for a in problem.actions if state.count(a.name) >= a.attempts)
    known = _Known(state, state.facts, frozenset(spent), _hidden_names(problem))
    lasting = [a for a in problem.actions if a.name not in known.used_up]
    actions = [known.action(action) for action in lasting]
    if not actions or state.ended is not None:
        actions = [_ruled_out(action) for action in problem.actions]
    finish = problem.finish
    return replace(
        problem,
        actions=tuple(actions),
        rewards=tuple(_rewards(problem, known)),
        budget=state.left,
        defenses=_lasting(problem.defenses, {action.name for action in actions}),
        hidden=posterior(problem, state.knowledge),
        counters=tuple(_standing(each, state) for each in problem.counters),
        finish=None if finish is None else known.rest_of(finish),
    )


def _hidden_names(problem: Problem) -> frozenset[str]:
    return frozenset(fact.name for fact in problem.hidden)


def _standing(counter: Counter, state: State) -> Counter:
    start = state.counters[counter.name]
    return Counter(counter.name, low=counter.low, high=counter.high, start=start)


def _rewards(problem: Problem, known: "_Known") -> Iterator[Reward]:
    """Return the rewards that may still be paid."""
    if known.state.ended == "lose":
        return
    for reward in problem.rewards:
        when = known.rest_of(reward.when)
        if when != NEVER:
            yield replace(reward, when=when)


def _lasting(
    defenses: tuple[Defense, ...], actions: Collection[str]
) -> tuple[Defense, ...]:
    """Return the defenses that still have an effect, and what that is."""
    names = {d.name for d in defenses if not set(d.touched).isdisjoint(actions)}
    return tuple(d.among(actions, names) for d in defenses if d.name in names)


@dataclass(frozen=True, slots=True)
class _Known:
    """What a state says about the conditions of a problem."""

    state: State
    facts: Facts
    used_up: frozenset[str]
    hidden: frozenset[str]  # The names of the hidden facts

    def action(self, action: Action) -> Action:
        """Return what is left of an action."""
        return replace(
            action,
            requires=self.rest_of(action.requires),
            precluded_by=self.rest_of(action.precluded_by),
            attempts=action.attempts - self.state.count(action.name),
            given=tuple(self._clauses(action)),
        )

    def _clauses(self, action: Action) -> Iterator[Given]:
        """Return the clauses that may still count: up to one that always does."""
        for clause in action.given:
            when = self.rest_of(clause.when)
            if when != NEVER:
                yield replace(clause, when=when)
            if when == ALWAYS:
                return

    def rest_of(self, condition: Condition) -> Condition:
        """Return what a condition still depends on."""
        return rebuilt(condition, self._rest_of_leaf)

    def _rest_of_leaf(self, leaf: Leaf, _sign: int) -> Condition:
        if isinstance(leaf, Comparison):
            return self._rest_of_comparison(leaf)
        if leaf.action in self.hidden:
            return leaf
        if leaf.holds(self.facts):
            return ALWAYS
        return NEVER if self._is_over(leaf.action) else leaf

    def _rest_of_comparison(self, leaf: Comparison) -> Condition:
        """Count only what is still to come; counters and budgets go on as they are."""
        if not isinstance(leaf.quantity, Count):
            return leaf
        if self._is_over(leaf.quantity.counted.action):
            return ALWAYS if leaf.holds(self.facts) else NEVER
        number = leaf.number - leaf.quantity.measured(self.facts)
        shifted = comparison(leaf.quantity, leaf.sign, number)
        # What comes will be counted from none up: below that nothing changes any more.
        if number < 0 or (number == 0 and leaf.sign in {">=", "<"}):
            return ALWAYS if shifted.holds(Facts({})) else NEVER
        return shifted

    def _is_over(self, action: str) -> bool:
        return action in self.used_up or self.state.ended is not None


def _ruled_out(action: Action) -> Action:
    return replace(
        action, requires=NEVER, precluded_by=NEVER, attempts=1, given=(), distance=None
    )
