"""No path of any plan has more actions than the depth of its problem."""

import json
import math

import pytest

from branchwise import Action, Given, Problem, Reward, read_text, solve
from branchwise.model.adversary import most_actions
from problems.strategies import seeded_documents

FREE = {"ok": 1}


def problem(*actions, budget):
    return Problem(actions, [Reward(actions[0]["ok"], 1)], budget=budget)


@pytest.mark.parametrize(
    ("budget", "depth"), [(0, 2), (2, 2), (3, 3), (11, 5), (12, 5), (17, 6), (99, 8)]
)
def test_the_cheapest_attempts_are_counted_until_the_budget_is_spent(budget, depth):
    """Two are free, three cost 3, three cost 8: 9 pay for five, 17 for six."""
    free = Action("free", outcomes=FREE, cost=0, attempts=2)
    cheap = Action("cheap", outcomes=FREE, cost=3, attempts=3)
    costly = Action("costly", outcomes=FREE, cost=8, attempts=3)

    assert most_actions(problem(free, cheap, costly, budget=budget)) == depth


def test_the_scarcest_resource_decides():
    walk = Action("walk", outcomes=FREE, cost={"days": 2, "money": 1}, attempts=9)

    assert most_actions(problem(walk, budget={"days": 7, "money": 100})) == 3
    assert most_actions(problem(walk, budget={"days": 100, "money": 2})) == 2


def test_a_clause_that_makes_an_action_cheaper_counts():
    find = Action("find", outcomes=FREE, cost=1)
    dig = Action(
        "dig",
        outcomes=FREE,
        cost=4,
        attempts=10,
        given=[Given("find=ok", cost=2)],
    )

    assert most_actions(problem(find, dig, budget=9)) == 5


def test_without_a_budget_the_attempts_count():
    actions = [Action(name, outcomes=FREE, attempts=3) for name in "abc"]

    assert most_actions(problem(*actions, budget=math.inf)) == 9


def test_no_tree_is_deeper():
    for document in seeded_documents(100, "depth", max_states=300):
        found = read_text(json.dumps(document), "json")

        assert solve(found, prefer="order").tree.depth <= most_actions(found)
