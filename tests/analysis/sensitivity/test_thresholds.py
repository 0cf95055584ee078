"""Thresholds: where bisection on brute force finds them, and nowhere else."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise import read, read_text, solve
from branchwise.analysis import one_way, parameters, thresholds
from branchwise.analysis.sensitivity.budget_steps import fills_budget
from oracles.oracle import Oracle, value
from problems.paper import illustrative
from problems.strategies import seeded_documents

OIL = Path(__file__).parents[3] / "examples" / "oil_wildcatter.yaml"


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def exact_value(problem, parameter, at):
    changed = parameter.changed(problem, at)
    return float(solve(changed, exact=True).expected_reward)


def test_the_wildcatter_has_the_thresholds_worked_out_by_hand():
    """
    Testing first is worth 32.5 less the test, drilling at once 20 (Raiffa 1968), so a
    test is worth 12.5 at most. With d as the cost of drilling the two are worth 63.8 -
    0.59 d and 90 - d: the same at 26.2 / 0.41. Past 102.857, what an open structure
    promises, one drills only in a closed one: 0.24 (157.5 - d) pays for the test up to
    157.5 - 10 / 0.24.
    """
    found = thresholds(read(OIL))

    test, drill = found.of("cost of test"), found.of("cost of drill")
    assert [float(t) for t in test.action_thresholds] == pytest.approx([12.5])
    expected = [26.2 / 0.41, 157.5 - 10 / 0.24]
    assert [float(t) for t in drill.action_thresholds] == pytest.approx(expected)
    firsts = [segment.first_action for segment in drill.segments]
    assert firsts == ["drill", "test", "test", None]
    assert float(test.nearest(is_above=True, is_action=True)) == pytest.approx(12.5)
    assert test.nearest(is_above=False, is_action=True) is None


@pytest.mark.parametrize("portion", range(3))
def test_between_thresholds_curves_are_what_exact_solves_say(portion):
    """At both ends of every segment, and within those that are straight."""
    num_thresholds = 0
    for document in seeded_documents(4, f"one-way {portion}", max_states=60):
        problem = problem_of(document)
        known = {each.name: each for each in parameters(problem)}
        for curve in thresholds(problem, num_threads=1).curves:
            parameter = known[curve.parameter]
            if fills_budget(problem, parameter):
                continue  # `test_curves.py` follows these: they fall in steps.
            num_thresholds += len(curve.tree_thresholds)
            for segment in curve.segments[:4]:
                width = segment.high - segment.low
                line = [segment.reward_low, segment.reward_high]
                ends = [
                    exact_value(problem, parameter, end)
                    for end in (segment.low, segment.high)
                ]
                assert line == pytest.approx(ends, abs=1e-6), document["name"]
                if (
                    problem.action(parameter.action).attempts == 1
                    if (parameter.kind == "probability")
                    else problem.combine == "sum"
                ):
                    middle = exact_value(problem, parameter, segment.low + width / 3)
                    share = sum(line) - line[1] - (line[0] - line[1]) / 3
                    assert middle == pytest.approx(share, abs=1e-6), document["name"]
    assert num_thresholds


@pytest.mark.parametrize("portion", range(2))
def test_first_actions_change_where_bisection_on_brute_force_finds_it(portion):
    """
    For rewards, whose numbers the oracle reads: on either side of a threshold the
    plan's first action is optimal there and only there.
    """
    num_checked = 0
    for document in seeded_documents(8, f"bisection {portion}", max_states=60):
        problem = problem_of(document)
        known = {each.name: each for each in parameters(problem)}
        found = thresholds(problem, num_threads=1)
        for curve in (c for c in found.curves if c.kind == "reward"):
            number = known[curve.parameter].number
            for threshold in curve.action_thresholds:
                at = bisected(document, number, curve, threshold)
                assert float(threshold) == pytest.approx(float(at), abs=1e-6)
                num_checked += 1
    assert num_checked


def bisected(document, number, curve, threshold):
    """Halve a range around a threshold until it is narrow, asking brute force."""
    index = [s.low for s in curve.segments].index(threshold)
    before, after = curve.segments[index - 1], curve.segments[index]
    low, high = (before.low + before.high) / 2, (after.low + after.high) / 2
    assert is_optimal(document, number, low, before.first_action)
    assert not is_optimal(document, number, high, before.first_action)
    while high - low > Fraction(1, 10**8):
        middle = (low + high) / 2
        if is_optimal(document, number, middle, before.first_action):
            low = middle
        else:
            high = middle
    return low


def is_optimal(document, number, at, action):
    other = json.loads(json.dumps(document))
    other["rewards"][number]["value"] = str(at)
    oracle = Oracle(other)
    optimal = {step.action for step in oracle.optimal(oracle.root)}
    return action in optimal if optimal else action is None


def test_a_curve_that_bends_is_followed():
    """Three tosses for 3 against a sure 2: worth it once 1 - (1 - p)^3 is 2/3."""
    text = """
budget: 3
actions:
  toss: {attempts: 3, precluded_by: toss=heads, outcomes: {heads: 1/2, tails: rest}}
  sure: {cost: 3, outcomes: {ok: 1}}
rewards: [{when: toss=heads, value: 3}, {when: sure=ok, value: 2}]
"""
    found = one_way(read_text(text, format="yaml"), "P(toss=heads)")

    [at] = found.action_thresholds
    assert float(at) == pytest.approx(1 - (1 / 3) ** (1 / 3), abs=1e-9)
    for x, y in found.points:
        p = float(x)
        assert y == pytest.approx(max(2, 3 * (1 - (1 - p) ** 3)), abs=1e-6)


def test_a_curve_has_a_point_where_one_reward_overtakes_another():
    """A toss for r, with a consolation of 4: worth 4, or half of 4 + r if r is more."""
    text = """
budget: 1
actions: {toss: {outcomes: {heads: 1/2, tails: 1/2}}}
rewards: [{when: toss=heads, value: 6}, {when: toss, value: 4}]
"""
    found = one_way(read_text(text, format="yaml"), "reward of toss=heads")

    assert found.tree_thresholds == ()
    assert found.points == ((0, 4.0), (4, 4.0), (6, 5.0), (18, 11.0))


def test_a_range_may_be_chosen():
    found = one_way(illustrative(), "reward of a7=2", 20, "60")

    assert (found.segments[0].low, found.segments[-1].high) == (20, 60)
    assert found.tree_thresholds == (40, 50)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("P(a1=9)",), "there is no parameter `P(a1=9)`"),
        (("P(a1=2)", 0.5, 1.5), "`P(a1=2)` cannot range from 0.5 to 1.5"),
        (("P(a1=2)", 1, 0), "`P(a1=2)` cannot range from 1 to 0"),
        (("cost of a1", -1, 2), "`cost of a1` cannot range from -1 to 2"),
    ],
)
def test_what_cannot_be_followed_is_refused(arguments, message):
    with pytest.raises(ValueError) as caught:
        one_way(illustrative(), *arguments)

    assert message in str(caught.value)


def test_margins_come_as_a_data_frame():
    frame = thresholds(illustrative()).frame().set_index("parameter")

    assert frame.loc["reward of a7=2", "tree_below"] == pytest.approx(50)


def test_the_value_now_lies_on_every_curve():
    problem = illustrative()
    found = thresholds(problem)

    assert found.expected_reward == pytest.approx(float(value(DOCUMENT)))
    for curve in found.curves:
        [segment] = [s for s in curve.segments if s.low <= curve.value < s.high]
        share = float((curve.value - segment.low) / (segment.high - segment.low))
        if curve.kind == "probability":
            rise = segment.reward_high - segment.reward_low
            assert segment.reward_low + share * rise == pytest.approx(
                found.expected_reward
            )


DOCUMENT = {
    "budget": 6,
    "actions": {
        "a1": {"outcomes": {"1": "0.4", "2": "0.6"}},
        "a2": {"outcomes": {"1": "0.4", "2": "0.6"}},
        "a3": {"outcomes": {"1": "0.7", "2": "0.3"}},
        "a4": {
            "outcomes": {"1": "0.7", "2": "0.3"},
            "requires": {"any": ["a1=2", "a3=2"]},
        },
        "a5": {
            "outcomes": {"1": "0.4", "2": "0.6"},
            "requires": "a4=2",
            "precluded_by": "a3",
        },
        "a6": {
            "outcomes": {"1": "0.6", "2": "0.4"},
            "requires": {"all": ["a4=2", "a2=2"]},
        },
        "a7": {"outcomes": {"1": "0.9", "2": "0.1"}, "requires": "a3=2"},
    },
    "rewards": [
        {"when": "a5=2", "value": 50},
        {"when": "a6=2", "value": 10},
        {"when": "a7=2", "value": 100},
    ],
}
