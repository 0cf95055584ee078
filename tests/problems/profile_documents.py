"""Random individuals of random documents: their cells, and the document of each."""

import copy
import math
from fractions import Fraction

from branchwise.analysis.individuals.profile_numbers import profile_parameters
from oracles.oracle import number


def random_rows(random, problem, count, kinds):
    """Give rows that replace some numbers, of every kind that is asked for."""
    known = list(profile_parameters(problem))
    names = [column.name for column in known]
    columns = [
        column
        for at, column in enumerate(known)
        # Two clauses may have the same condition; the second never counts.
        if names.index(column.name) == at
        if kind_of(column) in kinds and not is_alone(column, problem)
    ]
    chosen = random.sample(columns, min(len(columns), 4))
    # Of the probabilities of an action one is given, so that the others can make room.
    chosen = list({(whose(c), kind_of(c)): c for c in chosen}.values())
    return [
        {c: random_cell(random, c, problem) for c in chosen if random.random() < 0.8}
        for _ in range(count)
    ]


def kind_of(column):
    return "budget" if column.parameter is None else column.parameter.kind


def is_alone(column, problem):
    """Is it the probability of the only outcome, which cannot be another?"""
    kind = kind_of(column)
    return kind == "probability" and len(column.parameter.outcomes(problem)) == 1


def whose(column):
    if kind_of(column) != "probability":
        return column.name
    return column.parameter.action, column.parameter.clause


def random_cell(random, column, problem):
    kind, now = kind_of(column), column.value(problem)
    if kind == "probability":
        return Fraction(random.choice([0, 1, 1, 3, 5, 9, 10]), 10)
    if kind == "budget":
        return Fraction(random.randint(0, 8), 2)
    if kind == "cost":
        # What costs nothing might be done for ever.
        return Fraction(random.randint(1, 6), 2)
    sign = -1 if now < 0 else 1
    return sign * Fraction(random.randint(0, 60), random.choice([1, 7]))


def document_of(document, row):
    """Give the document of an individual, edited as plain data."""
    changed = copy.deepcopy(document)
    for column, value in row.items():
        _edit(changed, column, value)
    return changed


def _edit(document, column, value):
    parameter, kind = column.parameter, kind_of(column)
    if kind == "budget":
        _set(document, "budget", column.resource, value, document["budget"], 0)
    elif kind == "reward":
        document["rewards"][parameter.number]["value"] = value
    elif kind == "cost_weight":
        resources = document["budget"]
        _set(document, "cost_weight", parameter.resource, value, resources, 0)
    else:
        body = _owned_by(document, parameter.action)
        if parameter.clause is not None:
            body = body["given"][parameter.clause]
        if kind == "cost":
            if parameter.outcome:
                body = body["outcomes"][parameter.outcome]
            _set(body, "cost", parameter.resource, value, document["budget"], 1)
        else:
            body["outcomes"] = _probabilities(
                body["outcomes"], parameter.outcome, value
            )


def _owned_by(document, name):
    """The body of an action or a hidden fact; a short fact is written long first."""
    if name in document["actions"]:
        return document["actions"][name]
    facts = document["hidden"]
    if "outcomes" not in facts[name]:
        facts[name] = {"outcomes": facts[name]}
    return facts[name]


def _set(body, key, resource, value, budget, default):
    """Change what is counted in one resource, or the one number that there is."""
    now = body.get(key, default)
    if isinstance(budget, dict) and not isinstance(now, dict):
        now = dict.fromkeys(budget, now)
    body[key] = {**now, resource: value} if isinstance(now, dict) else value


def _probabilities(outcomes, label, value):
    """Write one probability, and the others in proportion; all else stays."""
    long = {o: p for o, p in outcomes.items() if isinstance(p, dict)}
    short = outcomes | {o: p["probability"] for o, p in long.items()}
    changed = _in_proportion(short, label, value)
    return {
        o: long[o] | {"probability": p} if o in long else p for o, p in changed.items()
    }


def _in_proportion(outcomes, label, value):
    known = {o: number(p) for o, p in outcomes.items() if p != "rest"}
    probabilities = dict.fromkeys(outcomes, 1 - sum(known.values())) | known
    others = [other for other in probabilities if other != label]
    if not others:
        return {label: Fraction(1)}
    mass = 1 - probabilities[label]
    return {
        o: value
        if o == label
        else (
            probabilities[o] * (1 - value) / mass if mass else (1 - value) / len(others)
        )
        for o in probabilities
    }


def carried_out(oracle, node, state):
    """What a tree is worth to others: it stops where they cannot pay or it ends."""
    steps = {step.action: step for step in oracle.steps(state)}
    if node is None or node.action not in steps:
        return oracle.reward(state) if oracle.may_stop(state) else -math.inf
    step = steps[node.action]
    paid = sum(w * c for w, c in zip(oracle.weights, step.cost, strict=True))
    children = node.children
    return -paid + sum(
        p * carried_out(oracle, children.get(outcome), child)
        for outcome, (p, child) in step.children.items()
    )
