"""Uncertainty: draws of the right distribution, each planned for by itself."""

import math

import pytest

from branchwise import read_text, solve
from branchwise.analysis import uncertainty
from branchwise.analysis.sensitivity.uncertainty import _drawn
from problems.paper import illustrative

TOSS = """
budget: 1
actions: {toss: {outcomes: {heads: 0.3, tails: rest}}}
rewards: [{when: toss=heads, value: 1}]
"""

CHOICE = """
budget: 1
actions:
  risky: {outcomes: {ok: 0.4, no: rest}}
  safe: {outcomes: {ok: 1}}
rewards: [{when: risky=ok, value: 10}, {when: safe=ok, value: 3}]
"""


def test_draws_have_the_mean_and_the_spread_of_a_beta_distribution():
    """Of Beta(3, 7), which is 0.3 by ten trials: variance 0.3 x 0.7 / 11."""
    found = uncertainty(
        read_text(TOSS, format="yaml"), sample_size=10, num_draws=2000, seed=1
    )

    deviation = math.sqrt(0.3 * 0.7 / 11)
    assert found.rewards.mean == pytest.approx(0.3, abs=4 * deviation / 2000**0.5)
    assert found.rewards.standard_deviation == pytest.approx(deviation, rel=0.06)
    assert found.expected_reward == pytest.approx(0.3)


def test_draws_of_three_outcomes_have_the_spread_of_a_dirichlet_distribution():
    """By 19 trials: p (1 - p) / 20 of each outcome, and - p q / 20 of any two."""
    probabilities = {"good": 0.5, "fair": 0.3, "bad": 0.2}
    text = f"actions: {{toss: {{outcomes: {probabilities}}}}}".replace("'", "")
    problem = read_text(f"{text}\nrewards: []", format="yaml")
    draws = [
        {o.label: float(o.probability) for o in drawn.action("toss").outcomes}
        for drawn in (
            _drawn(problem, {("toss", None): 19.0}, "d", n) for n in range(4000)
        )
    ]

    for one, p in probabilities.items():
        for other, q in probabilities.items():
            moved = [(draw[one] - p) * (draw[other] - q) for draw in draws]
            expected = (p * (1 - p) if one == other else -p * q) / 20
            assert sum(moved) / 4000 == pytest.approx(expected, abs=0.0008)
        mean = sum(draw[one] for draw in draws) / 4000
        assert mean == pytest.approx(p, abs=0.007)


def test_the_share_of_first_actions_is_that_of_the_probabilities():
    """`risky` is best where it succeeds above 0.3: P(Beta(4, 6) > 0.3) = 0.7297."""
    found = uncertainty(
        read_text(CHOICE, format="yaml"), sample_size=10, num_draws=2000, seed=2
    )

    # From the binomial distribution: at most 3 of 9 at 0.3.
    exact = sum(math.comb(9, k) * 0.3**k * 0.7 ** (9 - k) for k in range(4))
    assert found.first_actions["risky"] == pytest.approx(exact, abs=0.04)
    assert sum(found.first_actions.values()) == pytest.approx(1)


def test_every_draw_is_planned_for_by_itself():
    problem = illustrative()
    sizes = {
        (action.name, clause): 20.0
        for action in problem.actions
        for clause in (None, *range(len(action.given)))
    }
    found = uncertainty(problem, num_draws=8, seed="x")

    for number, draw in enumerate(found.draws):
        alone = solve(_drawn(problem, sizes, "x", number))
        assert draw.expected_reward == pytest.approx(alone.expected_reward)
        assert draw.first_action == alone.first_action


def test_what_cannot_happen_stays_impossible_and_the_rest_possible():
    text = """
actions:
  a:
    outcomes: {x: 0.999, y: 0.001, z: 0}
    given: [{when: b=ok, outcomes: {z: 1}}]
  b: {outcomes: {ok: 0.5, no: rest}}
rewards: [{when: a=x, value: 1}]
"""
    problem = read_text(text, format="yaml")
    sizes = dict.fromkeys([("a", None), ("a", 0), ("a", 1), ("b", None)], 1.0)
    for number in range(200):
        action = _drawn(problem, sizes, 0, number).action("a")
        x, y, z = (outcome.probability for outcome in action.outcomes)
        assert x > 0
        assert y > 0
        assert z == 0
        assert x + y == 1
        assert action.given == problem.action("a").given


def test_the_more_trials_the_less_doubt():
    problem = illustrative()
    spreads = [
        uncertainty(problem, sample_size=n, num_draws=60).rewards.standard_deviation
        for n in (5, 50, 5000)
    ]

    assert spreads == sorted(spreads, reverse=True)


def test_single_actions_may_rest_on_more_trials():
    problem = read_text(CHOICE, format="yaml")
    found = uncertainty(problem, sample_sizes={"risky": 10**6}, num_draws=50)

    assert found.first_actions == {"risky": 1.0}


def test_the_same_seed_gives_the_same_draws():
    first, again, other = (
        uncertainty(illustrative(), num_draws=10, seed=seed) for seed in (1, 1, 2)
    )

    assert first == again != other


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"sample_size": 0}, "a sample size is above 0, not 0: write"),
        ({"sample_size": "few"}, "sample size: `few` is not a number"),
        ({"sample_sizes": {"a0": 3}}, "there is no action `a0`"),
        ({"num_draws": 0}, "there must be at least one draw, not 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(how, message):
    with pytest.raises(ValueError) as caught:
        uncertainty(illustrative(), **how)

    assert message in str(caught.value)


def test_draws_come_as_a_data_frame():
    frame = uncertainty(illustrative(), num_draws=5).frame()

    assert list(frame.columns) == ["expected_reward", "first_action"]
    assert len(frame) == 5
