"""Least costs are shown as costs: above zero, and said to be costs."""

import re

import jsonschema
import pytest

import branchwise
from branchwise import Follower, read_text
from branchwise.report.least_cost import in_costs
from test_wide_doors import REPAIR

PROBLEM = read_text(f"{REPAIR}unfinished: 30\n", "yaml")
INDIVIDUALS = [{"P(broken=one)": 0.3}, {"P(broken=one)": 0.9}]


def text_of(result):
    return "\n".join(branchwise.report.lines(result))


@pytest.fixture(scope="module")
def analysis():
    return branchwise.analyze(PROBLEM)


def test_a_section_turned_twice_is_what_it_was(analysis):
    for name, section in analysis.sections.items():
        turned = in_costs(section)
        assert turned != section, name
        assert in_costs(turned) == section, name


def test_what_is_shown_are_costs_and_programs_get_what_they_got(analysis):
    """By hand: 4 with 0.8, and 8 with 0.2; without `replace1` 0.2 x 4 + 0.8 x 34."""
    text = text_of(analysis)

    assert "expected cost 4.8, first action replace1; smaller is better" in text
    assert re.search(r"replace1 +\+23.2 +\+26.4 +-0.8", text)
    assert re.search(r"P\(cost <= 4.8\) +80 %", text)
    assert not re.search("expected reward|worth -|less than zero", text)
    assert analysis.sections["tornado"].expected_reward == pytest.approx(-4.8)
    page = branchwise.report.answer.answer_to(analysis).written("html")
    assert "expected reward" not in page.split("<main")[1].lower()


RESULTS = {
    "expected cost 4.8 from here": lambda: Follower(PROBLEM).advice,
    "replace2 has an expected cost of 7.2: 2.4 more": lambda: branchwise.explain(
        PROBLEM, "replace2"
    ),
    "cost of finishing": lambda: branchwise.simulate(PROBLEM, num_runs=100),
    "CVaR at 30 % is 6.66667": lambda: branchwise.solve(
        PROBLEM, aim=branchwise.CVaR("30%")
    ),
    "proven optimal: expected cost 4.8, exactly 24/5": lambda: branchwise.certify(
        PROBLEM
    ),
    "Expected cost": lambda: branchwise.profiles(PROBLEM, INDIVIDUALS),
}


@pytest.mark.parametrize("words", RESULTS)
def test_other_answers_show_costs_as_well(words):
    text = text_of(RESULTS[words]())

    assert words in text
    assert not re.search(r" -\d", text)


def test_what_is_net_of_weighted_cost_says_so():
    text = REPAIR.replace("objective: least-cost\n", "rewards: []\ncost_weight: 1\n")
    problem = read_text(text, "yaml")

    for result in (Follower(problem).advice, branchwise.explain(problem, "replace2")):
        assert "net of weighted cost" in text_of(result)
    assert "net mean" in text_of(branchwise.simulate(problem, num_runs=10))


def test_what_is_needed_to_finish_is_said_and_costs_no_section():
    """Without `unfinished` a plan must finish: either repair may be the only one."""
    problem = read_text(REPAIR, "yaml")
    found = branchwise.analyze(problem, only=["criticality", "information"])

    assert not found.unreached
    assert [each.is_needed for each in found.sections["criticality"].actions] == [
        True,
        True,
    ]
    text = text_of(found)
    assert "Without replace1 or replace2 no plan is sure to finish." in text
    assert re.search(r"replace1 +never sure to finish +never sure to finish", text)
    document = branchwise.report.document(found)
    jsonschema.validate(document, branchwise.schema("analysis"))
    action = document["sections"]["criticality"]["actions"][0]
    assert (action["loss_removed"], action["is_needed"]) == (None, True)
    informing = document["sections"]["information"]["informing"]
    assert [each["value"] for each in informing] == [None, None]
    assert "never sure to finish" in "".join(branchwise.report.html(found))
