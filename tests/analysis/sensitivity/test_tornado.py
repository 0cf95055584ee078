"""The tornado: every end worked out by hand or by brute force."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise import read, read_text
from branchwise.analysis import tornado
from branchwise.analysis.parameter import find_parameter
from oracles.oracle import value
from problems.paper import illustrative
from problems.strategies import seeded_documents

OIL = Path(__file__).parents[3] / "examples" / "oil_wildcatter.yaml"


@pytest.fixture
def oil():
    return read(OIL)


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def test_the_wildcatter_swings_as_worked_out_by_hand(oil):
    """
    Raiffa (1968) has the probabilities, the costs, 20 for drilling at once and 22.5 for
    testing first. What follows is worked out from these by hand. Drilling at once is
    worth 0.3 w + 0.2 s - d; testing first is worth 0.35 of (12 w + 8 s) / 35 - d and
    0.24 of (9 w + 10 s) / 24 - d, so 0.21 w + 0.18 s - 0.59 d, less the test.
    """

    def at_once(w=120.0, s=270.0, d=70.0):
        return 0.3 * w + 0.2 * s - d

    def tested(w=120.0, s=270.0, d=70.0, t=10.0):
        return 0.21 * w + 0.18 * s - 0.59 * d - t

    assert (at_once(), tested()) == (pytest.approx(20), pytest.approx(22.5))
    found = tornado(oil)

    assert found.expected_reward == pytest.approx(22.5)
    expected = {
        "reward of drill=soaking": (tested(s=243), tested(s=297)),
        "reward of drill=wet": (tested(w=108), tested(w=132)),
        "cost of drill": (at_once(d=63), tested(d=77)),
        "cost of test": (tested(t=9), tested(t=11)),
    }
    for name, ends in expected.items():
        swing = found.of(name)
        assert (swing.reward_low, swing.reward_high) == pytest.approx(ends), name
    assert found.of("cost of drill").first_action_low == "drill"
    assert found.of("cost of drill").first_action_high == "test"


def test_ends_are_worth_what_brute_force_says():
    for document in seeded_documents(12, "tornado", max_states=100, without={"given"}):
        found = tornado(problem_of(document), share="30%", num_threads=1)
        for each in found.swings:
            if each.kind != "reward":
                continue
            names = [f"reward of {r.when}" for r in problem_of(document).rewards]
            if each.parameter not in names:
                continue
            number = names.index(each.parameter)
            for end, worth in (
                (each.low, each.reward_low),
                (each.high, each.reward_high),
            ):
                other = json.loads(json.dumps(document))
                other["rewards"][number]["value"] = str(end)
                assert worth == pytest.approx(float(value(other)), abs=1e-9)


def test_ranges_may_be_given():
    problem = illustrative()
    ranges = {"P(a1=2)": ("0.2", 1), "reward of a7=2": (0, 200)}
    found = tornado(problem, ranges=ranges)

    assert {each.parameter for each in found.swings} == set(ranges)
    swing = found.of("P(a1=2)")
    assert (swing.low, swing.high) == (Fraction(1, 5), 1)
    sure = find_parameter(problem, "P(a1=2)").changed(problem, Fraction(1))
    assert sure.action("a1").outcome("2").probability == 1
    assert swing.reward_high == pytest.approx(8.43672 + 0.4 * 8.7372)


def test_a_share_ends_where_a_probability_must():
    swing = tornado(illustrative(), share=1).of("P(a1=2)")

    assert (swing.low, swing.high) == (0, 1)


def test_the_widest_swing_comes_first():
    sizes = [each.size for each in tornado(illustrative()).swings]

    assert sizes == sorted(sizes, reverse=True)


def test_of_two_outcomes_the_one_that_helps_is_varied():
    names = {each.parameter for each in tornado(illustrative()).swings}

    assert {"P(a1=2)", "P(a4=2)"} <= names
    assert not {"P(a1=1)", "P(a4=1)"} & names


def test_a_penalty_has_its_ends_in_order():
    text = """
combine: sum
budget: 1
actions: {a: {outcomes: {ok: 0.5, no: rest}}}
rewards: [{when: a=ok, value: 10}, {when: a=no, value: -4}]
"""
    swing = tornado(read_text(text, format="yaml")).of("reward of a=no")

    assert (swing.low, swing.high) == (Fraction(-22, 5), Fraction(-18, 5))
    assert (swing.reward_low, swing.reward_high) == pytest.approx((2.8, 3.2))


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"P(a1=9)": (0, 1)}, "`P(a1=9)`; did you mean `P(a1=2)`?"),
        ({"luck": (0, 1)}, "`luck`; there are `P(a1=1)`, `P(a1=2)`, `cost of a1`"),
        ({"P(a1=2)": (0.7, 0.2)}, "`P(a1=2)` cannot range from 0.7 to 0.2"),
        ({"P(a1=2)": (0.2, 1.5)}, "from 0.2 to 1.5: it is from 0 to 1"),
        ({"P(a1=2)": (0.2, 0.2)}, "from 0.2 to 0.2: write the lower end first"),
        ({"cost of a1": (-1, 1)}, "from -1 to 1: it is at least 0"),
        ({"P(a1=2)": ("low", 3)}, "range of `P(a1=2)`: `low` is not a number"),
    ],
)
def test_a_range_that_cannot_be_is_refused(ranges, message):
    with pytest.raises(ValueError) as caught:
        tornado(illustrative(), ranges=ranges)

    assert message in str(caught.value)


def test_swings_come_as_a_data_frame():
    frame = tornado(illustrative()).frame().set_index("parameter")

    assert frame.loc["reward of a7=2", "reward_low"] == pytest.approx(8.13672)
