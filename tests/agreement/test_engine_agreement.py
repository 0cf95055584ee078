"""
Every native engine agrees with the brute force of `oracle.py`, in value and in nodes.

3,000 random problems with every feature of the format, smaller than those on which the
reference engine is compared (test_agreement.py), so that there can be more of them;
test_gadgets.py has 5,000 that are built to break a rule, and `make fuzz` any number.
"""

import json
from fractions import Fraction

import pytest

from branchwise import evaluate, read_text, solve
from problems.strategies import seeded_oracles

PORTIONS = 30
PORTION = 100
WAYS = (
    {"engine": "canonical", "search": "exhaustive"},
    {"engine": "canonical", "search": "best-first"},
    {"engine": "paper"},
)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_3000_random_problems_agree_with_brute_force(portion):
    """Brute force judges every way, and once per problem the checker does, too."""
    max_states = 1000 if portion % 10 == 0 else 120
    for oracle in seeded_oracles(
        PORTION, seed=f"engines {portion}", max_states=max_states
    ):
        document = oracle.doc
        value = oracle.value(oracle.root)
        fewest = oracle.worth("fewest-nodes", oracle.root)
        problem = read_text(json.dumps(document), format="json")
        for way in WAYS:
            solution = solve(problem, num_threads=1, verify=False, **way)

            assert solution.expected_reward == pytest.approx(
                float(value), rel=1e-9, abs=1e-9
            ), document["name"]
            assert solution.tree.num_nodes == fewest, (document["name"], way)
            assert evaluate(solution.tree, problem) == value, (document["name"], way)
        assert evaluate(solve(problem).tree, problem) == value, document["name"]


@pytest.mark.parametrize("portion", range(8))
def test_an_answer_within_a_gap_has_bounds_that_hold(portion):
    for oracle in seeded_oracles(50, seed=f"gap {portion}", max_states=400):
        document = oracle.doc
        value = oracle.value(oracle.root)
        problem = read_text(json.dumps(document), format="json")

        solution = solve(problem, gap=0.2)

        worth = evaluate(solution.tree, problem)
        assert isinstance(worth, Fraction)
        assert worth <= value
        assert float(worth) >= solution.expected_reward - 1e-9, document["name"]
        assert solution.upper_bound >= float(value) - 1e-9, document["name"]
        assert solution.relative_gap <= 0.2 + 1e-9
