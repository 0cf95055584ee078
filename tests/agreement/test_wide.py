"""
Problems whose states hold more than outcomes agree with the brute force of `oracle.py`.

They have hidden facts, counters, comparisons, endings, costs of outcomes, rewards per
counter, and somewhere to finish; see `problems.wide_documents`.
"""

import json
import math
import pickle

import pytest

from branchwise import ProblemError, evaluate, read_text, solve
from branchwise.model.execution.remaining import problem_after
from branchwise.reference.objective import OBJECTIVES
from branchwise.tree.prospects.outlook import outlook
from problems.straight_problem import straight_problem
from problems.wide_documents import WIDE, wide_oracles

PORTIONS = 6
PORTION = 50


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def agree(oracle):
    value, problem = oracle.value(oracle.root), problem_of(oracle.doc)
    if value == -math.inf:
        with pytest.raises(ProblemError, match="every plan may get stuck"):
            solve(problem)
        return
    exact = solve(problem, exact=True, engine="reference")
    floats = solve(problem, engine="reference")

    assert exact.expected_reward == value, oracle.doc
    assert exact.tree.num_nodes == oracle.worth("fewest-nodes", oracle.root), oracle.doc
    assert exact.statistics.full_graph_states == len(oracle.reachable()), oracle.doc
    assert floats.expected_reward == pytest.approx(float(value), rel=1e-9, abs=1e-9)
    assert evaluate(exact.tree, problem) == value, oracle.doc
    assert evaluate(floats.tree, problem) == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_300_random_problems_agree_with_brute_force(portion):
    for oracle in wide_oracles(PORTION, seed=portion):
        agree(oracle)


@pytest.mark.parametrize("feature", WIDE)
def test_each_feature_alone_agrees_with_brute_force(feature):
    for oracle in wide_oracles(15, seed="alone", only=(feature,)):
        agree(oracle)


def test_least_cost_agrees_with_brute_force():
    for oracle in wide_oracles(30, seed="cost", cost=True):
        agree(oracle)


def test_reading_a_document_gives_what_it_says():
    for oracle in wide_oracles(60, seed="read"):
        assert problem_of(oracle.doc) == straight_problem(oracle.doc), oracle.doc


@pytest.mark.parametrize("objective", sorted(set(OBJECTIVES) - {"order"}))
def test_every_objective_agrees_with_brute_force(objective):
    for oracle in wide_oracles(40, seed="objectives"):
        if oracle.value(oracle.root) == -math.inf:
            continue
        problem = problem_of(oracle.doc)
        found = solve(problem, prefer=objective, exact=True)
        expected = outlook(found.tree, problem)
        depth = max(len(node.path) for node in found.tree.walk())
        costs = sum(each.mean for each in expected.costs.values())
        measured = {
            "fewest-nodes": found.tree.num_nodes,
            "least-depth": depth,
            "least-expected-cost": costs,
            "fewest-expected-actions": expected.num_actions.mean,
        }

        assert found.expected_reward == oracle.value(oracle.root), oracle.doc
        best = oracle.worth(objective, oracle.root)
        assert measured[objective] == best, oracle.doc


def test_the_outlook_has_the_value_as_its_mean_and_adds_up():
    for oracle in wide_oracles(60, seed="outlook"):
        if oracle.value(oracle.root) == -math.inf:
            continue
        problem = problem_of(oracle.doc)
        found = solve(problem, exact=True)
        expected = outlook(found.tree, problem)

        assert expected.net_rewards.mean == found.expected_reward, oracle.doc
        spent = {r: each.mean for r, each in expected.costs.items()}
        charge = problem.charge_weight.times(spent)
        assert expected.rewards.mean - charge == found.expected_reward, oracle.doc
        for each in (expected.net_rewards, expected.rewards, expected.num_actions):
            assert sum(p for _, p in each.chances) == 1


def test_what_is_left_after_an_outcome_is_worth_what_the_plan_says():
    """The problem left has another prior, counters elsewhere, and shifted counts."""
    for oracle in wide_oracles(60, seed="after"):
        if oracle.value(oracle.root) == -math.inf:
            continue
        problem = problem_of(oracle.doc)
        whole = solve(problem, exact=True)
        for node in whole.tree.walk():
            if 0 < len(node.path) < 4:
                left = problem_after(problem, node.path)
                found = solve(left, exact=True)
                assert found.expected_reward == node.value, (oracle.doc, node.path)
                again = solve(problem, exact=True, after=node.path)
                assert again.tree.root.state == node.state, (oracle.doc, node.path)


def test_a_pickled_tree_describes_its_states_as_before():
    for oracle in wide_oracles(30, seed="pickle"):
        if oracle.value(oracle.root) == -math.inf:
            continue
        tree = solve(problem_of(oracle.doc), exact=True).tree
        again = pickle.loads(pickle.dumps(tree))
        states = [node.state for node in tree.walk()]
        assert [node.state for node in again.walk()] == states, oracle.doc
