"""The exact value of a tree, and trees that the problem does not allow."""

from fractions import Fraction

import pytest

from branchwise.errors import PlanError
from branchwise.formats.read import read_text
from branchwise.reference.pipeline import solve_by_reference
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.evaluate import evaluate
from problems.paper import illustrative

STOP = Decision(None, (), 0, 0)

DRILL = """
    budget: 80
    cost_weight: 1
    actions:
      test:
        cost: 10
        outcomes: {positive: 0.4, negative: 0.6}
      drill:
        cost: 70
        outcomes: {oil: 0.1, dry: rest}
        given:
          - {when: test=positive, outcomes: {oil: 0.5, dry: 0.5}}
    rewards: [{when: drill=oil, value: 200}]
"""


@pytest.mark.parametrize("budget", range(3, 8))
def test_the_value_of_an_optimal_tree_is_the_optimum(budget):
    problem = illustrative(budget)
    solution = solve_by_reference(problem, exact=True)

    assert evaluate(solution.tree, problem) == solution.expected_reward


def test_a_tree_found_with_floats_is_evaluated_exactly():
    tree = solve_by_reference(illustrative()).tree

    assert evaluate(tree, illustrative()) == Fraction(105459, 12500)


def test_costs_and_conditioning_count():
    """
    The test costs 10 and is positive 40 % of the time; drilling then gains
    0.5 * 200 - 70 = 30. The plan is worth -10 + 0.4 * 30 = 2.
    """
    problem = read_text(DRILL)
    solution = solve_by_reference(problem, exact=True)

    assert solution.first_action == "test"
    assert evaluate(solution.tree, problem) == 2


def tree(policy):
    return DecisionTree(policy, "root")


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"root": Decision("a9", (), 0, 0)}, "no action `a9`"),
        ({"root": Decision("a7", (), 0, 0)}, "`a7` is not available"),
        (
            {"root": Decision("a1", (Branch("1", 1, "stop"),), 0, 0), "stop": STOP},
            "does not go on after `a1=2`",
        ),
        (
            {
                "root": Decision(
                    "a1", (Branch("1", 1, "x"), Branch("2", 1, "x")), 0, 0
                ),
                "x": Decision("a1", (Branch("1", 1, "y"), Branch("2", 1, "y")), 0, 0),
                "y": STOP,
            },
            "`a1` has no attempts left",
        ),
    ],
)
def test_a_tree_that_the_problem_forbids_is_refused(policy, message):
    with pytest.raises(PlanError, match=message):
        evaluate(tree(policy), illustrative())


def test_a_tree_beyond_the_budget_is_refused():
    solution = solve_by_reference(illustrative(6))

    with pytest.raises(PlanError, match="costs more than is left"):
        evaluate(solution.tree, illustrative(3))
