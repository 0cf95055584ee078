"""Answers can be pickled: what was known of them can be read without the engine."""

import copy
import pickle

import pytest

from branchwise import (
    Adversary,
    AtLeast,
    AvailableAction,
    Transition,
    analysis_document,
    analyze,
    explain,
    outlook,
    read_text,
    simulate,
    solve,
)
from problems.paper import illustrative
from problems.trees import chain

UNSURE = """
actions:
  left: {outcomes: {ok: "0.6 [0.3, 0.8]", fail: rest}}
  right: {outcomes: {ok: "0.55 [0.5, 0.7]", fail: rest}}
budget: 2
rewards: [{when: left=ok, value: 10}, {when: right=ok, value: 8}]
"""


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def told(tree):
    """All that the nodes of a tree can tell."""
    return [
        (
            node.path,
            node.action,
            node.value,
            node.reward,
            node.probability,
            node.has_deviation,
            node.state,
            node.alternatives,
            dict(node.objections),
        )
        for node in tree.walk()
    ]


@pytest.mark.parametrize(
    "how",
    [
        {"engine": "canonical"},
        {"search": "best-first", "gap": 0.5},
        {"engine": "paper"},
        {"engine": "reference"},
        {"exact": True},
        {"after": "a1=1"},
        {"rewarding_sets": 2},
    ],
)
def test_a_solution_is_the_same_after_pickling(how):
    solution = solve(illustrative(5), **how)

    kept = again(solution)

    assert kept.expected_reward == solution.expected_reward
    assert kept.upper_bound == solution.upper_bound
    assert kept.statistics == solution.statistics
    assert (kept.problem, kept.history) == (solution.problem, solution.history)
    assert kept.tree.shape == solution.tree.shape
    assert told(kept.tree) == told(solution.tree)
    assert told(again(kept).tree) == told(solution.tree)


def test_a_robust_solution_keeps_where_the_adversary_deviates():
    problem = read_text(UNSURE)
    solution = solve(problem, adversary=Adversary(gamma=1), robustness=True)

    kept = again(solution)

    assert told(kept.tree) == told(solution.tree)
    assert any(node.has_deviation for node in kept.tree.walk())
    assert kept.robustness == solution.robustness


def test_a_plan_for_a_state_space_of_ones_own_can_be_pickled():
    class Toss:
        root = 0

        def actions(self, state):
            if state == 0:
                sides = (Transition("heads", 0.5, 1), Transition("tails", 0.5, 2))
                yield AvailableAction("toss", sides)

        def reward(self, state):
            return state

    tree = solve(Toss()).tree

    assert told(again(tree)) == told(tree)


def test_a_node_is_found_again_at_its_place():
    node = solve(illustrative(5)).tree.after("a1=2")

    kept = again(node)

    assert (kept.path, kept.action, kept.value) == (node.path, node.action, node.value)


def test_a_plan_of_thousands_of_actions_can_be_pickled():
    tree = chain(5000)

    assert again(tree).shape == tree.shape


def test_a_copy_of_a_solution_can_be_read():
    solution = solve(illustrative(4))

    assert told(copy.deepcopy(solution).tree) == told(solution.tree)


def test_answers_about_a_problem_can_be_pickled():
    problem = illustrative(4)
    solution = solve(problem)

    assert again(outlook(solution.tree, problem)) == outlook(solution.tree, problem)
    simulation = simulate(problem, num_runs=50, seed=1)
    assert again(simulation) == simulation
    analysis = analyze(problem)
    assert analysis_document(again(analysis)) == analysis_document(analysis)
    assert again(explain(solution, "a2")).action == "a2"
    aimed = solve(problem, aim=AtLeast(50))
    assert again(aimed).aim.worth == aimed.aim.worth
    assert again(aimed).aim.neutral.worth == aimed.aim.neutral.worth
