"""What the search for defenses promises, without a clock."""

import pytest
from page import results_page
from parts.defenses import SIZES, blocks, problem_of

from branchwise import defend


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_few_of_all_sets_are_ever_looked_at(benchmark, seed):
    problem = problem_of(SIZES[1], seed)

    answer = benchmark.pedantic(lambda: defend(problem, worths=False), rounds=1)

    assert answer.status == "optimal"
    assert answer.statistics.num_sets == 21_700
    assert answer.statistics.num_solved < 21_700 / 100


def test_the_page_shows_what_was_measured():
    found = results_page.read_results("defenses")

    (table,) = blocks(found).values()

    assert table in results_page.PAGE.read_text(encoding="utf-8")
    assert len(table.splitlines()) == 2 + len(SIZES)
