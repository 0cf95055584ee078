"""The part of a tree that is shown, and what is left out."""

from branchwise.report.text.outline import shown_part
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree


def test_a_tree_is_folded_to_its_likeliest_nodes_and_the_others_are_counted():
    """Of 99 tosses, the tree has 2 * 99 + 1 = 199 nodes: 5 shown and 194 left out."""
    policy = {0: Decision(None, (), value=1, reward=1)}
    for left in range(1, 100):
        branches = Branch("heads", 0.5, 0), Branch("tails", 0.5, left - 1)
        policy[left] = Decision("toss", branches, value=1, reward=0)

    part = shown_part(DecisionTree(policy, 99), max_nodes=5)

    assert (len(part.nodes), part.num_hidden) == (5, 194)
