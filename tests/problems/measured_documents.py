"""Random documents whose numbers are not quite known: intervals and sample sizes."""

from fractions import Fraction
from random import Random

from problems.strategies import seeded_documents


def measured_documents(count, seed, **knobs):
    """Those of `seeded_documents` of the same name, with intervals and sample sizes."""
    for document in seeded_documents(count, seed, **knobs):
        yield with_intervals(document, Random(f"measured {document['name']}"))


def with_intervals(document, random):
    """Give some numbers an interval, and some probabilities a sample size."""
    actions = {
        name: _measured(body, random) for name, body in document["actions"].items()
    }
    rewards = [
        reward | {"value": _number(reward["value"], random)}
        for reward in document.get("rewards", [])
    ]
    weight = {}
    if "cost_weight" in document:
        weight = {"cost_weight": _amounts(document["cost_weight"], random)}
    return document | {"actions": actions, "rewards": rewards} | weight


def _measured(body, random):
    body = dict(body)
    if "cost" in body:
        body["cost"] = _amounts(body["cost"], random)
    if "outcomes" in body and random.random() < 0.5:
        body["sample_size"] = random.choice([20, "1/2", 7.5])
    if "given" in body:
        body["given"] = [_measured(clause, random) for clause in body["given"]]
    return body


def _amounts(amounts, random):
    if isinstance(amounts, dict):
        return {resource: _number(each, random) for resource, each in amounts.items()}
    # Nothing at all need not say of which resource; more than that must.
    return _number(amounts, random) if _exact(amounts) else amounts


def _number(written, random):
    """Write a number with an interval, in one of the ways that there are, or as is."""
    number = _exact(written)
    low = number - abs(number) * random.choice([0, Fraction(1, 3), Fraction(1, 10)])
    high = number + random.choice([0, 1, Fraction(7, 3)])
    return random.choice(
        [
            written,
            f"{written} [{low}, {high}]",
            {"value": written, "low": str(low), "high": str(high)},
            {"value": written, "high": str(high)},
        ]
    )


def _exact(written):
    text = str(written)
    return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
