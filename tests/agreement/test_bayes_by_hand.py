"""
Hidden facts give what the same problem gives with Bayes' rule done by hand.

Without hidden facts, a document says for each action how likely its outcomes are after
everything that the others may have found: a clause for each, as people wrote it before.
"""

import itertools
import json
from fractions import Fraction
from random import Random

import pytest

from branchwise import evaluate, read_text, solve

PORTIONS = 4
PORTION = 50
LABELS = ["plus", "minus"]


def probabilities(random, labels=LABELS):
    cut = random.choice([1, 2, 5, 7, 9])
    return dict(zip(labels, (f"{cut}/10", f"{10 - cut}/10"), strict=True))


def document(random):
    """A few tests of one or two hidden facts, and something that depends on them."""
    hidden = {
        name: probabilities(random, ["yes", "no"])
        for name in ["f", "g"][: random.choice([1, 2])]
    }
    actions = {}
    tests = ["t1", "t2", "t3"][: random.choice([1, 2, 3])]
    for name in [*tests, "treat"]:
        clauses = [
            {"when": f"{fact}=yes", "outcomes": probabilities(random)}
            for fact in hidden
            if random.random() < 0.8
        ]
        body = {"cost": random.choice([1, 1, 2]), "outcomes": probabilities(random)}
        actions[name] = {**body, "given": clauses} if clauses else body
    if random.random() < 0.4:
        actions["treat"]["requires"] = "t1"
    rewards = [{"when": "treat=plus", "value": 20}]
    if random.random() < 0.5:
        rewards.append({"when": {"all": ["t1=plus", "treat=minus"]}, "value": 7})
    return {
        "budget": random.choice([2, 3, 4, 5]),
        "hidden": hidden,
        "actions": actions,
        "rewards": rewards,
        "cost_weight": random.choice([0, 1]),
    }


def by_hand(doc):
    """The same without hidden facts."""
    ways = [
        (dict(zip(doc["hidden"], labels, strict=True)), weight)
        for labels, weight in (
            (labels, product(Fraction(doc["hidden"][f][x]) for f, x in pairs))
            for labels in itertools.product(["yes", "no"], repeat=len(doc["hidden"]))
            for pairs in [list(zip(doc["hidden"], labels, strict=True))]
        )
    ]
    actions = {}
    for name, body in doc["actions"].items():
        others = [other for other in doc["actions"] if other != name]
        clauses = []
        for found in itertools.product([None, *LABELS], repeat=len(others)):
            seen = dict(zip(others, found, strict=True))
            weights = [w * likelihood(doc, way, seen) for way, w in ways]
            shares = {
                label: sum(
                    weight * likelihood(doc, way, {name: label})
                    for weight, (way, _) in zip(weights, ways, strict=True)
                )
                / sum(weights)
                for label in LABELS
            }
            when = [
                f"{other}={label}" if label else {"not": other}
                for other, label in seen.items()
            ]
            outcomes = {label: str(share) for label, share in shares.items()}
            clauses.append({"when": {"all": when}, "outcomes": outcomes})
        actions[name] = {**body, "given": clauses}
    return {key: doc[key] for key in doc if key != "hidden"} | {"actions": actions}


def likelihood(doc, way, seen):
    """How likely it is to see this, if the hidden facts are this way."""
    return product(
        Fraction(outcomes(doc["actions"][name], way)[label])
        for name, label in seen.items()
        if label is not None
    )


def outcomes(body, way):
    for clause in body.get("given", []):
        fact, label = clause["when"].split("=")
        if way[fact] == label:
            return clause["outcomes"]
    return body["outcomes"]


def product(numbers):
    found = Fraction(1)
    for number in numbers:
        found *= number
    return found


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_200_problems_are_worth_the_same_with_bayes_rule_by_hand(portion):
    for index in range(PORTION):
        doc = document(Random(f"{portion}/{index}"))
        hidden = read_text(json.dumps(doc), format="json")
        plain = read_text(json.dumps(by_hand(doc)), format="json")
        found = solve(hidden, exact=True)
        expected = solve(plain, exact=True, verify=False)

        assert found.expected_reward == expected.expected_reward, doc
        assert found.tree.num_nodes == expected.tree.num_nodes, doc
        # Either plan can be carried out in the other problem.
        assert evaluate(found.tree, plain) == found.expected_reward, doc
        assert evaluate(expected.tree, hidden) == found.expected_reward, doc
