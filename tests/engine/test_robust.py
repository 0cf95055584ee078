"""The canonical engine in the worst case: the same answers as the reference engine."""

import json
from threading import Event

import pytest

from branchwise import Adversary, Solver, generate, read_text, solve
from problems.robust_documents import robust_documents

GAMMAS = (0, 1, 2, None)


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
@pytest.mark.parametrize("portion", range(3))
def test_worst_case_and_tree_are_those_of_the_reference(portion, search):
    for document in robust_documents(50, f"robust {portion}", max_states=100):
        problem = read_text(json.dumps(document), format="json")
        for gamma in GAMMAS:
            adversary = Adversary(gamma, distance="0.1" if portion else None)
            expected = solve(problem, engine="reference", adversary=adversary)
            found = solve(problem, search=search, adversary=adversary, num_threads=1)

            what = (document["name"], gamma)
            assert found.expected_reward == pytest.approx(
                expected.expected_reward, rel=1e-9, abs=1e-9
            ), what
            assert found.tree.num_nodes == expected.tree.num_nodes, what


def test_an_answer_within_a_gap_has_bounds_that_hold():
    for document in robust_documents(60, "robust gap", max_states=300):
        problem = read_text(json.dumps(document), format="json")
        for gamma in (1, None):
            adversary = Adversary(gamma)
            value = solve(problem, adversary=adversary).expected_reward

            solution = solve(problem, adversary=adversary, gap=0.3)

            assert solution.expected_reward <= value + 1e-9, document["name"]
            assert solution.upper_bound >= value - 1e-9, document["name"]
            assert solution.relative_gap <= 0.3 + 1e-9


def test_one_solver_serves_every_number_of_deviations():
    problem = generate(actions=14, budget=8, seed=3)
    solver = Solver(problem)
    for gamma in (None, 0, 2, 1):
        adversary = Adversary(gamma, distance="0.1")
        warm = solver.solve(adversary=adversary).expected_reward
        assert warm == solve(problem, adversary=adversary).expected_reward
    assert solver.solve().expected_reward == solve(problem).expected_reward


def test_as_many_deviations_as_actions_are_as_good_as_no_limit():
    problem = generate(actions=10, budget=5, seed=1)
    values = [
        solve(problem, adversary=Adversary(gamma, distance="0.1")).expected_reward
        for gamma in (10**6, None)
    ]
    assert values[0] == values[1]


def test_what_has_no_nominal_probability_may_come_of_a_deviation():
    """Nothing goes wrong nominally; in the worst case one in five is lost."""
    text = """
    actions: {go: {outcomes: {ok: rest, lost: "0 [0, 0.2]"}}}
    rewards: [{when: go=ok, value: 10}]
    """
    for engine in ("canonical", "reference"):
        solution = solve(read_text(text), engine=engine, adversary=Adversary())
        assert solution.expected_reward == pytest.approx(8)
        assert solution.tree.root.child("lost").probability == pytest.approx(0.2)
        assert solution.tree.root.nominal == {"ok": 1, "lost": 0}
        assert solution.tree.root.has_deviation
        assert solve(read_text(text), engine=engine).expected_reward == 10


def test_a_cancelled_run_has_a_plan_and_bounds():
    problem = generate(actions=40, budget=20, seed=4)
    cancel = Event()
    cancel.set()
    solution = solve(problem, adversary=Adversary(2, "0.1"), cancel=cancel)
    assert solution.status == "interrupted"
    assert solution.upper_bound >= solution.expected_reward


def test_the_paper_engine_refuses():
    problem = generate(actions=5, seed=1)
    with pytest.raises(ValueError, match="`paper` knows no adversary"):
        solve(problem, engine="paper", adversary=Adversary())
