"""Walking a tree and asking it what to do."""

from fractions import Fraction

import pytest

from branchwise.errors import PlanError
from branchwise.model.budget import Budget
from branchwise.reference.pipeline import solve_by_reference
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree
from problems.paper import illustrative, state_vector


@pytest.fixture(scope="module")
def tree():
    return solve_by_reference(illustrative(), exact=True).tree


def test_the_tree_says_what_to_do_after_given_outcomes(tree):
    assert tree.action_after() == "a1"
    assert tree.action_after("a1=2") == "a4"
    assert tree.action_after("a1=2", "a4=2") == "a5"
    assert tree.action_after("a1=2, a4=2, a5=2, a3=1") is None


def test_the_order_in_which_outcomes_are_told_does_not_matter(tree):
    assert tree.action_after("a4=2, a1=2") == "a5"


def test_an_outcome_the_plan_never_comes_to_is_refused_with_the_reason(tree):
    with pytest.raises(PlanError, match=r"after a1=2 the plan does `a4`.*`a3=1`"):
        tree.after("a1=2", "a3=1")


def test_an_outcome_the_action_does_not_have_is_refused_with_those_it_has(tree):
    with pytest.raises(PlanError, match="its outcomes are `1`, `2`"):
        tree.after("a1=3")


def test_every_node_knows_its_state_probability_value_and_budget(tree):
    """a1 and a4 succeed with 0.6 * 0.3, and two of six units are spent."""
    node = tree.after("a1=2, a4=2")

    assert node.probability == Fraction(18, 100)
    assert state_vector(node.state) == [2, 0, 0, 2, 0, 0, 0]
    assert node.budget_left == Budget(4)
    assert node.value == Fraction("32.772")
    assert str(node.state) == "a1=2, a4=2, 4 left"
    assert [str(event) for event in node.path] == ["a1=2", "a4=2"]


def test_the_leaves_are_reached_with_certainty_and_hold_the_value(tree):
    leaves = list(tree.leaves())

    assert len(leaves) == tree.num_leaves == 17
    assert sum(leaf.probability for leaf in leaves) == 1
    assert sum(leaf.probability * leaf.reward for leaf in leaves) == tree.root.value


def test_walking_meets_every_node_once(tree):
    assert sum(1 for _ in tree.walk()) == tree.num_nodes == 33
    assert max(len(node.path) for node in tree.walk()) == tree.depth == 6


def test_a_tree_of_more_nodes_than_any_memory_is_measured_and_asked():
    """Two hundred coin tosses whose order does not matter: 2^201 - 1 nodes."""
    policy = {
        i: Decision(
            "toss", (Branch("heads", 0.5, i + 1), Branch("tails", 0.5, i + 1)), 0, 0
        )
        for i in range(200)
    }
    policy[200] = Decision(None, (), 0, 0)

    tree = DecisionTree(policy, 0)

    assert tree.num_nodes == 2**201 - 1
    assert tree.after(*["toss=heads"] * 150).key == 150
