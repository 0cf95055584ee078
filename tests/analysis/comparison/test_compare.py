"""Two problems side by side: what differs in them, in their plans, and the worth."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from branchwise import compare, evaluate, read, read_text, solve
from branchwise.analysis.comparison.compare import differences
from problems.strategies import seeded_documents

ILLUSTRATIVE = read(Path(__file__).parents[3] / "examples" / "illustrative.yaml")


def test_a_smaller_budget_changes_the_plan_where_it_binds():
    """Budget 6: 105459/12500, budget 5: 4119/500 (the paper's own examples)."""
    found = compare(ILLUSTRATIVE, ILLUSTRATIVE.with_budget(5), exact=True)

    assert found.change == Fraction(4119, 500) - Fraction(105459, 12500)
    assert [str(each) for each in found.differences] == [
        "Difference(where='budget', first='6', second='5')"
    ]
    assert found.partings
    assert not found.is_same_plan
    assert found.kept is None
    assert "a6" in found.objection


def test_a_problem_is_the_same_as_itself():
    found = compare(ILLUSTRATIVE, ILLUSTRATIVE)

    assert found.is_same_plan
    assert (found.differences, found.change) == ((), 0)
    assert found.kept == pytest.approx(found.second.expected_reward)


def test_plans_part_exactly_where_they_do_something_else():
    """By walking both trees node by node; the problems differ in random rewards."""
    num_parted = 0
    for document in seeded_documents(30, "compared", max_states=200):
        random = Random(document["name"])
        first = read_text(json.dumps(document), "json")
        for reward in document["rewards"]:
            reward["value"] = random.choice([1, 20, 300])
        second = read_text(json.dumps(document), "json")
        found = compare(first, second, exact=True)

        parted = {}
        pending = [(found.first.tree.root, found.second.tree.root)]
        while pending:
            one, other = pending.pop()
            if one.action != other.action:
                does = one.action, other.action
                parted[does] = parted.get(does, 0) + one.probability
                continue
            pending += [(c, other.children[o]) for o, c in one.children.items()]
        mine = {}
        for each in found.partings:
            does = each.first_action, each.second_action
            mine[does] = mine.get(does, 0) + each.first_probability
        assert mine == parted
        num_parted += len(parted)
        # Rewards change nothing in what is allowed, so the plan can be kept.
        assert found.kept == evaluate(found.first.tree, second)
        assert found.loss_of_keeping >= 0
    assert num_parted > 5


def test_solutions_are_not_sought_again():
    first = solve(ILLUSTRATIVE)
    assert compare(first, ILLUSTRATIVE).first is first


def test_all_that_a_document_says_is_compared():
    text = """
    name: A
    budget: 3
    actions:
      a: {cost: 2, outcomes: {x: 0.25, y: rest},
          given: [{when: b, outcomes: {x: 0.5, y: 0.5}}]}
      b: {outcomes: {x: 1}}
    rewards: [{when: a=x, value: 5}, {when: a=y, value: 1}]
    """
    first = read_text(text)
    second = read_text(
        text.replace("name: A", "name: B")
        .replace("cost: 2", "attempts: 2")
        .replace("x: 0.5, y: 0.5", "x: 1/3, y: rest")
        .replace("{when: a=y, value: 1}", "{when: a=x and b, value: 9}")
    )

    assert [
        (each.where, each.first, each.second) for each in differences(first, second)
    ] == [
        ("name", "A", "B"),
        ("actions.a.cost", "2", None),
        ("actions.a.given[b].outcomes.x", "0.5", "1/3"),
        ("actions.a.given[b].outcomes.y", "0.5", "2/3"),
        ("rewards[a=y].value", "1", None),
        ("actions.a.attempts", None, "2"),
        ("rewards[a=x and b].value", None, "9"),
    ]
    assert differences(first, replace(first)) == ()
