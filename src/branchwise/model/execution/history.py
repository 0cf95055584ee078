"""Histories: what has happened so far, whether it can have, and what is left then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, NamedTuple

from branchwise.errors import HistoryError, Issue, printable
from branchwise.model.budget import Amounts, Budget
from branchwise.model.checks.issue import listed, shortened, shown, ticked
from branchwise.model.checks.naming import Mentions
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Attempted,
    Comparison,
    Condition,
    Happened,
    Leaf,
    settled,
)
from branchwise.model.conditions.condition_text import (
    ConditionSyntaxError,
    parse_history,
)
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import (
    is_about_hidden,
    revealed,
    start_of,
    stepped,
    turn_of,
)
from branchwise.model.problem import Problem
from branchwise.model.spread import possible_labels

History = str | Happened | Iterable[str | Happened]
"""Outcomes in order: ``"a1=ok, a3=fail"``, or several such texts or outcomes."""

# So many are tried in search of a possible order: it may be a puzzle.
_MOST_STEPS: Final = 5_000


class Carried(NamedTuple):
    """What has happened, in an order that is possible, and where this leads."""

    history: tuple[Happened, ...]
    state: State


def as_history(history: History) -> tuple[Happened, ...]:
    """
    Accept a history as text, or as outcomes.

    >>> as_history("a1=ok") == as_history([Happened("a1", "ok")])
    True
    """
    if isinstance(history, Happened):
        return (history,)
    if not isinstance(history, str):
        given: Any = history
        if not isinstance(given, Iterable):
            says = "a history is text such as `a1=ok, a3=fail`, or outcomes"
            raise TypeError(f"{says}, not {given!r}")
        return tuple(event for part in history for event in as_history(part))
    try:
        return parse_history(history)
    except ConditionSyntaxError as error:
        what = f"{shortened(history)} is no history: {error.what}"
        place = f"history, character {error.offset + 1}"
        fix = "write outcomes such as `a1=ok, a3=fail`; a name with spaces in quotes"
        raise HistoryError([Issue(place, what, fix, culprit=history)]) from None


def carried_out(problem: Problem, history: History) -> Carried:
    """
    Work out where a history leads.

    The order counts, because costs and probabilities may depend on it. An order that is
    impossible is taken for one that is not, if there is any: people tell what has
    happened, and not always in which order. If there is none, the error gives the
    reason of the order given.
    """
    events = as_history(history)
    numbered = list(enumerate(events, 1))
    issues = (name_issue(problem, event, _where(n, event)) for n, event in numbered)
    if unknown := [issue for issue in issues if issue]:
        raise HistoryError(unknown)
    state = start_of(problem)
    for number, event in numbered:
        if reason := obstacle(problem, state, event):
            if carried := _other_order(problem, events):
                return carried
            raise HistoryError([Issue(_where(number, event), *reason)])
        state = stepped(problem, state, event)
    return Carried(events, state)


def name_issue(problem: Problem, event: Happened, where: str) -> Issue | None:
    """Find a name in an outcome that the problem does not know."""
    if is_about_hidden(problem, event):
        return _label_issue(problem, event, where)
    for issue in Mentions(problem.actions).condition_issues((), event):
        fix = issue.fix.partition(", or add an action")[0]
        if fix == "correct the name":  # There are many, but here one must do.
            fix = f"write {listed([a.name for a in problem.actions], 'or')}"
        return Issue(where, issue.what, fix, culprit=issue.culprit)
    return None


def _label_issue(problem: Problem, event: Happened, where: str) -> Issue | None:
    labels = problem.hidden_fact(event.action).labels
    if event.outcome in labels:
        return None
    what = f"{ticked(event.action)} is never {ticked(event.outcome)}"
    return Issue(where, what, f"write {listed(labels, 'or')}", culprit=event.outcome)


def obstacle(problem: Problem, state: State, event: Happened) -> tuple[str, str] | None:
    """Return what keeps an outcome from happening at a state, and a fix; or None."""
    if is_about_hidden(problem, event):
        if any(revealed(problem, state.knowledge, event)):
            return None
        what = f"{ticked(event)} is ruled out by what has happened"
        return what, "leave this out, or what rules it out"
    return next(_obstacles(problem, state, event), None)


def _obstacles(
    problem: Problem, state: State, event: Happened
) -> Iterator[tuple[str, str]]:
    action, known = problem.action(event.action), state.facts
    name = ticked(action.name)
    if state.ended is not None:
        what = f"nothing can be done any more, {name} included: everything has ended"
        yield what, "leave this out, or what ended it"
    if state.count(action.name) >= action.attempts:
        times = "once" if action.attempts == 1 else f"{action.attempts} times"
        what = f"{name} can be taken {times}, and no attempt is left"
        yield what, "leave this out, or raise `attempts`"
    if not action.requires.holds(known):
        what = f"{name} requires {shortened(action.requires)}, which does not hold here"
        yield what, "say first what made it possible, or leave this out"
    if action.precluded_by.holds(known):
        reason = shortened(action.precluded_by)
        what = f"{name} is precluded by {reason}, which holds here"
        yield what, "leave this out, or what rules it out"
    turn = turn_of(problem, action, state)
    yield from _unpaid(name, turn.cost, action.dearest, state.left)
    # What an adversary could let happen may have happened.
    if problem.hidden:
        open_labels = frozenset(turn.chances)
    else:
        open_labels = possible_labels(action, turn.clauses[0])
    possible = [label for label in action.labels if label in open_labels]
    if event.outcome not in possible:
        what = f"{ticked(event)} has probability 0 here"
        yield what, f"what can come of {name} is {listed(possible, 'or')}"


def _unpaid(
    name: str, cost: Amounts, dearest: Amounts, left: Budget
) -> Iterator[tuple[str, str]]:
    for resource, have in left.items():
        need = cost.of(resource) + dearest.of(resource)
        if need > have:
            of = "" if left.is_plain else f" of {ticked(resource)}"
            most = " with the dearest of its outcomes" if dearest.of(resource) else ""
            what = f"{name} costs {shown(need)}{of}{most}, and {shown(have)} is left"
            yield what, f"raise the budget by {shown(need - Fraction(have))}{of}"


def _other_order(problem: Problem, events: tuple[Happened, ...]) -> Carried | None:
    """Look for an order that is possible, as near to the given one as may be."""
    tried: set[State] = set()
    pending = [(Carried((), start_of(problem)), events)]
    for _ in range(_MOST_STEPS):
        if not pending:
            break
        carried, rest = pending.pop()
        if not rest:
            return carried
        if carried.state in tried or _is_hopeless(problem, carried.state, rest):
            continue
        tried.add(carried.state)
        for index in reversed(range(len(rest))):
            event = rest[index]
            if event in rest[:index] or obstacle(problem, carried.state, event):
                continue
            state = stepped(problem, carried.state, event)
            others = rest[:index] + rest[index + 1 :]
            pending.append((Carried((*carried.history, event), state), others))
    return None


def _is_hopeless(problem: Problem, state: State, rest: tuple[Happened, ...]) -> bool:
    """Return whether something that is to happen is ruled out, whatever comes first."""
    coming: set[Happened | Attempted] = {*rest, *(Attempted(e.action) for e in rest)}

    def may_change(leaf: Leaf) -> bool:
        return isinstance(leaf, Comparison) or leaf in coming

    def is_settled(condition: Condition, end: Condition) -> bool:
        return settled(condition, state.facts, may_change) == end

    taken = {e.action for e in rest if not is_about_hidden(problem, e)}
    actions = (problem.action(name) for name in taken)
    return any(
        is_settled(a.requires, NEVER) or is_settled(a.precluded_by, ALWAYS)
        for a in actions
    )


def _where(number: int, event: Happened) -> str:
    return f"history, step {number} `{printable(str(event))}`"
