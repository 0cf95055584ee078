"""A named parameter moves all that is computed from it, in every analysis."""

from fractions import Fraction

import pytest

from branchwise import read_text, solve
from branchwise.analysis import (
    derivatives,
    one_way,
    parameters,
    thresholds,
    tornado,
    two_way,
    uncertainty,
)
from branchwise.analysis.parameter import find_parameter

CLINIC = read_text(
    """
    parameters: {prevalence: '0.3 [0.2, 0.4]', sens: 0.9, visit: 120}
    budget: 12
    actions:
      test:
        cost: visit / 60
        outcomes: {positive: prevalence * sens, negative: rest}
      treat:
        cost: 3
        requires: test
        outcomes: {cured: 0.1, sick: rest}
        given: [{when: test=positive, outcomes: {cured: sens, sick: rest}}]
      wait: {outcomes: {well: 1 - prevalence, ill: rest}}
    rewards:
      - {when: treat=cured, value: visit}
      - {when: wait=well, value: visit / 3}
    cost_weight: 1
    """
)
NAMES = ("prevalence", "sens", "visit")


def value(**changes):
    return solve(CLINIC.with_parameters(**changes), exact=True).expected_reward


def test_what_is_computed_is_not_a_number_of_its_own():
    names = [each.name for each in parameters(CLINIC)]

    assert names[:3] == list(NAMES)
    assert "P(treat=cured)" in names
    assert "cost of test" not in names
    assert "P(test=positive)" not in names
    assert "P(treat=cured | test=positive)" not in names
    assert "reward of treat=cured" not in names


def test_what_is_computed_is_found_where_it_is_asked_for():
    assert find_parameter(CLINIC, "cost of test").value(CLINIC) == 2
    assert [each.name for each in parameters(CLINIC, with_computed=True)][3] == (
        "P(test=positive)"
    )


def test_the_tornado_plans_anew_at_both_ends():
    found = tornado(CLINIC)
    for name, low, high in [("prevalence", "0.2", "0.4"), ("visit", 108, 132)]:
        swing = found.of(name)
        assert (swing.kind, swing.low, swing.high) == (
            "parameter", Fraction(low), Fraction(high),
        )  # fmt: skip
        assert swing.reward_low == pytest.approx(float(value(**{name: low})))
        assert swing.reward_high == pytest.approx(float(value(**{name: high})))


def test_a_share_ends_where_the_problem_would_contradict_itself():
    """A sensitivity of 0.9 may not rise by half, as 1.35 is no probability."""
    swing = tornado(CLINIC, share="0.5").of("sens")

    assert swing.low == Fraction(9, 20)
    assert Fraction("0.98") < swing.high <= 1


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_those_of_finite_differences(name):
    found = derivatives(CLINIC).of(name)
    now = CLINIC.parameters[name].value
    step = Fraction(1, 10**7)
    right = (value(**{name: now + step}) - value()) / step
    left = (value() - value(**{name: now - step})) / step

    assert found.right == pytest.approx(float(right), rel=1e-5)
    assert found.left == pytest.approx(float(left), rel=1e-5)
    assert not found.is_kink


RISKY = read_text(
    """
    parameters: {p: 0.3, worth: 10}
    budget: 1
    actions:
      risky: {outcomes: {ok: p * p, no: rest}}
      safe: {outcomes: {ok: 1}}
    rewards: [{when: risky=ok, value: worth}, {when: safe=ok, value: worth * 0.25}]
    """
)


def test_both_sides_of_a_kink_have_their_own_derivative():
    """At p = 1/2 both are worth 2.5: `safe` on the left, 20 p = 10 on the right."""
    found = derivatives(RISKY.with_parameters(p="0.5")).of("p")

    assert found.left == pytest.approx(0)
    assert found.right == pytest.approx(10, rel=1e-5)
    assert found.is_kink


def test_a_threshold_is_found_where_the_plan_changes():
    """10 p^2 overtakes 2.5 at p = 1/2; what both are worth moves with `worth` alike."""
    curve = one_way(RISKY, "p", 0, 1)

    assert [segment.first_action for segment in curve.segments] == ["safe", "risky"]
    assert float(curve.action_thresholds[0]) == pytest.approx(0.5, abs=1e-3)
    assert not curve.is_complete
    assert curve.points[-1] == (1, 10.0)
    assert not thresholds(RISKY).of("worth").action_thresholds


def test_a_plan_that_no_longer_fits_the_budget_is_a_threshold():
    problem = read_text(
        """
        parameters: {price: 2}
        budget: 4
        actions:
          dear: {cost: 2 * price, outcomes: {ok: 1}}
          cheap: {outcomes: {ok: 1}}
        rewards: [{when: dear=ok, value: 9}, {when: cheap=ok, value: 4}]
        """
    )
    curve = one_way(problem, "price", 1, 3)

    assert [segment.first_action for segment in curve.segments] == ["dear", "cheap"]
    assert float(curve.tree_thresholds[0]) == pytest.approx(2, abs=4e-3)


def test_a_range_in_which_the_problem_contradicts_itself_is_refused():
    with pytest.raises(ValueError, match="contradicts itself"):
        one_way(CLINIC, "sens", 0, 2)


def test_two_parameters_are_mapped():
    found = two_way(RISKY, ("p", 0, 1), ("worth", 1, 10), num_steps=4)

    assert len(found.cells) == 25
    for cell in found.cells:
        moved = RISKY.with_parameters(p=cell.x, worth=cell.y)
        assert cell.expected_reward == pytest.approx(
            float(solve(moved, exact=True).expected_reward)
        )


def test_draws_move_parameters_within_their_intervals():
    """What is computed is not drawn by itself; so only `prevalence` moves here."""
    found = uncertainty(CLINIC, num_draws=40, seed=3, sample_sizes={"treat": 10**9})
    low, high = sorted((float(value(prevalence="0.2")), float(value(prevalence="0.4"))))
    worths = [draw.expected_reward for draw in found.draws]

    assert len({round(worth, 6) for worth in worths}) == 40
    assert all(low - 0.1 <= worth <= high + 0.1 for worth in worths)
    assert {each.action for each in found.sample_sizes} == {"treat"}


@pytest.mark.parametrize("low", ["0", "0.013"])
def test_a_threshold_is_found_wherever_the_points_are(low):
    """Plans that are tied at a point that is looked at are told apart beside it."""
    curve = one_way(RISKY, "p", low, 1)

    assert [segment.first_action for segment in curve.segments] == ["safe", "risky"]
    assert float(curve.tree_thresholds[0]) == pytest.approx(0.5, abs=1e-3)
