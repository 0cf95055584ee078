"""A plan that begins later knows what else could be done, as the whole plan does."""

import json

import pytest

from branchwise import read_text, solve
from problems.paper import illustrative
from problems.strategies import seeded_documents


def weighed(node):
    """What else could be done at a node, and what it would be worth."""
    return {each.action: float(each.value) for each in node.alternatives}


@pytest.mark.parametrize("engine", ["canonical", "reference"])
def test_alternatives_are_kept_after_what_has_happened(engine):
    whole = solve(illustrative(6), engine=engine).tree.after("a1=1")

    later = solve(illustrative(6), after="a1=1", engine=engine).tree.root

    assert later.action == whole.action
    assert weighed(later) == pytest.approx(weighed(whole))
    assert weighed(later)


@pytest.mark.parametrize("engine", ["canonical", "paper", "reference"])
def test_objections_are_those_of_the_whole_problem(engine):
    later = solve(illustrative(6), after="a1=1", engine=engine).tree.root

    assert later.objections["a1"] == "already done"
    assert later.objections["a6"] == "needs a4=2 and a2=2"


def test_random_plans_weigh_the_same_wherever_they_begin():
    for document in seeded_documents(40, "later", max_states=200):
        problem = read_text(json.dumps(document), "json")
        tree = solve(problem).tree
        for outcome, node in tree.root.children.items():
            history = f"{tree.root.action}={outcome}"
            later = solve(problem, after=history).tree.root
            if not node.is_leaf:
                assert weighed(later) == pytest.approx(weighed(node)), history
                assert later.objections == node.objections, history
