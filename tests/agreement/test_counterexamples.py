"""What was once called optimal and was not: every engine gets it right."""

import pytest

from branchwise import evaluate, solve
from branchwise.rewarding import RewardingSets
from problems.counterexamples import COUNTEREXAMPLES, counterexample

ENGINES = {
    "canonical": {"engine": "canonical", "search": "exhaustive"},
    "best first": {"engine": "canonical", "search": "best-first"},
    "paper": {"engine": "paper"},
    "reference": {"engine": "reference"},
    "naive": {"engine": "paper", "naive": True},
    "exact": {"exact": True},
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", COUNTEREXAMPLES)
def test_every_engine_takes_what_no_minimal_set_needs(name, engine):
    problem, value, nodes = counterexample(name)

    solution = solve(problem, **ENGINES[engine])

    assert solution.expected_reward == pytest.approx(float(value), rel=1e-12)
    assert solution.tree.num_nodes == nodes
    assert evaluate(solution.tree, problem) == value


@pytest.mark.parametrize("name", COUNTEREXAMPLES)
def test_no_action_of_the_plan_is_said_to_be_never_worth_taking(name):
    problem, _, _ = counterexample(name)
    taken = {node.action for node in solve(problem).tree.walk() if node.action}

    assert not taken & set(RewardingSets(problem).unused_actions)


def test_the_paper_s_method_taken_literally_misses_the_best_plan():
    """
    Algorithm 2 and Equation 6 with the dominating rewarding sets alone, {x, g} and {z}.

    Its best plan tries z alone: 0.5 * 100. With y, which no such set needs, g can be
    tried first, and the 3 that x costs are saved for z where g fails.
    """
    problem, value, _ = counterexample("a cheap opener saves the budget")
    dominating = list(RewardingSets(problem))

    literal = solve(problem, rewarding_sets=dominating, exact=True)

    assert {frozenset(each.order) for each in dominating} == {
        frozenset("xg"),
        frozenset("z"),
    }
    assert literal.expected_reward == 50
    assert value == solve(problem, exact=True).expected_reward
    assert literal.upper_bound >= value
