"""Tests for plans that are written for SilverDecisions."""

import json
from fractions import Fraction
from math import lcm
from pathlib import Path

import pytest

import branchwise
from branchwise.report.tree_drawing import silver_decisions

EXAMPLES = Path(__file__).parents[3] / "examples"


def written(solution, folder):
    path = folder / "plan.silver.json"
    branchwise.render(solution, path)
    return path


@pytest.mark.parametrize(
    "name", ["illustrative", "oil_wildcatter", "repair/car", "stool_guaiac"]
)
def test_a_plan_that_is_read_back_is_worth_the_same(name, tmp_path):
    problem = branchwise.read(EXAMPLES / f"{name}.yaml")
    solution = branchwise.solve(problem, exact=True)
    back = branchwise.read(written(solution, tmp_path))
    again = branchwise.solve(back, exact=True)

    if name == "stool_guaiac":  # Its probabilities are fractions of 22 digits.
        assert again.expected_reward == pytest.approx(
            solution.expected_reward, abs=1e-7
        )
    else:
        assert again.expected_reward == solution.expected_reward
    assert again.first_action == solution.first_action


@pytest.mark.parametrize("is_exact", [True, False])
@pytest.mark.parametrize("name", ["oil_wildcatter", "stool_guaiac"])
def test_silver_decisions_can_add_the_probabilities_up(name, is_exact, tmp_path):
    """
    It computes with fractions of whole numbers below 2 ** 53, and refuses chances whose
    sum is not one: products of two denominators have to stay below that.
    """
    problem = branchwise.read(EXAMPLES / f"{name}.yaml")
    solution = branchwise.solve(problem, exact=is_exact)
    pending = json.loads(written(solution, tmp_path).read_text())["data"]["trees"]
    while pending:
        node = pending.pop()
        pending += [each["childNode"] for each in node["childEdges"]]
        if node["type"] == "chance":
            *said, last = [each["probability"] for each in node["childEdges"]]
            shared = lcm(*(Fraction(each).denominator for each in said))
            assert last == "#"
            assert shared**2 < 2**53


def test_costs_stand_at_choices_and_rewards_at_ends(tmp_path):
    """The wildcatter's test costs 10 and drilling 70, which gains 270 at best."""
    problem = branchwise.read(EXAMPLES / "oil_wildcatter.yaml")
    document = json.loads(written(branchwise.solve(problem), tmp_path).read_text())
    [tree] = document["data"]["trees"]
    [test] = tree["childEdges"]
    outcomes = test["childNode"]["childEdges"]

    assert (test["name"], test["payoff"]) == ("test", "-10")
    assert [each["name"] for each in outcomes] == ["none", "open", "closed"]
    assert outcomes[-1]["probability"] == "#"
    [drill] = outcomes[1]["childNode"]["childEdges"]
    assert (drill["name"], drill["payoff"]) == ("drill", "-70")
    assert drill["childNode"]["childEdges"][-1]["payoff"] == "270"


def test_nodes_do_not_overlap(tmp_path):
    problem = branchwise.read(EXAMPLES / "illustrative.yaml")
    document = json.loads(written(branchwise.solve(problem), tmp_path).read_text())
    pending, places = list(document["data"]["trees"]), []
    while pending:
        node = pending.pop()
        places.append((node["location"]["x"], node["location"]["y"]))
        pending += [each["childNode"] for each in node["childEdges"]]

    assert len(set(places)) == len(places) == 33 + 16  # each decision has a chance node


def test_what_is_left_out_is_an_end_that_is_worth_as_much(tmp_path, monkeypatch):
    monkeypatch.setattr(silver_decisions, "_MOST_DECISIONS", 3)
    problem = branchwise.read(EXAMPLES / "illustrative.yaml")
    solution = branchwise.solve(problem, exact=True)
    path = written(solution, tmp_path)

    assert "goes on with" in path.read_text()
    back = branchwise.solve(branchwise.read(path), exact=True)
    assert back.expected_reward == solution.expected_reward
