"""The mixed-integer program finds what the search finds, and what brute force does."""

import json

import pytest

from branchwise import defend, read_text
from defense_oracle import best, defended_documents, everything

pytest.importorskip("highspy")

PORTIONS = 4
PORTION = 20


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_80_random_problems_agree_with_search_and_brute_force(portion):
    for document in defended_documents(PORTION, f"program {portion}", max_states=40):
        problem = read_text(json.dumps(document), format="json")
        expected = best(everything(document), document["defense_budget"])
        searched = defend(problem)

        answer = defend(problem, method="program")

        name = document["name"]
        value = pytest.approx(float(expected.value), abs=1e-6)
        assert float(answer.value) == value, name
        assert answer.chosen == searched.chosen == expected.names, name
        assert answer.method == "program"
        assert [point.chosen for point in answer.frontier] == [
            point.chosen for point in searched.frontier
        ], name
        for ours, theirs in zip(answer.worths, searched.worths, strict=True):
            assert ours.is_chosen == theirs.is_chosen
            if theirs.margin is None:
                assert ours.margin is None
            else:
                assert ours.margin == pytest.approx(theirs.margin, abs=1e-6), name
