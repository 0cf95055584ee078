"""The plan that fares best in the worst case, line by line."""

import json

import pytest

from branchwise import evaluate, read_text, solve
from branchwise.model.adversary import Adversary
from oracles.robust_oracle import RobustOracle
from problems.robust_documents import robust_documents

GAMMAS = (0, 1, 2, None)


@pytest.mark.parametrize("portion", range(4))
def test_robust_plan_agrees_with_brute_force_over_vertices(portion):
    seed = f"worst case {portion}"
    for document in robust_documents(25, seed, max_states=100, max_actions=5):
        problem = read_text(json.dumps(document), format="json")
        oracle = RobustOracle(document)
        for gamma in GAMMAS:
            solution = solve(problem, exact=True, adversary=Adversary(gamma))
            assert solution.expected_reward == oracle.worst_case(gamma), document[
                "name"
            ]


def test_every_action_considered_or_only_those_of_sets_give_the_same():
    for document in robust_documents(30, "pruned", max_states=200):
        problem = read_text(json.dumps(document), format="json")
        for gamma in GAMMAS:
            adversary = Adversary(gamma, distance="0.15")
            all_of_them, pruned = (
                solve(problem, exact=True, naive=naive, adversary=adversary)
                for naive in (True, False)
            )
            assert all_of_them.expected_reward == pruned.expected_reward
            assert all_of_them.expected_reward == RobustOracle(
                document, distance="0.15"
            ).worst_case(gamma)


def test_no_deviation_is_nominal_and_more_deviations_never_help_us():
    for document in robust_documents(40, "gamma", max_states=100):
        problem = read_text(json.dumps(document), format="json")
        solutions = [
            solve(problem, exact=True, adversary=Adversary(gamma))
            for gamma in (0, 1, 2, 3, None)
        ]
        values = [solution.expected_reward for solution in solutions]
        assert values[0] == solve(problem, exact=True).expected_reward
        assert values[0] == evaluate(solutions[0].tree, problem)
        assert values == sorted(values, reverse=True)


def test_the_tree_has_the_probabilities_that_the_adversary_chooses():
    """At most one of two throws has a deviation: the second, where more is at stake."""
    problem = read_text(
        """
        actions:
          throw: {outcomes: {ok: "0.5 [0.4, 0.6]", fail: rest}}
          again: {requires: throw=ok, outcomes: {ok: "0.5 [0.1, 0.9]", fail: rest}}
        rewards: [{when: again=ok, value: 100}]
        """
    )
    solution = solve(problem, engine="reference", adversary=Adversary(gamma=1))
    policy, root = solution.tree.policy, solution.tree.root
    assert solution.expected_reward == pytest.approx(0.5 * 0.1 * 100)
    assert not policy[root.key].has_deviation
    assert policy[root.child("ok").key].has_deviation
    assert policy[root.child("ok").key].nominal == (0.5, 0.5)
    assert root.child("ok").child("ok").probability == pytest.approx(0.05)
