"""5,000 problems built to break one rule each: both searches and `auto` are right.

`make fuzz` does as many more as one likes.
"""

import pytest

from oracles.auto_differences import first_auto_difference
from oracles.differences import (
    first_difference,
    first_difference_elsewhere,
    first_robust_difference,
)
from problems.gadgets import PARTS, RARE, gadget_documents, gadget_oracles
from problems.straight_problem import straight_problem

PORTIONS = 20
PORTION = 250


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_5000_built_problems_agree_with_brute_force(portion):
    """The answers of both searches and of `auto`; every 25th of all engines."""
    for number, oracle in enumerate(gadget_oracles(PORTION, f"gadgets {portion}")):
        assert first_difference(oracle) is None, oracle.doc
        assert first_auto_difference(oracle) is None, oracle.doc
        if number % 25 == 0:
            assert first_difference_elsewhere(oracle) is None, oracle.doc


def test_the_worst_case_agrees_with_brute_force():
    for oracle in gadget_oracles(60, "worst case", max_states=60):
        assert first_robust_difference(oracle) is None, oracle.doc


@pytest.mark.parametrize("part", [*PARTS, *RARE])
def test_every_part_makes_problems_that_can_be_read(part):
    documents = list(gadget_documents(20, "parts", part=part))

    assert all(straight_problem(doc).actions for doc in documents)
    assert documents == list(gadget_documents(20, "parts", part=part))
