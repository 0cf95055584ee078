"""Problems worked out by hand, each of which one rule about wide states decides."""

import pytest

from branchwise import read_text, solve
from problems.held_problems import held_problems

# The test shows what the field is; drilling a rich one pays 0.8 * 100, selling 40.
# Knowing, one drills or sells: (80 + 40) / 2 = 60; else drilling pays 45.
TELLING_AN_ACTION = """
budget: 1
hidden:
  field: {rich: 0.5, poor: 0.5}
actions:
  test:
    cost: 0
    outcomes: {good: 0, bad: 1}
    given: [{when: field=rich, outcomes: {good: 1, bad: 0}}]
  drill:
    outcomes: {oil: 0.1, dry: rest}
    given: [{when: field=rich, outcomes: {oil: 0.8, dry: rest}}]
  sell: {outcomes: {sold: 1}}
rewards:
  - {when: drill=oil, value: 100}
  - {when: sell=sold, value: 40}
"""

# One treats the ill alone: 50 / 2 = 25; else treating pays 25 - 15 = 10.
TELLING_A_REWARD = """
budget: unlimited
combine: sum
hidden:
  state: {ill: 0.5, well: 0.5}
actions:
  test:
    outcomes: {positive: 0, negative: 1}
    given: [{when: state=ill, outcomes: {positive: 1, negative: 0}}]
  treat: {outcomes: {done: 1}}
rewards:
  - {when: treat and state=ill, value: 50}
  - {when: treat and state=well, value: -30}
"""

# After the bet one looks, and plays safe for 20 only where it is lost:
# (100 + 60 - 20) / 2 = 70; without looking 100 / 2 + 60 / 2 - 20 = 60.
TELLING_THE_BEST = """
budget: unlimited
cost_weight: 1
hidden:
  coin: {heads: 0.5, tails: 0.5}
actions:
  bet: {cost: 0, outcomes: {placed: 1}}
  look:
    cost: 0
    requires: bet
    outcomes: {win: 0, loss: 1}
    given: [{when: coin=heads, outcomes: {win: 1, loss: 0}}]
  play safe: {cost: 20, outcomes: {done: 1}}
rewards:
  - {when: bet and coin=heads, value: 100}
  - {when: '"play safe"', value: 60}
"""

# 10 / 2 for the reward, 1 for the attempt, 2 / 2 for what goes wrong.
CHARGING_OUTCOMES = """
budget: unlimited
cost_weight: 1
actions:
  try: {outcomes: {ok: 0.5, bad: {probability: 0.5, cost: 2}}}
rewards: [{when: try=ok, value: 10}]
"""

# At first the attempt takes 3, and 2 more if it goes wrong, of 4. It takes 1 once there
# is help, which comes with 1/2: 10 / 2 / 2.
PAYING_THE_DEAREST = """
budget: 4
actions:
  help: {outcomes: {comes: 0.5, stays: rest}}
  try:
    cost: 3
    outcomes: {ok: 0.5, bad: {probability: 0.5, cost: 2}}
    given: [{when: help=comes, cost: 1}]
rewards: [{when: try=ok, value: 10}]
"""

# Each takes 2, with what comes of it, and 3 are there: both together are out of reach.
OUT_OF_REACH = """
budget: 3
actions:
  one: {outcomes: {ok: {probability: 0.5, cost: 1}, bad: 0.5}}
  two: {outcomes: {ok: {probability: 0.5, cost: 1}, bad: 0.5}}
rewards: [{when: one=ok and two=ok, value: 100}]
"""


@pytest.mark.parametrize("search", ["exhaustive", "best-first", "auto"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        (TELLING_AN_ACTION, 60),
        (TELLING_A_REWARD, 25),
        (TELLING_THE_BEST, 70),
        (CHARGING_OUTCOMES, 3),
        (PAYING_THE_DEAREST, 2.5),
        (OUT_OF_REACH, 0),
    ],
)
def test_the_value_is_what_it_is_by_hand(text, value, search):
    problem = read_text(text)

    found = solve(problem, engine="canonical", search=search)

    assert found.expected_reward == pytest.approx(value)
    assert solve(problem, engine="reference", exact=True).expected_reward == value


@pytest.mark.parametrize(("first", "second"), [(2, 3), (3, 2)])
def test_a_counter_is_kept_for_either_of_two_comparisons(first, second):
    """Luck rules one of them out, in the midst of counting for the other."""
    problem = read_text(
        f"""
budget: unlimited
combine: sum
counters: {{steps: {{range: 0..3}}}}
actions:
  up:
    attempts: 4
    outcomes: {{ok: {{probability: 0.5, effects: {{steps: +1}}}}, no: 0.5}}
  luck: {{requires: steps >= 1, outcomes: {{good: 0.5, bad: 0.5}}}}
  one: {{requires: steps >= {first}, outcomes: {{ok: 1}}}}
  two: {{requires: steps >= {second}, precluded_by: luck=good, outcomes: {{ok: 1}}}}
rewards:
  - {{when: luck=good, value: 5}}
  - {{when: one=ok, value: 100}}
  - {{when: two=ok, value: 50}}
"""
    )

    found = solve(problem, engine="canonical", search="exhaustive")
    right = solve(problem, engine="reference", exact=True)

    assert found.expected_reward == pytest.approx(float(right.expected_reward))
    assert found.tree.num_nodes == right.tree.num_nodes


def test_deepening_is_not_for_states_that_hold_more():
    """Asked for all the same, it gives what the others find."""
    for problem in held_problems(60, "deepening"):
        found = solve(problem, engine="canonical", search="deepening")
        right = solve(problem, engine="canonical", search="exhaustive")
        assert found.expected_reward == pytest.approx(right.expected_reward), problem
