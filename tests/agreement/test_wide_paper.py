"""
The paper's stages, over states that hold more than outcomes, agree with brute force.

With hidden facts, counters, comparisons, costs of outcomes or somewhere to finish there
are no rewarding sets to prune by, so that the full graph is the naive one.
"""

import math

import pytest

from branchwise import ProblemError, evaluate, solve
from branchwise.engine.limits import PRUNED_STATES
from branchwise.model.features import COUNTERS, HIDDEN, features_of
from problems.straight_problem import straight_problem
from problems.wide_documents import wide_oracles


def agree_by_paper(oracle):
    problem, value = straight_problem(oracle.doc), oracle.value(oracle.root)
    if value == -math.inf:
        with pytest.raises(ProblemError, match="every plan may get stuck"):
            solve(problem, engine="paper")
        return
    found = solve(problem, engine="paper")
    floated = pytest.approx(float(value), rel=1e-9, abs=1e-9)

    assert found.expected_reward == floated, oracle.doc
    assert found.tree.num_nodes == oracle.worth("fewest-nodes", oracle.root), oracle.doc
    assert evaluate(found.tree, problem) == floated, oracle.doc
    has = features_of(problem)
    is_pruned = PRUNED_STATES.issuperset(has)
    assert ("naive full graph" in found.reason) != is_pruned, oracle.doc
    # States that know the same may have met other signals; and what no condition looks
    # at is no part of a row.
    if HIDDEN not in has and not is_pruned:
        num_states, all_states = found.statistics.full_graph_states, oracle.reachable()
        assert num_states <= len(all_states), oracle.doc
        assert num_states == len(all_states) or COUNTERS in has, oracle.doc


def test_random_problems_agree_with_brute_force():
    for oracle in wide_oracles(110, seed="paper"):
        agree_by_paper(oracle)


def test_outcomes_that_end_everything_are_pruned_by_rewarding_sets():
    for oracle in wide_oracles(30, seed="endings", only=("endings",)):
        agree_by_paper(oracle)


@pytest.mark.parametrize(
    "objective", ["least-depth", "least-expected-cost", "order", "fewest-nodes"]
)
def test_every_objective_chooses_the_tree_that_the_reference_chooses(objective):
    for oracle in wide_oracles(12, seed="paper objectives"):
        if oracle.value(oracle.root) == -math.inf:
            continue
        problem = straight_problem(oracle.doc)
        ours = solve(problem, engine="paper", prefer=objective, verify=False)
        theirs = solve(problem, engine="reference", prefer=objective, verify=False)
        assert ours.tree.num_nodes == theirs.tree.num_nodes, oracle.doc
        if objective == "order":
            actions = [[n.action for n in s.tree.walk()] for s in (ours, theirs)]
            assert actions[0] == actions[1], oracle.doc
