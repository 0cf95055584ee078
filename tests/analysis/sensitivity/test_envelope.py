"""Thresholds where plans bend or stop to fit: none is missed, as brute force says."""

import copy
import json
from fractions import Fraction

import pytest

from branchwise import Action, Problem, Reward, read_text
from branchwise.analysis import one_way, parameters
from branchwise.analysis.parameter import find_parameter
from branchwise.analysis.sensitivity.budget_steps import fits
from branchwise.analysis.sensitivity.envelope import polynomial
from oracles.oracle import Oracle, possible, value
from problems.strategies import seeded_documents

CLOSE = Fraction(1, 10**7)


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def with_probabilities(document, parameter, at):
    """The document in which a probability is another, and the rest in proportion."""
    changed = copy.deepcopy(document)
    body = changed["actions"][parameter.action]
    body = body if parameter.clause is None else body["given"][parameter.clause]
    probabilities = possible(body["outcomes"])
    rest = 1 - probabilities[parameter.outcome]
    body["outcomes"] = {
        o: str(
            at if o == parameter.outcome else probabilities.get(o, 0) * (1 - at) / rest
        )
        for o in body["outcomes"]
    }
    return changed


def with_cost(document, parameter, at):
    """The document in which a cost is another."""
    changed = copy.deepcopy(document)
    body = changed["actions"][parameter.action]
    body = body if parameter.clause is None else body["given"][parameter.clause]
    cost = str(at)
    if isinstance(changed["budget"], dict):
        amounts = Oracle(document).per_resource(body.get("cost", 1))
        known = dict(zip(changed["budget"], amounts, strict=True))
        cost = {r: str(c) for r, c in known.items()} | {parameter.resource: cost}
    body["cost"] = cost
    return changed


def first_actions(document):
    oracle = Oracle(document)
    return {step.action for step in oracle.optimal(oracle.root)} or {None}


@pytest.mark.parametrize("portion", range(3))
def test_probabilities_of_repeated_actions_have_the_curve_of_brute_force(portion):
    """At every point drawn, and with the first action of the segment there."""
    tried = 0
    for document in seeded_documents(10, f"bent {portion}", max_states=80):
        problem = problem_of(document)
        bent = [
            each
            for each in parameters(problem)
            if each.kind == "probability" and problem.action(each.action).attempts > 1
        ]
        for parameter in bent[:3]:
            found = one_way(problem, parameter.name, num_threads=1)
            assert found.is_complete
            for segment in found.segments:
                for share in range(1, 12):
                    at = segment.low + (segment.high - segment.low) * share / 12
                    firsts = first_actions(with_probabilities(document, parameter, at))
                    assert segment.first_action in firsts, (document["name"], at)
            for at, worth in found.points:
                expected = float(value(with_probabilities(document, parameter, at)))
                assert worth == pytest.approx(expected, abs=1e-6), document["name"]
            tried += 1
    assert tried >= 5


def test_a_plan_that_comes_and_goes_in_a_narrow_range_is_found():
    """Heads and tails in two tosses have 2 p (1 - p): above s for |p - 1/2| < w."""
    toss = Action("toss", outcomes={"heads": 0.3, "tails": "rest"}, attempts=2)
    sure = Action("sure", outcomes={"ok": 1}, cost=2)
    least = Fraction("0.49999")
    rewards = [Reward(toss["heads"] & toss["tails"], 1), Reward(sure["ok"], least)]
    problem = Problem([toss, sure], rewards, budget=2)

    found = one_way(problem, "P(toss=heads)", 0, "0.9")

    half = float((Fraction(1, 2) - least) / 2) ** 0.5
    expected = [0.5 - half, 0.5 + half]
    assert [float(at) for at in found.action_thresholds] == pytest.approx(
        expected, abs=1e-8
    )
    assert [s.first_action for s in found.segments] == ["sure", "toss", "sure"]


@pytest.mark.parametrize("without", [{"cost_weight"}, set()], ids=["plain", "charged"])
@pytest.mark.parametrize("portion", range(2))
def test_costs_of_what_is_limited_have_the_steps_of_brute_force(portion, without):
    """Everywhere in a segment, at its upper end too, and just above its lower one."""
    num_thresholds = 0
    for document in seeded_documents(
        8, f"steps {portion}", max_states=50, max_actions=5, without=frozenset(without)
    ):
        problem = problem_of(document)
        filling = [
            each
            for each in parameters(problem)
            if each.kind == "cost"
            and each.value(problem)
            and isinstance(problem.budget[each.resource], Fraction)
        ]
        for parameter in filling[:3]:
            found = one_way(problem, parameter.name, num_threads=1)
            num_thresholds += len(found.tree_thresholds)
            for segment in found.segments:
                assert_segment(document, parameter, segment)
    assert num_thresholds


def assert_segment(document, parameter, segment):
    """Compare the line of a segment with brute force."""
    width = segment.high - segment.low
    for at in (
        segment.low + min(CLOSE, width / 8),
        segment.low + width / 5,
        segment.low + width * 2 / 3,
        segment.high,
    ):
        changed = with_cost(document, parameter, at)
        share = float((at - segment.low) / width)
        rise = segment.reward_high - segment.reward_low
        expected = float(value(changed))
        place = document["name"], parameter.name, at
        assert segment.reward_low + share * rise == pytest.approx(expected, abs=1e-5), (
            place
        )
        # A threshold between lines is right to nine digits, and may lie beyond.
        if at < segment.high:
            assert segment.first_action in first_actions(changed), place


def test_a_cost_stops_fitting_where_a_sum_fills_the_budget():
    """
    Two tries at 10 fit while each costs up to 3 of 6, one try up to 6; a try with the
    prize of 1 besides fits up to 4.
    """
    text = """
budget: 6
actions:
  try: {cost: 2, attempts: 2, precluded_by: try=ok, outcomes: {ok: 1/2, no: rest}}
  prize: {cost: 2, outcomes: {won: 1}}
rewards: [{when: try=ok, value: 10}, {when: prize=won, value: 1}]
"""
    found = one_way(read_text(text, format="yaml"), "cost of try", 1, 9)

    assert found.tree_thresholds == (2, 3, 4, 6)
    assert [s.reward_high for s in found.segments] == pytest.approx(
        [7.75, 7.5, 5.5, 5, 1]
    )
    assert [s.first_action for s in found.segments][-1] == "prize"
    assert found.is_complete
    # It costs 2 now: dearer, not all fits, and cheaper nothing changes.
    assert found.nearest(is_above=True, is_action=False) == 2
    assert found.nearest(is_above=False, is_action=False) is None


def test_a_cost_without_end_to_its_attempts_is_followed_from_above_nothing():
    text = """
budget: 3
actions: {try: {attempts: unlimited, outcomes: {ok: 1/2, no: rest}}}
rewards: [{when: try=ok, value: 8}]
"""
    problem = read_text(text, format="yaml")

    found = one_way(problem, "cost of try")

    assert found.segments[0].low == Fraction(1, 3)
    assert found.tree_thresholds[-1] == Fraction(3, 2)
    with pytest.raises(ValueError, match="cannot range from 0 to 2: for nothing"):
        one_way(problem, "cost of try", 0, 2)


def test_a_polynomial_lies_among_its_coefficients():
    assert polynomial([0.0, 0.0, 1.0], 0.5) == 0.25  # the square of one half


def test_plans_stop_to_fit_where_sums_of_costs_fill_the_budget():
    """One costs up to 3 alone, and up to 2 beside the other, which costs 1."""
    one, two = (Action(name, outcomes={"ok": 1}) for name in ("one", "two"))
    problem = Problem([one, two], budget=3)
    cost = find_parameter(problem, "cost of one")

    assert fits(problem, cost, Fraction(0), Fraction(9)).places == (2, 3)
