"""Problems worked out by hand, each of which one rule about wide states decides."""

from dataclasses import replace
from fractions import Fraction

import pytest

from branchwise import ProblemError, evaluate, read_text, solve
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.limits import Limits
from branchwise.model.conditions.condition import NEVER
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

# Whoever has failed in one place knows that it is likely in the other: 0.9 * 10 in all.
# Had the attempt only been lost, 0.45 * 10 + 0.55 * 0.45 * 10 would be the most, and
# selling better.
LEARNING_BY_FAILURE = """
budget: 2
hidden:
  treasure: {east: 0.5, west: 0.5}
actions:
  dig east:
    outcomes: {found: 0, nothing: 1}
    given: [{when: treasure=east, outcomes: {found: 0.9, nothing: 0.1}}]
  dig west:
    outcomes: {found: 0, nothing: 1}
    given: [{when: treasure=west, outcomes: {found: 0.9, nothing: 0.1}}]
  sell map: {cost: 2, outcomes: {sold: 1}}
rewards:
  - {when: '"dig east"=found or "dig west"=found', value: 10}
  - {when: '"sell map"=sold', value: 8}
"""


@pytest.mark.parametrize("search", ["exhaustive", "best-first", "deepening", "auto"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        (TELLING_AN_ACTION, 60),
        (TELLING_A_REWARD, 25),
        (TELLING_THE_BEST, 70),
        (CHARGING_OUTCOMES, 3),
        (PAYING_THE_DEAREST, 2.5),
        (OUT_OF_REACH, 0),
        (LEARNING_BY_FAILURE, 9),
    ],
)
def test_the_value_is_what_it_is_by_hand(text, value, search):
    problem = read_text(text)

    found = solve(problem, engine="canonical", search=search)

    assert found.expected_reward == pytest.approx(value)
    assert solve(problem, engine="reference", exact=True).expected_reward == value


def test_a_set_that_outcomes_put_out_of_reach_is_no_plan():
    """Both attempts can be paid for, but not with what comes of them."""
    solver = CanonicalSolver(read_text(OUT_OF_REACH))

    lower, upper = solver.bounds(1, limits=Limits())

    assert lower <= 0 <= upper


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


# Until one of both is found one looks on, also where looking is of no use: at home, for
# 1, then either for 2 and 6 in turn. Found at home 1/2, in the car 1/4:
# 1 + 1/2 * (2 + 3/4 * 6) = 17/4, and 3/8 of the time nothing is found, which counts 8.
LOOKING = """
budget: 9
finish: home=found or car=found
objective: least-cost
unfinished: 8
actions:
  home: {outcomes: {found: 0.5, nothing: rest}}
  car: {cost: 2, outcomes: {found: 0.25, nothing: rest}}
  street: {cost: 6, outcomes: {nothing: 1}}
"""


def test_one_must_go_on_until_it_is_finished_or_nothing_can_be_done():
    problem = read_text(LOOKING)
    by_hand = -(Fraction(17, 4) + Fraction(3, 8) * 8)

    for exact in (False, True):
        found = solve(problem, engine="canonical", exact=exact)
        assert found.expected_reward == by_hand
        assert [node.action for node in found.tree.walk()][:2] == ["home", None]


def test_what_must_not_get_stuck_does_not():
    """Whoever has gone through the street is finished in the second problem."""
    problem = read_text(LOOKING.replace("unfinished: 8\n", ""))
    with pytest.raises(
        ProblemError, match=r"home=nothing, car=nothing, street=nothing"
    ):
        solve(problem, engine="canonical")

    sure = read_text(
        LOOKING.replace("unfinished: 8\n", "").replace("car=found", "street=nothing")
    )
    for exact in (False, True):
        found = solve(sure, engine="canonical", exact=exact)
        assert found.expected_reward == -4  # 1, and half the time 6


def test_problems_that_finish_elsewhere_are_solved_afresh():
    problem = read_text(LOOKING)
    solver = CanonicalSolver(problem)
    solver.solve()
    other = replace(problem, unfinished=Fraction(80))
    without = replace(problem.actions[2], requires=NEVER)
    shorter = replace(problem, actions=(*problem.actions[:2], without))

    # By other numbers 17/4 + 3/8 * 80; without the street 1 + 1/2 * 2 + 3/8 * 8.
    assert solver.start_of(shorter) is None
    assert solver.solve(other).expected_reward == -Fraction(137, 4)
    assert solver.solve(shorter).expected_reward == -5


# By hand: two steps are worth 2, and the rare prize 0.0001 more.
STEPS = """
budget: 5
counters: {{c: {{range: 0..{high}}}}}
actions:
  step: {{attempts: 2, effects: {{c: 1}}, outcomes: {{ok: 0.5, no: rest}}}}
  rare: {{outcomes: {{ok: 0.0001, no: rest}}}}
rewards: [{{per: c, value: 1}}, {{when: rare=ok, value: 1}}]
combine: sum
"""


@pytest.mark.parametrize("high", [2, 10**9, 2**53])
def test_what_is_tied_does_not_depend_on_how_wide_a_range_is(high):
    found = solve(read_text(STEPS.format(high=high), "yaml"), verify=False)

    assert evaluate(found.tree, found.problem) == Fraction(20001, 10000)


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
def test_steps_down_may_be_what_is_paid_for(search):
    """By hand: from 5 down to 3 with both attempts."""
    text = STEPS.format(high=9).replace("0..9", "0..9, start: 5")
    text = text.replace("effects: {c: 1}", "effects: {c: -1}")
    text = text.replace("{per: c, value: 1}", "{per: c, value: -1}")
    found = solve(read_text(text, "yaml"), search=search, verify=False)

    assert found.expected_reward == pytest.approx(-2.9999)
    assert evaluate(found.tree, found.problem) == Fraction(-29999, 10000)
