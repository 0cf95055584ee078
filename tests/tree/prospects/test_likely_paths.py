"""The likeliest paths: those of the unrolled tree, found without unrolling it."""

import json

from branchwise import read_text, solve
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.prospects.likely_paths import likely_paths
from problems.strategies import seeded_documents


def test_they_are_the_likeliest_leaves_of_the_tree():
    for document in seeded_documents(30, "likely paths", max_states=150):
        tree = solve(read_text(json.dumps(document), format="json"), exact=True).tree
        leaves = {leaf.path: leaf for leaf in tree.leaves()}
        best = sorted((leaf.probability for leaf in leaves.values()), reverse=True)

        found = likely_paths(tree, 4)

        assert [each.probability for each in found] == best[:4]
        for path, probability, reward in found:
            assert leaves[path].probability == probability
            assert leaves[path].reward == reward
        assert len({each.path for each in found}) == len(found)


def test_a_tree_of_a_trillion_leaves_is_not_unrolled():
    policy = {
        number: Decision(
            "toss",
            (Branch("heads", 0.75, number + 1), Branch("tails", 0.25, number + 1)),
            0,
            0,
        )
        for number in range(40)
    }
    policy[40] = Decision(None, (), 0, 0)

    first, second, *_ = likely_paths(DecisionTree(policy, 0), 3)

    assert {event.outcome for event in first.path} == {"heads"}
    assert first.probability == 0.75**40
    assert [event.outcome for event in second.path].count("tails") == 1


def test_a_plan_that_stops_at_once_has_one_empty_path():
    [only] = likely_paths(DecisionTree({0: Decision(None, (), 5, 5)}, 0), 3)

    assert only == ((), 1, 5)


def test_none_may_be_wanted():
    assert likely_paths(DecisionTree({0: Decision(None, (), 5, 5)}, 0), 0) == ()
