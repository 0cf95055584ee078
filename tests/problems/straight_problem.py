"""Problems straight from documents, without reading any text: much faster."""

from functools import cache

from branchwise import Action, Given, Problem, Reward
from branchwise.model.budget import UNLIMITED
from branchwise.model.condition import (
    Attempted,
    Condition,
    Happened,
    all_of,
    any_of,
    at_least,
    negation,
)
from oracles.oracle import literal, number

__all__ = ["straight_problem"]


def straight_problem(doc) -> Problem:
    """The problem that a document means, as reading it as text would give it."""
    return Problem(
        [_action(name, body) for name, body in doc["actions"].items()],
        [Reward(_condition(r["when"]), number(r["value"])) for r in doc["rewards"]],
        budget=_amounts(doc["budget"]),
        name=doc.get("name", ""),
        combine=doc.get("combine", "max"),
        cost_weight=_amounts(doc.get("cost_weight", 0)),
    )


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
    )


def _clause(clause):
    return Given(
        _condition(clause["when"]),
        outcomes=_probabilities(clause["outcomes"]) if "outcomes" in clause else None,
        cost=_amounts(clause["cost"]) if "cost" in clause else None,
    )


def _probabilities(outcomes):
    return {o: p if p == "rest" else number(p) for o, p in outcomes.items()}


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
    names = literal(text)
    return Happened(*names) if len(names) == 2 else Attempted(*names)
