"""
Storm, a model checker that knows nothing of branchwise, agrees with brute force.

What `convert` writes for it is checked with fractions, so that the values are equal and
not only close. Storm is part of what developers install; without it this file fails.
"""

import json
import math
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import branchwise
from oracles.oracle import Oracle
from oracles.witness import storm_result, storm_value
from problems.strategies import awkward_names, seeded_documents
from problems.wide_documents import wide_oracles

# The tireworld has more states than the export lists; its value is that of Storm, by
# another model (test_known_values.py).
EXAMPLES = sorted(
    path
    for path in Path(__file__).parents[2].glob("examples/*.yaml")
    if path.stem != "tireworld"
)
PORTIONS = 6
PORTION = 40


def witness(problem):
    return storm_value(branchwise.write_text(problem, "prism"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_storm_agrees_on_the_examples(path):
    problem = branchwise.read(path)
    solution = branchwise.solve(problem, exact=True)

    assert witness(problem) == solution.expected_reward


@pytest.mark.parametrize(
    ("budget", "value"),
    [
        (3, "33/5"),
        (4, "393/50"),
        (5, "4119/500"),
        (6, "105459/12500"),
        (7, "530211/62500"),
    ],
)
def test_storm_agrees_on_the_illustrative_example(budget, value):
    problem = branchwise.read(EXAMPLES[0].parent / "illustrative.yaml")

    assert witness(problem.with_budget(budget)) == Fraction(value)


@pytest.mark.parametrize("cost", [False, True])
def test_storm_agrees_where_states_hold_more(cost):
    """With hidden facts, counters, endings and finishing, every state is listed."""
    for oracle in wide_oracles(20, seed="storm", cost=cost or None):
        value = oracle.value(oracle.root)
        problem = branchwise.read_text(json.dumps(oracle.doc), format="json")
        if value > -math.inf:
            found = witness(problem)
            assert (-found if problem.is_least_cost else found) == value, oracle.doc


def test_the_states_of_the_model_are_those_of_the_problem():
    """The naive full graph of the paper's example has 175; `done` is one more."""
    problem = branchwise.read(EXAMPLES[0].parent / "illustrative.yaml")
    text = branchwise.write_text(problem, "prism")

    assert storm_result(text, 'Rmax=? [F "done"]')[1] == 175 + 1


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_240_random_problems_agree_with_brute_force(portion):
    random = Random(portion)
    drawn = seeded_documents(PORTION, seed=f"storm/{portion}", max_states=300)
    for number, plain in enumerate(drawn):
        document = plain if number % 4 else awkward_names(plain, random)
        oracle = Oracle(document)
        problem = branchwise.read_text(json.dumps(document), "json")

        assert witness(problem) == oracle.value(oracle.root), document


def test_numbers_beyond_64_bits_stay_exact():
    """One in 10^30 for 10^40: worth 10^10, and a second try adds what is left."""
    tiny = Fraction(1, 10**30)
    draw = branchwise.Action("draw", outcomes={"hit": tiny, "miss": "rest"}, attempts=2)
    problem = branchwise.Problem([draw], [branchwise.Reward(draw["hit"], 10**40)])

    assert witness(problem) == (2 * tiny - tiny**2) * 10**40


def test_storm_counts_exactly_as_far_as_the_export_goes():
    """Two costs without a common unit: 2^52 is within what a model may count."""
    large, small = (
        branchwise.Action(name, outcomes={"x": 1}, cost=cost)
        for name, cost in {"large": 2**52 - 1, "small": 2}.items()
    )
    rewards = [branchwise.Reward(large.attempted & small.attempted, 3)]
    problem = branchwise.Problem([large, small], rewards, budget=2**52)

    assert witness(problem) == 0
    assert witness(problem.with_budget(2**52 + 1)) == 3
