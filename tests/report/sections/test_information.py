"""The value of information, as text, in a page, and in tables."""

import re
from xml.etree import ElementTree as ET

import pytest

from branchwise import Action, Problem, Reward, analyze, report
from branchwise.analysis import AnalysisOptions, parse_outcome_test
from branchwise.report.sections import information


@pytest.fixture(scope="module")
def found():
    probabilities = {"oil": 0.5, "dry": 0.5}
    here, there = (
        Action("here", outcomes=probabilities),
        Action("<there>", outcomes=probabilities),
    )
    rewards = [Reward(here["oil"], 8), Reward(there["oil"], 8)]
    problem = Problem([here, there], rewards, budget=1, name="Wells")
    test = parse_outcome_test("here=oil:90%:90%:1", problem)
    options = AnalysisOptions(tests=(test,))
    return analyze(problem, only=["information"], options=options)


def test_what_is_known_stands_beside_what_it_adds(found):
    assert (
        "\n".join(report.lines(found))
        == """\
Wells (budget 1)
expected reward 4, first action here

Value of information
what the best plan would be worth if outcomes were known before starting
known before starting  worth  gain
every outcome              6    +2
here                       6    +2
<there>                    6    +2
exactly, over 4 cases

a test of here first: worth 5.6 less its cost 1, gain +0.6
result    probability  worth  first action
positive         50 %    7.2  here
negative         50 %      4  <there>"""
    )


def test_the_tables_hold_everything_actions_and_tests(found):
    section = report.document(found)["sections"]["information"]

    assert section["perfect"] == [
        {"value": 6, "gain": 2, "standard_error": 0, "num_cases": 4}
    ]
    assert [row["gain"] for row in section["actions"]] == [2, 2]
    assert section["tests"][0]["action"] == "here"
    assert section["tests"][0]["gain"] == pytest.approx(0.6)
    assert [row["result"] for row in section["results"]] == ["positive", "negative"]


def test_the_chart_has_a_bar_for_each_and_names_stay_text(found):
    fragment = information.fragment(found.sections["information"])

    [svg, _for_phones] = re.findall(r"<svg.*?</svg>", fragment, re.DOTALL)
    notes = [title.text for title in ET.fromstring(svg).iter("title")]
    assert notes == ["every outcome known: 6", "here known: 6", "<there> known: 6"]
    assert "<there>" not in fragment


def test_a_sampled_value_has_its_error(found):
    toss = [
        Action(f"toss {n}", outcomes={"heads": 0.5, "tails": 0.5}) for n in range(12)
    ]
    rewards = [Reward(each["heads"], 1) for each in toss]
    problem = Problem(toss, rewards, budget=3, combine="sum")

    analysis = analyze(problem, only=["information"])

    reported = "\n".join(report.lines(analysis))
    assert "over 1,000 cases drawn by chance, standard error " in reported
    assert "(standard error " in information.fragment(analysis.sections["information"])


def test_a_long_table_is_folded_and_the_chart_says_what_it_leaves_out():
    wells = [Action(f"well {n}", outcomes={"oil": 0.5, "dry": 0.5}) for n in range(31)]
    rewards = [Reward(wells[0]["oil"], 8)]
    many = analyze(Problem(wells, rewards, budget=1), only=["information"])

    fragment = information.fragment(many.sections["information"])

    assert "The chart shows the first 15 actions." in fragment
    assert "<summary>All 31 rows</summary>" in fragment
