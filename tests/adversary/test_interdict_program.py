"""The mixed-integer program finds what the search finds, and what brute force does."""

import json
import sys
from dataclasses import replace

import pytest

from branchwise import Defense, LimitError, defend, generate, read_text
from oracles.defense_oracle import best, defended_documents, everything

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


def test_a_large_problem_is_refused():
    problem = generate(25, 15, seed=1, defenses=20)

    with pytest.raises(LimitError, match="more than 40,000 rows; the method `search`"):
        defend(problem, method="program")


def test_too_many_defenses_of_one_action_are_refused():
    problem = generate(8, 5, seed=1)
    many = [Defense(f"d{n}", scales={"a1": {"ok": "0.9"}}) for n in range(11)]

    with pytest.raises(LimitError, match="too many defenses touch `a1`"):
        defend(replace(problem, defenses=tuple(many)), method="program")


def test_without_highs_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)

    with pytest.raises(ImportError, match="needs HiGHS: pip install highspy"):
        defend(generate(8, 5, seed=1, defenses=3), method="program")


def test_a_program_without_time_still_has_an_answer_and_a_bound():
    problem = generate(10, 5, seed=1, defenses=6, defense_budget=2)
    best_value = defend(problem, worths=False).value

    answer = defend(problem, method="program", time_limit_seconds=0.02)

    assert answer.lower_bound <= best_value + 1e-6
    assert answer.value >= best_value - 1e-6


def test_the_program_answers_without_trying_sets():
    """Only the best set is answered by the engine, to say its value exactly."""
    problem = generate(10, 5, seed=1, defenses=6, defense_budget=2)

    statistics = defend(problem, method="program", worths=False).statistics

    assert statistics.num_solved <= 3
    assert statistics.num_sets == 1 + 6 + 15
