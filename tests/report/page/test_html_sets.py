"""Rewarding sets in the page: how many, the strongest, and nothing if it takes long."""

import re
from fractions import Fraction

import pytest

from branchwise.formats.read import read
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report.page.html_sets import sets_section
from branchwise.report.text.wording import chance
from branchwise.rewarding import sets
from branchwise.rewarding.sets import RewardingSets, strongest_sets
from branchwise.tree.deadline import deadline
from pages import ROOT


def rows(section):
    found = re.findall(r"<tr><th scope=\"row\".*?</tr>", section)
    texts = [re.sub(r"<[^>]+>", " ", row).replace("&nbsp;", " ") for row in found]
    return [" ".join(text.split()) for text in texts]


def test_the_strongest_sets_have_probability_and_cost():
    problem = read(ROOT / "examples" / "illustrative.yaml")
    section = sets_section(strongest_sets(problem))

    strongest = next(iter(RewardingSets(problem)))
    outcomes = ", ".join(f"{e.action} = {e.outcome}" for e in strongest.needs)
    numbers = f"{strongest.reward} {chance(strongest.probability)}"
    assert rows(section)[0].replace(" ,", ",") == (
        f"{outcomes} {numbers} {strongest.cost.total()}"
    )
    assert f"{RewardingSets(problem).num_sets} rewarding sets" in section


def test_of_many_sets_ten_are_listed():
    """Two of twenty, in 190 ways."""
    actions = [Action(f"a{n}", outcomes={"ok": "0.5", "no": "0.5"}) for n in range(20)]
    rewards = [
        Reward(one["ok"] & other["ok"], Fraction(1 + number))
        for number, one in enumerate(actions)
        for other in actions[:number]
    ]
    section = sets_section(
        strongest_sets(Problem(actions, rewards, budget=20, combine="sum"))
    )

    assert len(rows(section)) == 10
    assert "190 rewarding sets" in section
    assert "The 10 strongest are listed." in section


@pytest.mark.parametrize("cost", ["0.5", "1/3"])
def test_costs_of_several_resources_are_named(cost):
    action = Action("a", outcomes={"ok": 1}, cost={"money": cost, "days": 2})
    problem = Problem(
        [action], [Reward(action["ok"], 1)], budget={"money": 9, "days": 9}
    )
    section = sets_section(strongest_sets(problem))

    assert "money" in rows(section)[0]
    assert "2 days" in rows(section)[0]
    assert "One rewarding set" in section


def test_what_takes_too_large_a_diagram_is_left_out(monkeypatch):
    monkeypatch.setattr(sets, "_MOST_NODES", 3)
    found = strongest_sets(read(ROOT / "examples" / "illustrative.yaml"))

    assert found is None
    assert sets_section(found) == ""


def test_a_deadline_leaves_the_sets_out():
    problem = read(ROOT / "examples" / "illustrative.yaml")

    with deadline(0):
        assert strongest_sets(problem) is None
    assert strongest_sets(problem) is not None
