"""
Every way to solve a problem agrees with the brute force of `oracle.py`.

The 1,000 random problems use the whole format: repeats, conditioning, nested negation,
several resources, fractional costs, sums, cost weights, chained rewards and preclusions
that depend on order. They are dealt out in portions, so that processes can share them.
"""

import json
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings

from branchwise import evaluate, read_text, solve
from branchwise.reference.objective import OBJECTIVES
from oracles.oracle import Oracle
from problems.strategies import documents, seeded_oracles

PORTIONS = 20
PORTION = 50


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def measure(objective, tree):
    """What the secondary objective makes of a tree, counted node by node."""
    decisions = [node for node in tree.walk() if node.action]
    if objective == "fewest-nodes":
        return tree.num_nodes
    if objective == "least-depth":
        return max(len(node.path) for node in tree.walk())
    if objective == "fewest-expected-actions":
        return sum(node.probability for node in decisions)
    return sum(node.probability * spent(node) for node in decisions)


def spent(node):
    """What the node's action costs, all resources added up: what is gone after it."""
    child = next(iter(node.children.values()))
    before, after = node.budget_left, child.budget_left
    assert not any(limit == float("inf") for limit in before.values())
    return sum((before[r] - after[r] for r in before), Fraction(0))


def agree(oracle):
    value = oracle.value(oracle.root)
    fewest = oracle.worth("fewest-nodes", oracle.root)
    problem = problem_of(oracle.doc)

    naive = solve(problem, naive=True, exact=True, verify=False)
    accelerated = solve(problem, exact=True, verify=False)
    floats = solve(problem)

    assert naive.expected_reward == value
    assert accelerated.expected_reward == value
    assert floats.expected_reward == pytest.approx(float(value), rel=1e-9, abs=1e-9)
    assert naive.tree.num_nodes == fewest
    assert accelerated.tree.num_nodes == fewest
    assert evaluate(accelerated.tree, problem) == value
    assert evaluate(floats.tree, problem) == value
    assert naive.statistics.full_graph_states == len(oracle.reachable())
    pruned = accelerated.statistics.full_graph_states
    assert pruned <= naive.statistics.full_graph_states


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_1000_random_problems_agree_with_brute_force(portion):
    # Every tenth portion may be large; the others cover more ground in less time.
    max_states = 3000 if portion % 10 == 0 else 500
    for oracle in seeded_oracles(PORTION, seed=portion, max_states=max_states):
        agree(oracle)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents(max_actions=4, max_states=300))
def test_small_problems_agree_with_brute_force(document):
    agree(Oracle(document))


@pytest.mark.parametrize("objective", sorted(set(OBJECTIVES) - {"order"}))
def test_every_objective_agrees_with_brute_force(objective):
    for oracle in seeded_oracles(60, seed="objectives", max_states=500):
        document = oracle.doc
        if objective == "least-expected-cost" and "unlimited" in str(
            document["budget"]
        ):
            continue  # What is spent of an unlimited resource does not show.
        problem = problem_of(document)
        best = oracle.worth(objective, oracle.root)
        for naive in (False, True):
            found = solve(
                problem, prefer=objective, naive=naive, exact=True, verify=False
            )

            assert found.expected_reward == oracle.value(oracle.root), document
            assert evaluate(found.tree, problem) == found.expected_reward, document
            assert measure(objective, found.tree) == best, document
