"""The section on risk, as text, in a page, and in tables."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from branchwise import (
    Action,
    AtLeast,
    CVaR,
    ExponentialUtility,
    Problem,
    Reward,
    UtilityTable,
    analyze,
    report,
)
from branchwise.analysis import AnalysisOptions
from branchwise.model import Amounts
from branchwise.report.charts.curve_chart import Axis, Curve, Dot, line_chart
from branchwise.report.sections.risk import fragment as risk_fragment


@pytest.fixture(scope="module")
def found():
    safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    rewards = [Reward(safe["ok"], 40), Reward(bold["ok"], 100)]
    problem = Problem([safe, bold], rewards, budget=1, name="Ventures")
    aims = (AtLeast(40), CVaR("5%"))
    return analyze(problem, only=["risk"], options=AnalysisOptions(aims=aims))


def risk_of(problem, aims):
    options = AnalysisOptions(aims=aims)
    return analyze(problem, only=["risk"], options=options).sections["risk"]


def test_the_plans_stand_beside_the_neutral_one(found):
    assert (
        "\n".join(report.lines(found))
        == """\
Ventures (budget 1)
expected reward 50, first action bold

Risk
the best plan for other aims than the mean, and the mean it gives up
aim              worth  neutral  as sure  expected  given up  first action
P(reward >= 40)   90 %     50 %                 36        14  safe
CVaR at 5 %          0        0        0        50         0  bold

P(reward >= 40) against expected reward: 2 supported plans, all
P(reward >= 40)  expected  first action
           50 %        50  bold
           90 %        36  safe

CVaR at 5 %: the plan with the highest expected reward is best for it, too"""
    )


def test_the_tables_hold_plans_frontiers_and_rewards(found):
    section = report.document(found)["sections"]["risk"]

    assert json.dumps(section)
    assert section["plans"][0] == {
        "aim": "P(reward >= 40)",
        "worth": 0.9,
        "neutral_worth": 0.5,
        "certainty_equivalent": None,
        "expected_reward": 36,
        "price": 14,
        "first_action": "safe",
    }
    assert [row["expected_reward"] for row in section["frontier"]] == [50, 36, 50]
    neutral = [row for row in section["rewards"] if row["plan"] == "expected reward"]
    assert [row["probability_of_more"] for row in neutral] == [1, 0.5]


def test_unless_said_the_aims_are_the_worst_quarter_and_the_expected_reward(found):
    usual = analyze(found.problem, only=["risk"]).sections["risk"]

    titles = [answer.aim.title for answer in usual.answers]
    assert titles == ["CVaR at 25 %", "P(reward >= 50)"]


def test_the_charts_are_sound_and_say_what_they_show(found):
    fragment = risk_fragment(found.sections["risk"])

    charts = [
        ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", fragment, re.DOTALL)
    ][::2]  # every other one is for phones
    assert [chart.get("aria-label") for chart in charts] == [
        "How likely so much or more is",
        "P(reward >= 40): what it costs",
    ]
    profile, frontier = charts
    assert len(profile.findall("path[@class='bw-curve first']")) == 2  # and its legend
    notes = [title.text for title in frontier.iter("title")]
    assert notes == [
        "P(reward >= 40) 50 %, expected reward 50, first bold",
        "P(reward >= 40) 90 %, expected reward 36, first safe",
    ]


def test_more_plans_than_styles_are_said_to_be_left_out():
    bets = [
        Action(f"bet{n}", outcomes={"ok": 1 - n / 10, "fail": "rest"})
        for n in range(1, 9)
    ]
    rewards = [Reward(bet["ok"], 10 * n) for n, bet in enumerate(bets, 1)]
    aims = tuple(AtLeast(10 * n) for n in range(1, 9))

    risk = risk_of(Problem(bets, rewards, budget=1), aims)

    assert "The chart leaves out 2 plans." in risk_fragment(risk)


def test_plans_that_end_alike_share_a_line(found):
    aims = (AtLeast(40), AtLeast(100), CVaR("5%"), ExponentialUtility(50))

    fragment = risk_fragment(risk_of(found.problem, aims))

    assert ">best expected reward, P(reward &gt;= 100), CVaR at 5 %<" in fragment
    assert "leaves out" not in fragment


def test_where_all_plans_end_alike_the_page_says_so(found):
    table = UtilityTable({0: 0, 100: 1})

    fragment = risk_fragment(risk_of(found.problem, (AtLeast(100), table)))

    assert "Here all of them end alike." in fragment


def test_a_hostile_label_stays_text_and_one_point_is_a_chart():
    curve = Curve([(1.0, 1.0)], "<script>", dots=[Dot(1.0, 1.0, "<b>")])

    chart = line_chart([curve, curve], Axis("<x>"), Axis("y"), '"title"')

    assert "<script>" not in chart
    assert "<b>" not in chart
    ET.fromstring(chart)


def test_too_many_states_do_not_keep_other_sections_from_view(found, monkeypatch):
    monkeypatch.setattr("branchwise.risk.net_space._MOST_STATES", 1)
    weighted = replace(found.problem, cost_weight=Amounts({"budget": 1}))

    analysis = analyze(weighted, only=["criticality", "risk"])

    reported = "\n".join(report.lines(analysis))
    assert "more than 1 of them" in reported
    assert "fix: lower the budget, or set `cost_weight` to 0" in reported
    section = analysis.sections["risk"]
    page = risk_fragment(section)
    assert "more than 1 of them. To mend it: lower the budget" in page
    # The plan in hand is known, and how it may end.
    assert section.is_plan_kept
    assert len(section.answers) == 2
    assert "this plan" in page or "This plan" in page
