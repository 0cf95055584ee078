"""Robust plans where states hold more than outcomes, against brute force."""

import json

import pytest

from branchwise import Adversary, read_text, solve
from oracles.robust_oracle import RobustOracle
from problems.wide_documents import wide_oracles

DISTANCE = "0.1"
FEATURES = ("counters", "comparisons", "endings", "outcome_costs")
WAYS = (
    {"engine": "reference", "exact": True},
    {"engine": "canonical"},
    {"engine": "canonical", "search": "best-first"},
)


@pytest.mark.parametrize("gamma", [1, None])
def test_the_worst_case_is_what_brute_force_says(gamma):
    for oracle in wide_oracles(30, seed="robust", max_states=80, only=FEATURES):
        problem = read_text(json.dumps(oracle.doc), format="json")
        value = RobustOracle(oracle.doc, DISTANCE).worst_case(gamma)
        adversary = Adversary(gamma, distance=DISTANCE)
        for way in WAYS:
            found = solve(problem, adversary=adversary, verify=False, **way)

            worst = pytest.approx(float(value), rel=1e-9, abs=1e-9)
            assert found.expected_reward == worst, (way, oracle.doc)
