"""Certificates of problems whose states hold more than outcomes and what is left."""

import json
import math

import pytest

import branchwise
from branchwise.certificate import checker
from problems.wide_documents import wide_oracles

PORTIONS = 4


def certified(oracle):
    problem = branchwise.read_text(json.dumps(oracle.doc), format="json")
    return branchwise.certify(problem)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_the_checker_proves_what_brute_force_finds(portion):
    for oracle in wide_oracles(25, seed=f"certificate {portion}"):
        if (value := oracle.value(oracle.root)) > -math.inf:
            assert checker.check(certified(oracle).text()) == (value, value), oracle.doc


def test_costs_are_proven_as_what_is_lost():
    for oracle in wide_oracles(15, seed="certificate cost", cost=True):
        if (value := oracle.value(oracle.root)) > -math.inf:
            assert checker.check(certified(oracle).text()) == (value, value), oracle.doc


def changes(document):
    """The same certificate with one thing about the problem a little different."""
    for place, action in enumerate(document["problem"]["actions"]):
        for label, outcome in action["outcomes"].items():
            for key, value in (("ends", "lose"), ("effects", {})):
                if outcome[key] != value:
                    other = json.loads(json.dumps(document))
                    changed = other["problem"]["actions"][place]["outcomes"][label]
                    changed[key] = value
                    yield other
    for place, _ in enumerate(document["problem"]["hidden"]):
        other = json.loads(json.dumps(document))
        other["problem"]["hidden"][place][0] = "2"
        yield other


def test_a_certificate_does_not_hold_for_another_problem():
    """Whatever changes the value must be noticed; some changes make no difference."""
    rejected = 0
    for oracle in wide_oracles(20, seed="another"):
        if oracle.value(oracle.root) == -math.inf:
            continue
        certificate = certified(oracle)
        for other in changes(json.loads(certificate.text())):
            try:
                checker.check(json.dumps(other))
            except checker.RejectedError:
                rejected += 1
    assert rejected > 20


def test_a_row_that_says_more_is_rejected():
    (oracle,) = wide_oracles(1, seed="more", only=("hidden",))
    document = json.loads(certified(oracle).text())
    document["claim"]["at_least"] = document["policy"][0][0] = "1000000"
    with pytest.raises(checker.RejectedError, match="row 0"):
        checker.check(json.dumps(document))
