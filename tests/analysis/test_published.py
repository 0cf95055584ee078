"""Numbers that others have published: each test names where they stand."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from branchwise import ExponentialUtility, Reward, read, read_text, solve
from branchwise.analysis import one_way, thresholds, tornado, value_of_information

BID = Path(__file__).parents[2] / "examples" / "bid.yaml"

# McNamee and Celona, Decision Analysis for the Professional, figure 3-8 (page 55): what
# each bid is worth where the work costs 600 for sure, and where it costs 200. J. D.
# Velásquez tabulates it in steps of 0.05: github.com/jdvelasq/decision-analysis, file
# tests/files/stbook_fig_3_8_pag55.txt. The values lie on straight lines.
BIDS = {"bid 300": (-300, 100), "bid 500": (-65, 195), "bid 700": (15, 75)}

# The oil example of Palisade's PrecisionTree User's Guide, page 34, as tabulated in the
# same place, oilexample_pag_34b.txt: by the cost of drilling, what it is worth to test
# first, and not to. The probabilities there are rounded to four digits and sum to
# 0.9999; here they are what Bayes' rule gives, so that the worth of the test differs by
# up to 0.1.
DRILLING = {
    450: (637.915895, 680),
    510: (600.718235, 620),
    540: (582.119405, 590),
    570: (563.520575, 560),
    600: (544.921745, 530),
    660: (507.724085, 470),
    750: (451.927595, 380),
}
OIL = """
actions:
  test:
    cost: 55
    precluded_by: drill
    outcomes: {dry: 0.38, small: 0.39, large: 0.23}
  drill:
    cost: 600 [450, 750]
    outcomes: {dry: 0.5, small: 0.3, large: 0.2}
    given:
      - {when: test=dry, outcomes: {dry: 30/38, small: 6/38, large: 2/38}}
      - {when: test=small, outcomes: {dry: 15/39, small: 18/39, large: 6/39}}
      - {when: test=large, outcomes: {dry: 5/23, small: 6/23, large: 12/23}}
rewards:
  - {when: drill=small, value: 1500}
  - {when: drill=large, value: "3400 [2500, 5000]"}
cost_weight: 1
"""

# SAS/OR User's Guide: Project Management, The DTREE Procedure, Getting Started:
# Sensitivity Analysis and Value of Perfect Information. To drill costs 150, 300 or 500,
# which is known only afterwards; amounts are thousands.
WILDCATTER = """
actions:
  drill:
    cost: 0
    outcomes: {low: 0.2, fair: 0.6, high: 0.2}
  look:
    cost: 0
    requires: drill
    outcomes: {dry: 0.5, wet: 0.3, soaking: 0.2}
rewards:
  - {when: drill=low, value: -150}
  - {when: drill=fair, value: -300}
  - {when: drill=high, value: -500}
  - {when: look=wet, value: 700}
  - {when: look=soaking, value: 1200}
combine: sum
"""

# Texaco against Pennzoil, in billions: R. T. Clemen, Making Hard Decisions (1996).
PENNZOIL = """
actions:
  settle: {precluded_by: counter, outcomes: {for 2: 1}}
  counter:
    precluded_by: settle
    outcomes: {accepted: 0.17, refused: 0.5, countered: 0.33}
  take: {requires: counter=countered, precluded_by: court, outcomes: {for 3: 1}}
  court:
    requires: counter=refused or counter=countered
    precluded_by: take
    outcomes: {high: 0.2, medium: 0.5, nothing: 0.3}
rewards:
  - {when: settle, value: 2}
  - {when: counter=accepted, value: 5}
  - {when: take, value: 3}
  - {when: court=high, value: 10.3}
  - {when: court=medium, value: 5}
"""


@pytest.fixture
def bid():
    return read(BID)


def test_the_tornado_of_the_bid_ends_where_the_textbook_has_it(bid):
    """The best bid counts: 700 at 600 a piece of work, 500 at 200."""
    swing = tornado(bid).of('P(build="for 200")')

    ends = [max(worth) for worth in zip(*BIDS.values(), strict=True)]
    assert [swing.reward_low, swing.reward_high] == pytest.approx(ends)
    assert (swing.first_action_low, swing.first_action_high) == ("bid 700", "bid 500")
    assert (swing.low, swing.high, swing.range_from) == (0, 1, "problem")
    assert tornado(bid).expected_reward == pytest.approx(65)


@pytest.mark.parametrize("name", BIDS)
def test_each_bid_alone_is_worth_what_the_textbook_says(bid, name):
    """Alone it can still be left, which is worth 0 where the table says less."""
    for other in BIDS.keys() - {name}:
        bid = bid.with_action(replace(bid.action(other), requires="never"))
    curve = one_way(bid, 'P(build="for 200")')

    dear, cheap = BIDS[name]
    for part in range(21):
        expected = max(0, dear + (cheap - dear) * part / 20)
        assert _read(curve, Fraction(part, 20)) == pytest.approx(expected)


def test_two_bids_cross_where_the_textbook_has_them_equal(bid):
    """At 0.4 the table has 39 for both."""
    curve = thresholds(bid).of('P(build="for 200")')

    assert [float(at) for at in curve.action_thresholds] == pytest.approx([0.4])
    assert curve.segments[0].reward_high == pytest.approx(39)


def test_the_bid_has_the_certain_equivalent_of_the_textbook(bid):
    """
    Figure 5-13 (page 114): with a risk tolerance of 1000 and the work costing 200,
    400 or 600, bidding 500 is worth 57.58 for sure.
    """
    probabilities = {"for 200": 0.25, "for 400": 0.5, "for 600": 0.25}
    middle = Reward('build="for 400"', 200)
    three = bid.with_action(replace(bid.action("build"), outcomes=probabilities))
    three = replace(three, rewards=(*bid.rewards, middle))

    assert solve(three, exact=True).expected_reward == 65
    found = solve(three, aim=ExponentialUtility(1000))
    assert found.aim.certainty_equivalent == pytest.approx(57.58, abs=0.005)


def test_the_cost_of_drilling_moves_the_oil_example_as_its_guide_says():
    oil = read_text(OIL)
    swing = tornado(oil).of("cost of drill")

    assert (swing.low, swing.high, swing.range_from) == (450, 750, "problem")
    assert swing.reward_low == pytest.approx(max(DRILLING[450]), abs=0.1)
    assert swing.reward_high == pytest.approx(max(DRILLING[750]), abs=0.1)
    assert (swing.first_action_low, swing.first_action_high) == ("drill", "test")
    curve = one_way(oil, "cost of drill")
    for cost, worth in DRILLING.items():
        assert _read(curve, cost) == pytest.approx(max(worth), abs=0.1)
    [threshold] = curve.action_thresholds
    assert 540 < threshold < 570


def test_knowing_oil_or_cost_is_worth_what_the_guide_of_sas_says():
    """Drilling yields 140; to know the oil yields 295 and to know the cost 150."""
    found = value_of_information(read_text(WILDCATTER))

    assert found.expected_reward == pytest.approx(140)
    worth = {each.action: each.gain for each in found.actions}
    assert worth == pytest.approx({"look": 155, "drill": 10})


def test_knowing_the_court_is_worth_what_clemen_says():
    """
    Making Hard Decisions, problem 12.12: 4.63 without, 4.98 with knowing the award
    before anything is done; Texaco's answer is worth nothing to know. Two digits are
    published.
    """
    found = value_of_information(read_text(PENNZOIL))

    assert found.expected_reward == pytest.approx(4.63, abs=0.005)
    worth = {each.action: each.value for each in found.actions}
    assert worth["court"] == pytest.approx(4.98, abs=0.005)
    assert worth["counter"] == pytest.approx(found.expected_reward)


def _read(curve, at):
    """Read a curve off at a number."""
    for (left, low), (right, high) in pairwise(curve.points):
        if left <= at <= right and left < right:
            return low + (high - low) * float((at - left) / (right - left))
    raise AssertionError(f"{at} is outside the curve")
