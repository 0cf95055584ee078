"""States in files come to the answer of those in memory, to the last bit."""

from random import Random

import pytest

from oracles.spilled import drawn_parts, spilled_difference
from problems.gadgets import gadget_oracles
from problems.straight_problem import straight_problem
from problems.strategies import seeded_oracles
from problems.wide_documents import wide_oracles

OBJECTIVES = (
    "fewest-nodes",
    "least-depth",
    "least-expected-cost",
    "fewest-expected-actions",
    "order",
)

KINDS = {
    "uniform": seeded_oracles,
    "gadgets": gadget_oracles,
    "wide": wide_oracles,
}


@pytest.mark.parametrize("kind", KINDS)
def test_random_problems_in_many_parts_have_the_answer_of_one_in_memory(kind):
    for oracle in KINDS[kind](60, f"spill {kind}"):
        random = Random(oracle.doc["name"])
        problem = straight_problem(oracle.doc)
        parts, prefer = drawn_parts(random), random.choice(OBJECTIVES)

        difference = spilled_difference(problem, parts, prefer)

        assert difference is None, (parts, prefer, oracle.doc)
