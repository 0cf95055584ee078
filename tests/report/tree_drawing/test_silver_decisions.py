"""Tests for plans that are written for SilverDecisions."""

import json
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

    assert again.expected_reward == solution.expected_reward
    assert again.first_action == solution.first_action


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
