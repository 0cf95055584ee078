"""Derivatives: those of finite differences, on either side."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise import ProblemError, read, read_text, solve
from branchwise.analysis import derivatives, parameters
from branchwise.analysis.individuals.profile_numbers import ProfileParameter
from branchwise.analysis.parameter import find_parameter
from branchwise.analysis.sensitivity.slopes import Slopes
from oracles.oracle import Oracle, value
from problems.paper import illustrative
from problems.profile_documents import document_of
from problems.strategies import seeded_documents
from problems.wide_documents import wide_oracles

OIL = Path(__file__).parents[3] / "examples" / "oil_wildcatter.yaml"
STEP = Fraction(1, 10**6)


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def difference(problem, parameter, step):
    """
    The slope to one side, exactly, with what curves it over a step taken off.

    Where a step changes the value by v and half of it by u, 4u - v is the change
    without curvature; floats have no part in it.
    """
    now = parameter.value(problem)
    least, most = parameter.bounds(problem)
    if not least <= now + step <= most:
        return None
    values = [
        solve(parameter.changed(problem, now + part), exact=True).expected_reward
        for part in (0, step / 2, step)
    ]
    return float((4 * (values[1] - values[0]) - (values[2] - values[0])) / step)


@pytest.mark.parametrize("portion", range(3))
def test_derivatives_are_finite_differences_on_either_side(portion):
    """To 1e-6 of their size; costs are compared through their weight alone below."""
    for document in seeded_documents(6, f"derivatives {portion}", max_states=60):
        problem = problem_of(document)
        found = derivatives(problem, num_threads=1)
        assert found.has_both_sides
        for each in parameters(problem):
            if each.kind == "cost":
                continue
            derivative = found.of(each.name)
            for side, sign in (("left", -1), ("right", 1)):
                expected = difference(problem, each, sign * STEP)
                if expected is not None:
                    assert getattr(derivative, side) == pytest.approx(
                        expected, rel=1e-6, abs=1e-6
                    ), (document["name"], each.name, side)


def test_derivatives_of_wide_problems_are_those_of_brute_force():
    """Of priors, of probabilities given hidden facts, of rewards per counter."""
    hidden = wide_oracles(2, "slopes of priors", max_states=30, only=("hidden",))
    num_compared = 0
    for drawn in (*wide_oracles(4, "wide slopes", max_states=30), *hidden):
        problem = problem_of(drawn.doc)
        try:
            found = derivatives(problem, num_threads=1)
        except ProblemError:  # Every plan may get stuck.
            continue
        assert found.has_both_sides
        for each in parameters(problem):
            if each.kind == "cost" or find_parameter(problem, each.name) != each:
                continue
            derivative, now = found.of(each.name), each.value(problem)
            for side, sign in (("left", -1), ("right", 1)):
                least, most = each.bounds(problem)
                parts = [now + sign * STEP * part for part in (0, Fraction(1, 2), 1)]
                if not least <= parts[-1] <= most:
                    continue
                rows = [{ProfileParameter(each.name, each): at} for at in parts]
                oracles = (Oracle(document_of(drawn.doc, row)) for row in rows)
                here, half, whole = (each.value(each.root) for each in oracles)
                expected = float((4 * (half - here) - (whole - here)) / (sign * STEP))
                num_compared += 1
                assert getattr(derivative, side) == pytest.approx(
                    expected, rel=1e-6, abs=1e-6
                ), (drawn.doc, each.name, side)
    assert num_compared > 50


def test_a_prior_moves_the_value_as_by_hand():
    """
    To test, and treat the positive, is worth 0.9 p 10 - 0.2 (1 - p) 4: slope 9.8. The
    partial derivatives leave the other prior as it is: 9 for present, -0.8 for absent.
    To test, look and treat leaves 1 of 4, so that a test may cost 1 more.
    """
    text = """
budget: 4
hidden: {disease: {present: 0.3, absent: rest}}
actions:
  test:
    outcomes: {positive: 0.2, negative: rest}
    given: [{when: disease=present, outcomes: {positive: 0.9, negative: rest}}]
  look: {requires: test=positive, outcomes: {seen: 1}}
  treat: {requires: look, outcomes: {done: 1}}
rewards:
  - {when: treat and disease=present, value: 10}
  - {when: treat and disease=absent, value: -4}
combine: sum
"""
    found = derivatives(read_text(text, format="yaml"))

    present = found.of("P(disease=present)")
    assert (present.left, present.right) == (pytest.approx(9.8), pytest.approx(9.8))
    assert present.partial == pytest.approx(9)
    assert found.of("P(disease=absent)").partial == pytest.approx(-0.8)
    assert found.of("P(test=positive | disease=present)").right == pytest.approx(3)
    assert found.of("cost of test").allowable_increase == 1


def test_rewards_that_are_worth_the_same_have_a_kink():
    """While both hold only a rise of one counts, and it is then gone for."""
    text = """
budget: 2
actions:
  a: {outcomes: {ok: 0.6, no: rest}}
  b: {outcomes: {ok: 0.5, no: rest}}
rewards: [{when: a=ok, value: 10}, {when: b=ok, value: 10}]
"""
    found = derivatives(read_text(text, format="yaml"))

    # Worth more, `a` comes first or second all the same: 0.6 of all cases pay it. Worth
    # less, it pays only where `b` fails: 0.5 x 0.6.
    a = found.of("reward of a=ok")
    assert (a.left, a.right, a.is_kink) == (
        pytest.approx(0.3),
        pytest.approx(0.6),
        True,
    )


def test_costs_count_through_their_weight_and_the_budget():
    """
    The plan tests (10) and drills (70) in 59 % of all cases. With a budget of 100 its
    dearest way leaves 20.
    """
    found = derivatives(read(OIL).with_budget(100))

    assert found.of("cost of test").right == pytest.approx(-1)
    assert found.of("cost of drill").right == pytest.approx(-0.59)
    assert found.of("cost weight").right == pytest.approx(-(10 + 0.59 * 70))
    assert found.of("cost of drill").allowable_increase == 20
    assert found.of("cost of test").allowable_increase == 20


def test_a_cost_that_is_paid_often_has_less_room():
    text = """
budget: 10
actions:
  toss: {cost: 2, attempts: 3, precluded_by: toss=heads,
         outcomes: {heads: 1/2, tails: rest}}
rewards: [{when: toss=heads, value: 8}]
"""
    problem = read_text(text, format="yaml")
    toss = derivatives(problem).of("cost of toss")

    assert toss.allowable_increase == Fraction(4, 3)  # three times 2 leave 4
    assert toss.right == 0
    dearer = problem.action("toss").cost["budget"] + toss.allowable_increase
    for cost, worth in ((dearer, 7), (dearer + Fraction(1, 100), 6)):
        document = json.loads(json.dumps(DOCUMENT))
        document["actions"]["toss"]["cost"] = str(cost)
        assert value(document) == worth


DOCUMENT = {
    "budget": 10,
    "actions": {
        "toss": {
            "cost": 2,
            "attempts": 3,
            "precluded_by": "toss=heads",
            "outcomes": {"heads": "1/2", "tails": "1/2"},
        }
    },
    "rewards": [{"when": "toss=heads", "value": 8}],
}


def test_the_partial_derivative_is_what_the_outcome_leads_to():
    """With two outcomes the derivative is the difference of the two partial ones."""
    found = derivatives(illustrative())

    ok, fail = found.of("P(a1=2)"), found.of("P(a1=1)")
    assert ok.right == pytest.approx(ok.partial - fail.partial)
    # Each probability times its partial one adds up to the value: a1 comes first.
    whole = float(ok.value) * ok.partial + float(fail.value) * fail.partial
    assert whole == pytest.approx(8.43672)


def test_with_too_many_optimal_plans_the_chosen_one_is_looked_at():
    problem, solution = illustrative(), solve(illustrative())
    all_plans = Slopes(problem, solution)
    chosen = Slopes(problem, solution, most_places=3)

    assert all_plans.has_both_sides
    assert not chosen.has_both_sides
    for each in parameters(problem):
        left, right = all_plans.of(each)
        assert left - 1e-9 <= chosen.of(each).left <= right + 1e-9, each.name


def test_where_two_plans_are_tied_each_side_has_its_own_derivative():
    """Only one of two equal chances can be taken; what falls is then left alone."""
    text = """
budget: 1
actions:
  a: {outcomes: {ok: 0.5, no: rest}}
  b: {outcomes: {ok: 0.5, no: rest}}
rewards: [{when: a=ok or b=ok, value: 10}]
"""
    found = derivatives(read_text(text, format="yaml")).of("P(a=ok)")

    assert (found.left, found.right, found.is_kink) == (0, pytest.approx(10), True)


def test_what_matters_most_comes_first():
    effects = [each.effect for each in derivatives(illustrative()).derivatives]

    assert effects == sorted(effects, reverse=True)


def test_derivatives_come_as_a_data_frame():
    frame = derivatives(illustrative()).frame().set_index("parameter")

    assert frame.loc["P(a7=2)", "right"] == pytest.approx(28.2936)
