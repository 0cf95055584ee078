"""A robust plan beside the nominal one: numbers worked by hand, and what must hold."""

import itertools
import json
from threading import Event

import pytest

from branchwise import (
    Adversary,
    LimitError,
    Status,
    generate,
    read_text,
    robustness,
    solve,
)
from branchwise.tree.robustness import worst_value
from problems.robust_documents import robust_documents

TWO_WAYS = """
actions:
  broad: {outcomes: {ok: "0.7 [0.4, 0.8]", fail: rest}}
  narrow: {outcomes: {ok: "0.6 [0.55, 0.65]", fail: rest}}
budget: 1
rewards:
  - {when: broad=ok or narrow=ok, value: 100}
"""


def test_numbers_worked_by_hand():
    """Broad is worth 70 or at worst 40, narrow 60 or at worst 55: narrow is robust."""
    solution = solve(read_text(TWO_WAYS), adversary=Adversary(), robustness=True)
    found = solution.robustness

    assert solution.first_action == "narrow"
    assert found.worst_case == pytest.approx(55)
    assert found.nominal == pytest.approx(60)
    assert found.nominal_optimum == pytest.approx(70)
    assert found.price == pytest.approx(10)
    assert found.nominal_worst_case == pytest.approx(40)
    assert found.by_gamma[0] == (0, pytest.approx(70))
    assert found.by_gamma[-1] == (None, pytest.approx(55))
    gains = {each.action: each.gain for each in found.perturbations}
    assert gains == {"broad": pytest.approx(15), "narrow": pytest.approx(5)}
    assert [each.deviations for each in found.perturbations] == [0, 1]


@pytest.mark.parametrize("gamma", [0, 1, 2, None])
def test_what_goes_unseen_lies_between_the_worst_case_and_that_without_limit(gamma):
    for document in robust_documents(25, "unseen", max_states=80):
        problem = read_text(json.dumps(document), format="json")
        solution = solve(problem, adversary=Adversary(gamma))
        unlimited = worst_value(solution.tree, None)
        unseen = worst_value(solution.tree, gamma)
        assert unlimited - 1e-9 <= unseen <= solution.expected_reward + 1e-9
        if gamma in (0, None):
            assert unseen == pytest.approx(solution.expected_reward, abs=1e-9)


def test_value_never_rises_with_the_number_of_deviations():
    for document in robust_documents(15, "curve", max_states=80):
        problem = read_text(json.dumps(document), format="json")
        solution = solve(problem, adversary=Adversary(gamma=1), robustness=True)
        values = [value for _, value in solution.robustness.by_gamma]
        assert all(a >= b - 1e-9 for a, b in itertools.pairwise(values))
        assert solution.robustness.nominal_worst_case <= solution.expected_reward + 1e-9
        assert solution.robustness.price >= -1e-9


def test_exact_solutions_have_exact_robustness():
    solution = solve(
        read_text(TWO_WAYS), exact=True, adversary=Adversary(), robustness=True
    )
    assert solution.robustness.price == 10


def test_a_nominal_solution_has_no_robustness():
    with pytest.raises(ValueError, match="against an adversary"):
        solve(read_text(TWO_WAYS), robustness=True)


def test_a_plan_that_is_not_proven_has_no_robustness():
    problem = generate(60, seed="limit", budget=30)
    stop = Event()
    stop.set()

    solution = solve(
        problem, adversary=Adversary(1, "5%"), robustness=True, cancel=stop
    )

    assert solution.status is Status.INTERRUPTED
    assert solution.robustness is None


def test_a_limit_met_after_the_plan_leaves_robustness_out(monkeypatch):
    def late(*_):
        raise LimitError("the time limit was met")

    monkeypatch.setattr(robustness, "_robustness", late)

    solution = solve(read_text(TWO_WAYS), adversary=Adversary(), robustness=True)

    assert (solution.status, solution.robustness) == (Status.OPTIMAL, None)


def test_what_outcomes_cost_moves_with_their_probabilities():
    """By hand: to try after what is safe fails with 0.5, or 0.8, and then costs 4."""
    problem = read_text(
        """
        budget: 10
        actions:
          try:
            cost: 0
            outcomes: {ok: "0.5 [0.2, 0.6]", no: {probability: rest, cost: 4}}
          safe: {cost: 0, precluded_by: try, outcomes: {done: 1}}
        rewards: [{when: try=ok, value: 10}, {when: safe, value: 1}]
        cost_weight: 1
        """,
        "yaml",
    )
    for engine in ("canonical", "reference"):
        found = solve(
            problem, adversary=Adversary(), robustness=True, engine=engine, verify=False
        )
        assert (found.first_action, found.expected_reward) == ("safe", 1)
        known = found.robustness
        # The best nominal plan tries as well: 5 + 0.5 - 2, and at worst 2 + 0.8 - 3.2.
        assert (known.nominal, known.nominal_optimum) == (1, pytest.approx(3.5))
        assert known.nominal_worst_case == pytest.approx(-0.4)
