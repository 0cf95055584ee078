"""Random documents with uncertain probabilities: intervals, distances, or both."""

from fractions import Fraction
from random import Random

from oracles.robust_oracle import ranges
from problems.strategies import seeded_documents


def robust_documents(count, seed, **knobs):
    """Those of `seeded_documents` of the same name, with intervals and distances."""
    for document in seeded_documents(count, seed, **knobs):
        yield with_spreads(document, Random(f"spreads {document['name']}"))


def with_spreads(document, random):
    """Let some probabilities be unsure, and few enough outcomes for all vertices."""
    actions = {
        name: _spread(body, random) for name, body in document["actions"].items()
    }
    return document | {"actions": actions}


def _spread(body, random):
    body = _with_probabilities(body, random)
    if "given" in body:
        clauses = [
            _with_probabilities(clause, random) if "outcomes" in clause else clause
            for clause in body["given"]
        ]
        body = body | {"given": clauses}
    return body


def _with_probabilities(body, random):
    kind = random.choice(["none", "interval", "interval", "distance", "both"])
    if kind in ("distance", "both"):
        body = body | {"distance": random.choice(["0.1", "1/5", "30%", 0, 1])}
    if kind in ("interval", "both"):
        body = body | {"outcomes": _with_intervals(body["outcomes"], random)}
    return body


def _with_intervals(outcomes, random):
    nominal = {label: p for label, (p, _, _) in ranges(outcomes)[0].items()}
    chosen = {label for label in outcomes if random.random() < 0.6}
    return {
        label: _written(outcomes[label], nominal[label], random)
        if label in chosen
        else outcomes[label]
        for label in outcomes
    }


def _written(text, nominal, random):
    low = nominal * random.choice([0, Fraction(1, 2), Fraction(3, 4), 1])
    high = nominal + (1 - nominal) * random.choice([0, Fraction(1, 4), Fraction(1, 2)])
    if random.random() < 0.3:
        return {"probability": text, "low": str(low), "high": str(high)}
    return f"{text} [{low}, {high}]"
