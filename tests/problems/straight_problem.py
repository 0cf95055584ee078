"""Problems straight from documents, without reading any text: much faster."""

from functools import cache

from branchwise import Action, Given, Problem, Reward
from branchwise.model.budget import UNLIMITED
from branchwise.model.conditions.condition import (
    Attempted,
    Condition,
    Happened,
    all_of,
    any_of,
    at_least,
    comparison,
    negation,
)
from branchwise.model.conditions.quantity import Count, CounterValue, Left
from branchwise.model.counter import Counter
from branchwise.model.hidden import Hidden
from branchwise.model.outcome import Outcome
from oracles import oracle
from oracles.oracle import literal, number, possible

__all__ = ["straight_problem"]


def straight_problem(doc) -> Problem:
    """The problem that a document means, as reading it as text would give it."""
    return Problem(
        [_action(name, body) for name, body in doc["actions"].items()],
        [_reward(reward) for reward in doc["rewards"]],
        budget=_amounts(doc["budget"]),
        name=doc.get("name", ""),
        combine=doc.get("combine", "max"),
        cost_weight=_amounts(doc.get("cost_weight", 0)),
        hidden=[_fact_of(*each) for each in doc.get("hidden", {}).items()],
        counters=[_counter(*each) for each in doc.get("counters", {}).items()],
        finish=_condition(doc["finish"]) if "finish" in doc else None,
        objective=doc.get("objective", "most-reward"),
        unfinished=number(doc["unfinished"]) if "unfinished" in doc else None,
    )


def _reward(reward):
    when = _condition(reward.get("when", {"all": []}))
    per = literal(reward["per"])[0] if "per" in reward else None
    return Reward(when, number(reward["value"]), per=per)


def _fact_of(name, body):
    body = body if "outcomes" in body else {"outcomes": body}
    clauses = [_clause(clause) for clause in body.get("given", ())]
    return Hidden(name, outcomes=_probabilities(body["outcomes"]), given=clauses)


def _counter(name, body):
    low, high = map(int, body["range"].split(".."))
    return Counter(name, low=low, high=high, start=body.get("start"))


def _action(name, body):
    attempts = body.get("attempts", 1)
    return Action(
        name,
        outcomes=_probabilities(body["outcomes"]),
        cost=_amounts(body.get("cost", 1)),
        requires=_condition(body.get("requires", {"all": []})),
        precluded_by=_condition(body.get("precluded_by", {"any": []})),
        attempts=UNLIMITED if attempts == "unlimited" else int(attempts),
        given=[_clause(clause) for clause in body.get("given", ())],
        effects=_effects(body),
    )


def _effects(body):
    return {name: int(number(by)) for name, by in body.get("effects", {}).items()}


def _clause(clause):
    return Given(
        _condition(clause["when"]),
        outcomes=_probabilities(clause["outcomes"]) if "outcomes" in clause else None,
        cost=_amounts(clause["cost"]) if "cost" in clause else None,
    )


def _probabilities(outcomes):
    if not any(isinstance(p, dict) for p in outcomes.values()):
        return {o: p if p == "rest" else number(p) for o, p in outcomes.items()}
    exact = possible(outcomes)
    bodies = ((o, p if isinstance(p, dict) else {}) for o, p in outcomes.items())
    return [
        Outcome(
            label,
            exact.get(label, 0),
            effects=_effects(body),
            cost=_amounts(body["cost"]) if "cost" in body else {},
            ends=body.get("ends"),
        )
        for label, body in bodies
    ]


def _amounts(written):
    if isinstance(written, dict):
        return {resource: _amounts(amount) for resource, amount in written.items()}
    return UNLIMITED if written == "unlimited" else number(written)


def _condition(written) -> Condition:
    if isinstance(written, str):
        return _fact(written)
    [(kind, inner)] = written.items()
    if kind == "not":
        return negation(_condition(inner))
    if kind == "at_least":
        [(count, inner)] = inner.items()
        return at_least(int(count), *map(_condition, inner))
    return (all_of if kind == "all" else any_of)(*map(_condition, inner))


@cache
def _fact(text):
    if compared := oracle.comparison(text):
        kind, measured, counter, sign, written = compared
        if kind == "count":
            quantity = Count(_fact(measured))
        else:
            quantity = (
                Left(*literal(measured)) if kind else CounterValue(*literal(counter))
            )
        return comparison(quantity, sign, number(written))
    names = literal(text)
    return Happened(*names) if len(names) == 2 else Attempted(*names)
