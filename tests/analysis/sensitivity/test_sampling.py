"""Thresholds where nothing is known between two points: as round as they are known."""

from dataclasses import replace
from fractions import Fraction

import pytest

from branchwise.analysis import one_way
from branchwise.analysis.sensitivity.carried_out import deeds_of
from branchwise.analysis.sensitivity.sampling import _roundest
from branchwise.formats.read import read_text
from branchwise.solver import solve
from branchwise.tree.evaluate import evaluate

CLIMB = read_text(
    """
    budget: {days: 5}
    counters: {camps: {range: 0..2}}
    actions:
      train: {cost: 2, outcomes: {fit: 0.5, tired: 0.5}}
      climb:
        cost: 1
        effects: {camps: +1}
        outcomes: {top: 0.4, storm: rest}
        given: [{when: train=fit, outcomes: {top: 0.8, storm: rest}}]
    rewards: [{when: climb=top, value: 10}]
    cost_weight: 0.5
    """.replace("cost: 2", "cost: {days: 2}").replace("cost: 1", "cost: {days: 1}"),
    format="yaml",
)


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (Fraction(4), Fraction(4104, 1024), Fraction(4)),
        (Fraction("0.30273"), Fraction("0.30371"), Fraction("0.303")),
        (Fraction("-1.264"), Fraction("-1.246"), Fraction("-1.26")),
        (Fraction(1, 3), Fraction(2, 3), Fraction("0.4")),
    ],
)
def test_of_the_numbers_between_two_the_one_with_the_fewest_digits(low, high, found):
    assert _roundest(low, high) == found


def test_a_threshold_lies_between_what_the_best_plans_do():
    curve = one_way(CLIMB, "P(climb=top)")

    for at in curve.tree_thresholds:
        assert at == round(at, 3)
    here = dict(curve.points)
    assert here[curve.value] == pytest.approx(float(solve(CLIMB).expected_reward))


def test_what_does_the_same_is_worth_the_same():
    tree = solve(CLIMB).tree
    dearer = replace(CLIMB, cost_weight={"days": Fraction(3, 5)})
    other = solve(dearer).tree

    assert deeds_of(tree) == deeds_of(other)
    assert evaluate(tree, dearer) == evaluate(other, dearer)
    assert deeds_of(tree) != deeds_of(solve(CLIMB.with_budget({"days": 1})).tree)
