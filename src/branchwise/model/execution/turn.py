"""Turns: what an action is at a state, what may come of it, and what that teaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from branchwise.model.action import Action, Given
from branchwise.model.budget import Amounts, Budget, ByName
from branchwise.model.conditions.condition import Happened
from branchwise.model.conditions.facts import Facts
from branchwise.model.execution.state import State
from branchwise.model.hidden import (
    Assignment,
    Knowledge,
    as_knowledge,
    assignments,
    expectation,
    learned,
)
from branchwise.model.problem import Problem


class Chance(NamedTuple):
    """How likely an outcome is, and what is known once it has come up."""

    probability: Fraction
    knowledge: Knowledge


class Turn(NamedTuple):
    """
    An action as it is at a state.

    Parameters
    ----------
    cost
        What it costs, whatever comes of it.
    clauses
        For each assignment of the hidden facts, the clause that counts; where they
        play no part, one for all. None where no clause does.
    chances
        The outcomes that can come up, with how likely each is.
    """

    cost: Amounts
    clauses: tuple[Given | None, ...]
    chances: Mapping[str, Chance]


def start_of(problem: Problem) -> State:
    """Return the state in which nothing has happened."""
    counters = ByName({counter.name: counter.start for counter in problem.counters})
    known = as_knowledge(each.probability for each in ways_of(problem))
    return State((), problem.budget, counters, known if problem.hidden else ())


def ways_of(problem: Problem) -> tuple[Assignment, ...]:
    """Return all ways the hidden facts may be; one that says nothing without any."""
    return _assignments(problem.hidden) if problem.hidden else _NO_HIDDEN


def turn_of(problem: Problem, action: Action, state: State) -> Turn:
    """Return what an action is at a state, whether or not it is available."""
    facts = state.facts
    if not state.knowledge:
        clause = action.clause_as_of(facts)
        cost, outcomes = action.under(clause)
        chances = {
            o.label: Chance(o.probability, ()) for o in outcomes if o.probability
        }
        return Turn(cost, (clause,), chances)
    ways = ways_of(problem)
    clauses = [action.clause_as_of(facts.assuming(way.labels)) for way in ways]
    terms = [action.under(clause) for clause in clauses]
    # What is impossible by now does not count; for what is possible costs are equal.
    cost = next(terms[at][0] for at, weight in enumerate(state.knowledge) if weight)
    probabilities = [{o.label: o.probability for o in o_s} for _, o_s in terms]
    chances = {}
    for label in action.labels:
        likely = [each.get(label, Fraction(0)) for each in probabilities]
        if probability := expectation(state.knowledge, likely):
            chances[label] = Chance(probability, learned(state.knowledge, likely))
    return Turn(cost, tuple(clauses), chances)


def stepped(problem: Problem, state: State, event: Happened) -> State:
    """
    Return the state after an outcome, whose cost is paid as far as that is left.

    A hidden fact that has become known is an event as well: it costs nothing.
    """
    if is_about_hidden(problem, event):
        return replace(state, knowledge=revealed(problem, state.knowledge, event))
    action = problem.action(event.action)
    outcome = action.outcome(event.outcome)
    turn = turn_of(problem, action, state)
    counts = dict(state.counts)
    counts[event] = counts.get(event, 0) + 1
    left = {
        resource: max(have - turn.cost.of(resource) - outcome.cost.of(resource), 0)
        for resource, have in state.left.items()
    }
    known = ((happened, counts.get(happened, 0)) for happened in problem.events())
    chance = turn.chances.get(event.outcome)
    return State(
        tuple((e, count) for e, count in known if count),
        Budget(left),
        _counted(problem, state.counters, action.effects_of(event.outcome)),
        state.knowledge if chance is None else chance.knowledge,
        outcome.ends,
    )


def is_about_hidden(problem: Problem, event: Happened) -> bool:
    """Whether an event is that a hidden fact has become known."""
    return any(fact.name == event.action for fact in problem.hidden)


def revealed(problem: Problem, knowledge: Knowledge, event: Happened) -> Knowledge:
    """Return what is known once a hidden fact is; all zeros if it cannot be so."""
    pairs = zip(ways_of(problem), knowledge, strict=True)
    kept = [w if way.labels[event.action] == event.outcome else 0 for way, w in pairs]
    return as_knowledge(map(Fraction, kept))


def reward_at(problem: Problem, state: State) -> Fraction:
    """Return what to expect for stopping at a state, hidden facts being as they are."""
    if state.ended == "lose":
        return Fraction(0)
    facts = state.facts
    if not state.knowledge:
        return problem.reward(facts)
    return expectation(state.knowledge, rewards_by_way(problem, facts))


def rewards_by_way(problem: Problem, facts: Facts) -> tuple[Fraction, ...]:
    """Return the reward for stopping under each assignment of the hidden facts."""
    ways = ways_of(problem)
    return tuple(problem.reward(facts.assuming(way.labels)) for way in ways)


def marginals(problem: Problem, knowledge: Knowledge) -> dict[str, dict[str, Fraction]]:
    """Return how likely each hidden fact is what it may be, by name and label."""
    found: dict[str, dict[str, Fraction]] = {
        fact.name: dict.fromkeys(fact.labels, Fraction(0)) for fact in problem.hidden
    }
    total = sum(knowledge)
    for way, weight in zip(ways_of(problem), knowledge, strict=bool(knowledge)):
        for fact, label in way.labels.items():
            found[fact][label] += Fraction(weight, total)
    return found


def _counted(
    problem: Problem, counters: ByName[int], changes: Mapping[str, int]
) -> ByName[int]:
    if not changes:
        return counters
    return ByName(
        (name, problem.counter(name).after(value, changes.get(name, 0)))
        for name, value in counters.items()
    )


@lru_cache(maxsize=256)
def _assignments(hidden: tuple) -> tuple[Assignment, ...]:  # type: ignore[type-arg]
    return assignments(hidden)


_NO_HIDDEN = assignments(())
