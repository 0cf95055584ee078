"""States in files come to the answer of those in memory, to the last bit."""

from random import Random

import pytest

from branchwise import generate
from branchwise.engine.spill.spilled_run import PartLimits
from oracles.spilled import KINDS, OBJECTIVES, drawn_parts, spilled_difference
from problems.straight_problem import straight_problem


@pytest.mark.parametrize("kind", KINDS)
def test_random_problems_in_many_parts_have_the_answer_of_one_in_memory(kind):
    for oracle in KINDS[kind](60, f"spill {kind}"):
        random = Random(oracle.doc["name"])
        problem = straight_problem(oracle.doc)
        parts, prefer = drawn_parts(random), random.choice(OBJECTIVES)

        difference = spilled_difference(problem, parts, prefer)

        assert difference is None, (parts, prefer, oracle.doc)


@pytest.mark.parametrize("most", [9_000, 13_000])
def test_a_layer_that_is_given_up_half_way_changes_nothing(most):
    """Layers of more states than are expanded in one go: some of each are done."""
    how = {"layers": 7, "prerequisites": "2-3", "or_share": "0.7"}
    problem = generate(60, budget=13, seed=12, success="0.4-0.9", **how)

    assert spilled_difference(problem, PartLimits(most=most)) is None
