"""The page of profiles in a browser: silent, searchable, and safe from names."""

import pytest

from branchwise import Action, Problem, Reward, profiles, read_text
from branchwise.report.page.profiles import profiles_page

CHOICE = """
name: Choice
budget: 1
actions:
  risky: {outcomes: {ok: 0.4, no: rest}}
  safe: {outcomes: {ok: 1}}
rewards: [{when: risky=ok, value: 10}, {when: safe=ok, value: 3}]
"""
WORSE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>"]


def row(name, chance):
    return {"profile": name, "P(risky=ok)": chance, "age": f"{name}'s"}


def test_every_plan_has_its_tree_and_every_individual_a_row(opened):
    rows = [row("Ann", 0.1), row("Bob", 0.5), row("Cid", 0.6)]

    page = opened(profiles_page(profiles(read_text(CHOICE), rows, keep=["age"])))

    assert page.text("h1") == "Choice"
    assert page.count("#trees ~ figure svg") == 2
    assert page.count("#plans ~ .plot .wide-chart svg") == 1
    assert page.count("#values ~ .beside svg") == 1
    assert page.count("#for-all ~ .plot .wide-chart svg") == 1
    assert page.count("#individuals tbody tr") == 3


REPAIR = """
name: What a repair is worth
budget: 30
objective: least-cost
finish: patch=works or replace=works
actions:
  patch: {cost: 2, outcomes: {works: 0.5, fails: rest}}
  replace: {cost: 10, outcomes: {works: 1}}
"""


def test_least_costs_are_called_costs_and_more_of_them_is_a_loss(opened):
    """
    Patching first costs 2 + 10 x the probability that it fails, replacing 10.

    Ann's costs are 3 and Bob's 7 with the plan to patch first; for Cid, whose patch
    never works, it would cost 12, so he replaces at once for 10. Replacing for all
    costs 10 on average, and a plan for each 20/3.
    """
    rows = [
        {"profile": name, "P(patch=works)": chance}
        for name, chance in (("Ann", 0.9), ("Bob", 0.5), ("Cid", 0))
    ]

    page = opened(profiles_page(profiles(read_text(REPAIR), rows)))

    text = page.text("body")
    assert page.text("h1") == "What a repair is worth"
    assert "orth to them" not in text
    assert "eward" not in text
    assert "Costs them" in text
    assert "Expected cost\n6.667" in page.run("document.body.innerText")
    assert page.count("#for-all ~ .plot .wide-chart svg .loss") == 2
    assert page.count("#for-all ~ .plot .wide-chart svg .gain") == 0


def test_one_plan_for_all_needs_no_comparison(opened):
    rows = [row("Ann", 0.5), row("Bob", 0.5)]

    page = opened(profiles_page(profiles(read_text(CHOICE), rows, keep=["age"])))

    assert page.count("#apart") == 0
    assert page.count("#for-all") == 0
    assert page.count("#trees ~ figure svg") == 1


def test_typing_a_name_finds_its_row(opened):
    rows = [row("Ann", 0.1), row("Bob", 0.5), row("Cid", 0.6)]
    page = opened(profiles_page(profiles(read_text(CHOICE), rows, keep=["age"])))

    page.click(".filter input")
    page.type("BO")

    assert page.count("#individuals tbody tr:not([hidden])") == 1
    assert page.text("#individuals-found") == "1 found"


def test_of_many_individuals_the_first_thousand_are_shown():
    found = profiles(read_text(CHOICE), [{"P(risky=ok)": 0.5}] * 1200)

    written = profiles_page(found)

    assert "The first 1,000 of 1,200 individuals" in written
    assert (
        written.split('id="individuals"')[1].count("<tr><th") == 1001
    )  # with the titles


@pytest.mark.parametrize("name", WORSE)
def test_names_stay_text(opened, name):
    first = Action(name, outcomes={name: "0.5", "otherwise": "0.5"})
    problem = Problem([first], [Reward(first[name], 10)], budget=1, name=name)
    found = profiles(problem, [{"profile": name, name: name}], keep=[name])

    page = opened(profiles_page(found))

    assert page.text("h1") == name
    assert page.text("#individuals tbody th") == name
    assert page.count("img") == 0
    assert page.count("script") == 1
