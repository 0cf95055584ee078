"""The best defenses are those that a brute force over all sets finds, ties included."""

import json

import pytest

from branchwise import Status, defend, read_text
from defense_oracle import best, defended_documents, everything

PORTIONS = 10
PORTION = 30


def problem_of(document):
    return read_text(json.dumps(document), format="json")


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_300_random_problems_agree_with_brute_force(portion):
    for document in defended_documents(
        PORTION, f"defend {portion}", max_states=60, most=5 if portion % 3 else 4
    ):
        problem = problem_of(document)
        found = list(everything(document))
        expected = best(found, document["defense_budget"])

        answer = defend(problem, exact=portion == 0)

        name = document["name"]
        assert float(answer.value) == pytest.approx(float(expected.value), abs=1e-9), (
            name
        )
        assert answer.chosen == expected.names, name
        assert answer.cost == expected.cost
        assert answer.status is Status.OPTIMAL
        assert float(answer.value_before) == pytest.approx(float(found[0].value))
        _check_frontier(answer, document, found)
        _check_worths(answer, document, found)


def _check_frontier(answer, document, found):
    """Every kink is the best of its own budget, and nothing lies between."""
    costs = sorted({one.cost for one in found if one.cost <= answer.cost})
    kinks = {}
    for cost in costs:
        one = best(found, cost)
        kinks.setdefault(one.value, one)
    frontier = [(point.cost, point.chosen) for point in answer.frontier]
    assert frontier == [(one.cost, one.names) for one in kinks.values()]
    for point, one in zip(answer.frontier, kinks.values(), strict=True):
        assert float(point.value) == pytest.approx(float(one.value), abs=1e-9)


def _check_worths(answer, document, found):
    budget = document["defense_budget"]
    optimum = best(found, budget).value
    for worth in answer.worths:
        alone = next(one for one in found if one.names == (worth.name,))
        side = {"lacks" if worth.is_chosen else "has": [worth.name]}
        other = best(found, budget, **side)
        assert worth.is_chosen == (worth.name in answer.chosen)
        assert float(worth.alone) == pytest.approx(float(alone.value), abs=1e-9)
        if other is None:
            assert worth.otherwise is worth.margin is None
        else:
            assert float(worth.otherwise) == pytest.approx(float(other.value), abs=1e-9)
            margin = float(other.value - optimum)
            assert float(worth.margin) == pytest.approx(margin, abs=1e-9)
