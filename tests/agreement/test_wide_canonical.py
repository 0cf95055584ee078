"""
Canonical states that hold more than outcomes agree with brute force.

Every search, fractions and every objective, on random problems with endings, costs of
outcomes, counters, comparisons and hidden facts.
"""

import math

import pytest

from branchwise import evaluate, solve
from branchwise.engine.limits import CANONICAL_STATES, PAPER_STATES
from branchwise.model.features import features_of
from oracles.plain_force import PlainForce
from problems.held_problems import PARTS, held_problems
from problems.straight_problem import straight_problem
from problems.wide_documents import wide_oracles

MOST_STATES = 3_000
OBJECTIVES = ("least-depth", "least-expected-cost", "fewest-expected-actions", "order")


def wide_problems(count, seed, held=CANONICAL_STATES):
    """Random problems that canonical states can hold, each with its oracle."""
    for oracle in wide_oracles(count, seed=seed):
        problem = straight_problem(oracle.doc)
        if held.issuperset(features_of(problem)):
            yield problem, oracle


def close(value):
    return pytest.approx(float(value), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("portion", range(4))
def test_searches_and_fractions_agree_with_brute_force(portion):
    for problem, oracle in wide_problems(150, f"canonical {portion}"):
        value = oracle.value(oracle.root)
        nodes = oracle.worth("fewest-nodes", oracle.root)
        for search in ("exhaustive", "best-first"):
            found = solve(problem, engine="canonical", search=search)
            assert found.expected_reward == close(value), (search, oracle.doc)
            assert found.tree.num_nodes == nodes, (search, oracle.doc)
            assert evaluate(found.tree, problem) == close(value), oracle.doc
        exact = solve(problem, exact=True)
        assert exact.expected_reward == value, oracle.doc
        assert exact.tree.num_nodes == nodes, oracle.doc


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_chooses_the_tree_that_the_reference_chooses(objective):
    for problem, oracle in wide_problems(100, "canonical objectives"):
        ours = solve(problem, engine="canonical", prefer=objective)
        theirs = solve(problem, engine="reference", prefer=objective, exact=True)
        is_same = [node.action for node in ours.tree.walk()] == [
            node.action for node in theirs.tree.walk()
        ]
        if objective == "order":
            assert is_same, oracle.doc
        assert ours.expected_reward == close(theirs.expected_reward), oracle.doc
        assert ours.tree.num_nodes == theirs.tree.num_nodes, oracle.doc


def test_the_papers_engine_agrees_with_brute_force_where_outcomes_end_everything():
    for problem, oracle in wide_problems(400, "endings", held=PAPER_STATES):
        value = oracle.value(oracle.root)
        for naive in (False, True):
            found = solve(problem, engine="paper", naive=naive)
            assert found.expected_reward == close(value), oracle.doc
            nodes = oracle.worth("fewest-nodes", oracle.root)
            assert found.tree.num_nodes == nodes, oracle.doc


@pytest.mark.parametrize("part", PARTS)
def test_each_part_alone_agrees_with_brute_force(part):
    """Conditions of any shape, effects both ways, and ranges that hold them up."""
    for problem in held_problems(60, f"alone {part}", [part]):
        check(problem)


@pytest.mark.parametrize("portion", range(3))
def test_all_parts_together_agree_with_brute_force(portion):
    for problem in held_problems(100, f"together {portion}"):
        check(problem)


def check(problem):
    force = PlainForce(problem)
    if force.num_states(MOST_STATES) > MOST_STATES:
        return
    if not CANONICAL_STATES.issuperset(features_of(problem)):
        return
    value, nodes = force.solved(force.root)
    assert math.isfinite(value)
    for search in ("exhaustive", "best-first"):
        found = solve(problem, engine="canonical", search=search)
        assert found.expected_reward == close(value), (search, problem)
        assert found.tree.num_nodes == nodes, (search, problem)
