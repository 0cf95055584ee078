"""Aims at a limit: a plan, bounds that hold, and a status; as without an aim."""

import json
from fractions import Fraction
from pathlib import Path
from threading import Event

import pytest

from branchwise import (
    Action,
    AtLeast,
    CVaR,
    ExponentialUtility,
    Problem,
    Reward,
    Status,
    UtilityTable,
    analyze,
    evaluate,
    generate,
    read,
    read_text,
    report,
    solve,
)
from branchwise.tree.prospects.outlook import outlook
from problems.strategies import seeded_documents

HARD = Path(__file__).parents[2] / "benchmarks" / "instances" / "hard-100.yaml"


def cancelled():
    event = Event()
    event.set()
    return event


def assert_bounds(problem, aim, stopped, proven):
    """The plan is worth what it says, and the optimum lies between its bounds."""
    met, solution = stopped.aim, stopped
    rewards = outlook(solution.tree, problem).net_rewards
    assert float(aim.worth(rewards)) == pytest.approx(float(met.worth))
    assert float(evaluate(solution.tree, problem)) == pytest.approx(
        float(solution.expected_reward)
    )
    slack = 1e-9 * max(1, abs(float(proven.aim.worth)))
    assert met.worth <= proven.aim.worth + slack
    assert proven.aim.worth <= met.upper_bound + slack
    assert solution.expected_reward <= solution.upper_bound + slack


@pytest.mark.parametrize("portion", range(2))
def test_bounds_enclose_the_optimum_on_random_problems(portion):
    """Where spending counts, states must know it, and a cancelled run has none."""
    open_gaps = 0
    for document in seeded_documents(12, f"aim limits {portion}", max_states=80):
        problem = read_text(json.dumps(document), format="json")
        most = sum(max(reward.value, 0) for reward in problem.rewards)
        # Rewards less costs may come to less than nothing, so tables go far down.
        table = UtilityTable(
            [(-10_000, -300), (most / 3, 1), (most, 2), (most + 1, 40)]
        )
        for aim in (CVaR("1/3"), AtLeast(most / 2), ExponentialUtility(50), table):
            proven = solve(problem, aim=aim)
            assert proven.status is Status.OPTIMAL

            stopped = solve(problem, aim=aim, cancel=cancelled())

            assert_bounds(problem, aim, stopped, proven)
            open_gaps += stopped.status is Status.INTERRUPTED
    assert open_gaps


@pytest.mark.parametrize(
    "aim", [CVaR("20%"), AtLeast(40), ExponentialUtility(100)], ids=str
)
def test_bounds_enclose_the_optimum_of_a_problem_too_large_to_end_at_once(aim):
    problem = generate(25, seed="why", budget=15)
    proven = solve(problem, aim=aim)

    stopped = solve(problem, aim=aim, cancel=cancelled())

    assert_bounds(problem, aim, stopped, proven)
    gap = stopped.aim.upper_bound > stopped.aim.worth * (1 + 1e-9)
    is_open = stopped.status is Status.INTERRUPTED
    assert is_open == gap


def test_a_time_limit_ends_with_a_plan_and_a_bound():
    problem = read(HARD)

    solution = solve(problem, aim=ExponentialUtility(100), time_limit_seconds=0.2)

    assert solution.status is Status.TIME_LIMIT
    assert solution.aim.upper_bound > solution.aim.worth
    lines = list(report.lines(solution, detail="answer"))
    assert "no plan does better than " in lines[1]
    assert lines[1].endswith("(time limit)")
    assert "no plan has more than " in lines[2]


def test_a_memory_limit_ends_with_a_plan_and_a_bound():
    solution = solve(read(HARD), aim=AtLeast(1), memory_limit_bytes=1)

    assert solution.status is Status.MEMORY_LIMIT
    assert 0 <= solution.aim.worth <= solution.aim.upper_bound <= 1


def test_more_net_rewards_than_can_be_held_still_give_a_plan(monkeypatch):
    """Where spending counts, so many states are kept at most; here, only three."""
    monkeypatch.setattr("branchwise.risk.net_space._MOST_STATES", 3)
    bet = Action("bet", outcomes={"won": 0.5, "lost": 0.5}, attempts=6)
    problem = Problem([bet], [Reward(bet["won"], 10)], cost_weight=1, budget=6)

    solution = solve(problem, aim=CVaR("50%"))

    assert solution.status is Status.MEMORY_LIMIT
    assert solution.aim.worth <= solution.aim.upper_bound
    assert solution.aim.upper_bound == solution.aim.neutral.expected_reward


def test_the_section_on_risk_gives_up_where_one_aim_alone_is_met(monkeypatch):
    monkeypatch.setattr("branchwise.analysis.risk._MOST_STATES", 3)
    bet = Action("bet", outcomes={"won": 0.5, "lost": 0.5}, attempts=6)
    problem = Problem([bet], [Reward(bet["won"], 10)], cost_weight=1, budget=6)

    section = analyze(problem, only=["risk"]).sections["risk"]

    assert "more than 3 of them" in section.reason
    assert solve(problem, aim=CVaR("50%")).status is Status.OPTIMAL


def test_fractions_have_a_plan_and_a_bound_at_a_limit():
    problem = generate(8, seed="why", budget=4)

    found = solve(problem, aim=AtLeast(1), exact=True, time_limit_seconds=1e-9)

    assert found.status is Status.TIME_LIMIT
    assert isinstance(found.expected_reward, Fraction)
    assert found.expected_reward <= found.upper_bound
