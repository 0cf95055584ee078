"""Where one must finish there is a plan early, and a bound: before all is explored."""

import math

import pytest

import branchwise._core as core
from branchwise import Action, Problem, Reward, Status, evaluate, solve
from branchwise.engine.lower import Lowered
from branchwise.model.conditions.condition import all_of, any_of
from branchwise.model.counter import Counter
from oracles.plain_force import PlainForce
from patience import with_enough_time
from problems.held_problems import FINISH, PARTS, held_problems

CLOSE = 1e-9
FEWEST_NODES = core.Objective.FEWEST_NODES


def go_on(*_):
    return True


def started(problem):
    lowered = Lowered(problem)
    engine = core.CanonicalEngine(lowered.instance, 1)
    return engine, engine.secured


def values_while_exploring(problem, step):
    """Plan and bound, again and again, while ever more is explored; then the value."""
    engine, secured = started(problem)
    is_done, most = False, 0
    while not is_done:
        found, _ = engine.finish_early(FEWEST_NODES, None, None, go_on, most + 1)
        if found is None:
            yield -math.inf, math.inf
        else:
            yield engine.lower_bound + secured, engine.upper_bound + secured
        most += step
        is_done, _ = engine.explore(FEWEST_NODES, None, None, go_on, most)
    yield engine.lower_bound + secured, engine.upper_bound + secured


@pytest.mark.parametrize("portion", range(2))
def test_plan_and_bound_enclose_the_value_and_close_in_on_it(portion):
    """The value is that of brute force, in fractions."""
    num_early = 0
    for problem in held_problems(120, f"early {portion}", (*PARTS, FINISH)):
        force = PlainForce(problem)
        value = float(force.solved(force.root)[0])
        room = CLOSE * max(1.0, abs(value) if math.isfinite(value) else 1.0)
        lowest, highest = -math.inf, math.inf
        for lower, upper in values_while_exploring(problem, step=2):
            assert lowest - room <= lower <= value + room, problem
            assert value - room <= upper <= highest + room, problem
            lowest, highest = lower, upper
            num_early += math.isfinite(lower)
        assert lowest == pytest.approx(value, rel=CLOSE, abs=CLOSE)
    assert num_early > 200


def test_without_an_early_plan_there_is_none():
    """What was looked at in vain is then all there is."""
    num_stuck = 0
    for problem in held_problems(300, "early and stuck", (*PARTS, FINISH)):
        engine, _ = started(problem)
        found, _ = engine.finish_early(FEWEST_NODES, None, None, go_on)
        engine.explore(FEWEST_NODES, None, None, go_on)
        assert (found is None) == (engine.lower_bound == -math.inf), problem
        num_stuck += found is None
    assert num_stuck > 10


def row_of_tests(number):
    """Tests with two outcomes each; it is over at the first bad one."""
    tests = [
        Action(
            f"t{i}",
            cost=1 + i * 7 % 23,
            outcomes={"good": f"{40 + i * 11 % 57}/100", "bad": "rest"},
        )
        for i in range(number)
    ]
    finish = any_of(
        *(test["bad"] for test in tests), all_of(*(test["good"] for test in tests))
    )
    return Problem(tests, finish=finish, objective="least-cost")


def test_a_limit_leaves_a_plan_that_finishes_and_a_bound():
    """
    In the order of cost per chance of a bad one is best: an exchange of neighbors
    that stand the other way never makes the expected cost higher.
    """
    problem = row_of_tests(40)
    best, still = 0, 1
    tests = [(sum(a.cost.values()), a.outcomes[0].probability) for a in problem.actions]
    for cost, good in sorted(tests, key=lambda test: test[0] / (1 - test[1])):
        best += still * cost
        still *= good
    least = pytest.approx(float(best))
    solution = with_enough_time(
        lambda seconds: solve(problem, time_limit_seconds=seconds),
        1,
        lambda solution: solution.expected_cost == least,
    )

    assert solution.status == Status.TIME_LIMIT
    assert solution.expected_cost == least
    assert evaluate(solution.tree, problem) == pytest.approx(-float(best))
    assert solution.upper_bound < 0  # a cost above zero, in rewards


def test_a_gap_ends_it_before_all_is_explored():
    solution = solve(row_of_tests(24), gap=0.5)

    assert solution.status == Status.WITHIN_GAP
    assert 0 < solution.relative_gap <= 0.5


def test_memory_that_runs_out_leaves_a_plan_that_finishes():
    limit = core.resident_bytes() + 30_000_000
    problem = row_of_tests(40)
    solution = solve(problem, memory_limit_bytes=limit)

    assert solution.status == Status.MEMORY_LIMIT
    assert evaluate(solution.tree, problem) == pytest.approx(solution.expected_reward)


def test_rewards_besides_finishing_are_gone_for_where_the_plan_leads():
    """
    Going home finishes for 1, looking first costs 2 and earns 10 half the time; so the
    plan in hand, found before anything is explored, is -1 at first and 2 when improved.
    """
    home = Action("home", cost=1, outcomes={"there": 1})
    look = Action("look", cost=2, outcomes={"found": 0.5, "nothing": 0.5})
    problem = Problem(
        [home, look], [Reward(look["found"], 10)], finish=home["there"], cost_weight=1
    )
    engine, secured = started(problem)
    engine.finish_early(FEWEST_NODES, None, None, go_on)

    assert engine.lower_bound + secured == pytest.approx(2)


def test_what_is_paid_on_the_way_is_part_of_what_can_be_earned():
    """Two digs pay 10 each before one goes home; there are no other rewards."""
    gain = Counter("gain", low=0, high=2)
    walk = Action("walk", outcomes={"there": 1})
    dig = Action(
        "dig",
        attempts=2,
        requires=walk["there"],
        effects={gain: 1},
        outcomes={"found": 1},
    )
    home = Action("home", outcomes={"there": 1})
    problem = Problem(
        [walk, dig, home],
        [Reward(per=gain, value=10)],
        counters=[gain],
        finish=home["there"],
        combine="sum",
    )
    bounds = list(values_while_exploring(problem, step=1))

    assert all(upper >= 20 for _, upper in bounds)
    assert bounds[-1] == (20, 20)
