"""Mixtures: probabilities that are not what an observation makes of them on average."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from branchwise.errors import Issue
from branchwise.model.action import Action
from branchwise.model.checks.demands import wanted_by
from branchwise.model.checks.features.hidden import names_hidden
from branchwise.model.checks.issue import shown, ticked, warning
from branchwise.model.checks.reachability import Reachability
from branchwise.model.conditions.condition import Attempted, Happened, quoted
from branchwise.model.conditions.facts import Facts
from branchwise.model.hidden import assignments
from branchwise.model.problem import Problem

_ROUNDED: Final = Fraction(1, 100)  # What misses by no more may be rounded.
_MOST_WAYS: Final = 1_000  # that hidden facts may be; more take too long to go over
_MOST_COMPARED: Final = 10_000  # clauses of an action, times what they name
_LONGEST_FIX: Final = 280
Probabilities = Mapping[str, Fraction]


class _Mixture(NamedTuple):
    """What one action makes of another: unseen, after each outcome, on average."""

    base: Probabilities
    after: Mapping[str, Probabilities]
    seen: Probabilities

    def average(self, label: str) -> Fraction:
        return sum(
            (p * self.after[o][label] for o, p in self.seen.items()), Fraction(0)
        )


def mixture_doubts(problem: Problem, reachability: Reachability) -> Iterator[Issue]:
    """
    Find actions whose probabilities are not the mix of what another one makes of them.

    Before a weather report, rain is as likely as it is after each report, weighted by
    how likely the report is. Where it is not, the plan may do better by not looking.
    Where only some outcomes of the other action change anything, and all in one way,
    that one helps or hinders rather than tells: nothing is said.
    """
    actions = {action.name: action for action in problem.actions}
    facts = {fact.name for fact in problem.hidden}
    for action in problem.actions:
        if not action.given or any(names_hidden(c.when, facts) for c in action.given):
            continue
        named = dict.fromkeys(m.action for c in action.given for m in c.when.mentions())
        if len(named) * len(action.given) > _MOST_COMPARED:
            continue  # That is no file that someone wrote by hand.
        for name in named:
            found = _mixture(problem, action, actions[name], reachability)
            label = found and _worst(found)
            if found and label is not None:
                yield _issue(action, actions[name], label, found)


def _mixture(
    problem: Problem, action: Action, other: Action, reachability: Reachability
) -> _Mixture | None:
    """Compare an action before and after another one; None where that says nothing."""
    if other.name == action.name or other.attempts != 1:
        return None
    before = ((Attempted(other.name), False), *wanted_by(action))
    if not reachability.can_hold(*before):
        return None  # It is never taken without the other one.
    seen = _seen(problem, other)
    if seen is None:
        return None
    after = {
        label: _probabilities(problem, action, other.name, label) for label in seen
    }
    for label in after:
        wanted = ((Happened(other.name, label), True), *wanted_by(action))
        if not reachability.can_hold(*wanted):
            return None  # What comes of the other one may decide whether it is taken.
    return _Mixture(_probabilities(problem, action), after, seen)


def _seen(problem: Problem, action: Action) -> Probabilities | None:
    """Return how likely its outcomes are; None where that depends on the plan."""
    if not action.given:
        return {o.label: o.probability for o in action.outcomes if o.probability}
    facts = {fact.name for fact in problem.hidden}
    if not all(names_hidden(clause.when, facts) for clause in action.given):
        return None
    if math.prod(len(fact.labels) for fact in problem.hidden) > _MOST_WAYS:
        return None
    found: dict[str, Fraction] = {}
    for each in assignments(problem.hidden):
        known = _start(problem, {}).assuming(each.labels)
        _, outcomes = action.as_of(known)
        for outcome in outcomes:
            likely = each.probability * outcome.probability
            found[outcome.label] = found.get(outcome.label, Fraction(0)) + likely
    return {label: number for label, number in found.items() if number}


def _probabilities(
    problem: Problem, action: Action, other: str = "", label: str = ""
) -> Probabilities:
    known = _start(problem, {other: {label: 1}} if other else {})
    _, outcomes = action.as_of(known)
    found = dict.fromkeys(action.labels, Fraction(0))
    return found | {outcome.label: outcome.probability for outcome in outcomes}


def _start(problem: Problem, counts: Mapping[str, Mapping[str, int]]) -> Facts:
    counters = {counter.name: counter.start for counter in problem.counters}
    return Facts(counts, counters=counters, left=problem.budget)


def _worst(found: _Mixture) -> str | None:
    """Return the outcome whose probability misses the average most, if one does."""
    if not any(_tells(found, label) for label in found.base):
        return None
    misses = {o: abs(p - found.average(o)) for o, p in found.base.items()}
    worst = max(misses, key=misses.__getitem__)
    return worst if misses[worst] > _ROUNDED else None


def _tells(found: _Mixture, label: str) -> bool:
    """Whether outcomes make this one likelier or less likely, and each in its way."""
    base, after = found.base[label], [each[label] for each in found.after.values()]
    if min(after) == max(after):
        return False
    return min(after) < base < max(after) or base not in after


def _issue(action: Action, other: Action, label: str, found: _Mixture) -> Issue:
    event = ticked(Happened(action.name, label))
    what = f"{event} has probability {shown(found.base[label])} before "
    what += f"{ticked(other.name)}, {shown(found.average(label))} on average after it: "
    what += "not to look may seem better"
    average = {each: found.average(each) for each in found.base}
    name = quoted(f"{action.name}_truth")
    fix = f"write {ticked(_text(average))}, or say what is hidden, "
    fix += ticked(f"hidden: {{{name}: {_text(average)}}}")
    told = _told(other, average, found)
    fix += told if len(fix) + len(told) < _LONGEST_FIX else ""
    return warning(("actions", action.name, "outcomes"), what, fix, label)


def _told(other: Action, average: Probabilities, found: _Mixture) -> str:
    """Return what the other action tells of a fact that decides the first one."""
    clauses = []
    for label, likely in average.items():
        if likely:
            told = {
                o: p * found.after[o][label] / likely for o, p in found.seen.items()
            }
            clauses.append(f"{ticked(_text(told))} given {ticked(label)}")
    return f", and let {ticked(other.name)} be {', '.join(clauses)}"


def _text(numbers: Probabilities) -> str:
    inside = ", ".join(f"{label}: {shown(number)}" for label, number in numbers.items())
    return f"{{{inside}}}"
