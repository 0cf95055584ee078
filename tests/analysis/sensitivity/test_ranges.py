"""Ranges that a problem states: who says so, and what numbers come of them."""

import json
from random import Random

import pytest

from branchwise import Action, Given, Problem, Reward, analyze, read_text, solve
from branchwise.analysis import (
    AnalysisOptions,
    derivatives,
    one_way,
    thresholds,
    tornado,
    two_way,
    uncertainty,
)
from branchwise.analysis.parameter import find_parameter
from branchwise.analysis.sensitivity.ranges import stated_range
from branchwise.formats.write import write_text
from branchwise.model import problem_after
from branchwise.solver import Solver
from oracles.oracle import value
from problems.measured_documents import with_intervals
from problems.strategies import seeded_documents

OIL = """
actions:
  drill:
    cost: 70 [60, 90]
    precluded_by: sell
    outcomes: {oil: "0.4 [0.2, 0.5]", dry: rest}
    sample_size: 30
  sell:
    cost: 0 [0, 5]
    precluded_by: drill
    outcomes: {sold: 1}
rewards:
  - {when: drill=oil, value: "270 [270, 270]"}
  - {when: sell=sold, value: 20}
cost_weight: 1
"""


@pytest.fixture
def oil():
    return read_text(OIL)


def measured(count, seed, **knobs):
    """Give documents without intervals beside the problems that have some."""
    for document in seeded_documents(count, seed, **knobs):
        reported = with_intervals(document, Random(f"{seed} {document['name']}"))
        yield document, read_text(json.dumps(reported), "json")


def test_stated_intervals_are_the_ranges_and_a_share_is_for_the_rest(oil):
    """Drilling is worth 270 p - d, selling 20 at once; 270 is known exactly."""
    found = tornado(oil, share="50%")

    reported = {
        s.parameter: (float(s.low), float(s.high), s.range_from) for s in found.swings
    }
    assert reported == {
        "P(drill=oil)": (0.2, 0.5, "problem"),
        "cost of drill": (60, 90, "problem"),
        "cost of sell": (0, 5, "problem"),
        "reward of sell=sold": (10, 30, "share"),
        "cost weight": (0.5, 1.5, "share"),
    }
    drill = found.of("P(drill=oil)")
    assert (drill.reward_low, drill.reward_high) == pytest.approx((20, 65))
    cost = found.of("cost of drill")
    assert (cost.reward_low, cost.reward_high) == pytest.approx((48, 20))


def test_what_is_asked_for_wins_over_what_the_problem_states(oil):
    found = tornado(oil, ranges={"cost of drill": (10, 20)})

    assert [(s.low, s.high, s.range_from) for s in found.swings] == [(10, 20, "option")]
    assert one_way(oil, "cost of drill").range_from == "problem"
    assert one_way(oil, "cost of drill", 0, 200).range_from == "option"


def test_thresholds_are_looked_for_within_stated_intervals(oil):
    """Drilling beats the 20 of selling as long as it costs no more than 88."""
    found = thresholds(oil)

    drill = found.of("cost of drill")
    assert (drill.segments[0].low, drill.segments[-1].high) == (60, 90)
    assert [float(t) for t in drill.action_thresholds] == pytest.approx([88])
    assert drill.range_from == "problem"
    assert found.of("cost weight").range_from == "whole"
    assert "reward of drill=oil" not in [each.parameter for each in found.curves]


def test_the_two_way_map_spans_stated_intervals():
    """Risky is the better start above 0.27, the nearest threshold of all numbers."""
    risky = Action("risky", outcomes={"ok": "0.3 [0.2, 0.6]", "no": "rest"})
    safe = Action("safe", outcomes={"ok": 0.9, "no": 0.1})
    rewards = [Reward("risky=ok", "10 [9.5, 10.5]"), Reward("safe=ok", 3)]
    problem = Problem([risky, safe], rewards, budget=1)

    found = analyze(problem, only=["two-way"]).sections["two-way"]

    assert (found.x_parameter, found.x_range_from) == ("P(risky=ok)", "problem")
    assert (found.y_parameter, found.y_range_from) == ("reward of safe=ok", "whole")
    xs = sorted({float(cell.x) for cell in found.cells})
    assert (xs[0], xs[-1]) == (0.2, 0.6)
    asked = two_way(problem, ("P(risky=ok)", 0, 1), ("P(safe=ok)", 0, 1), num_steps=1)
    assert asked.x_range_from == "option"


def test_ends_are_worth_what_brute_force_says():
    knobs = {"max_states": 60, "without": {"given"}}
    for document, problem in measured(10, "stated ranges", **knobs):
        plain = read_text(json.dumps(document), "json")
        names = [f"reward of {reward.when}" for reward in plain.rewards]
        for each in tornado(problem, num_threads=1).swings:
            if each.range_from != "problem" or each.parameter not in names:
                continue
            low, high = (each.low, each.reward_low), (each.high, each.reward_high)
            for end, worth in (low, high):
                other = json.loads(json.dumps(document))
                other["rewards"][names.index(each.parameter)]["value"] = str(end)
                assert worth == pytest.approx(float(value(other)), abs=1e-9)


def test_solving_and_exporting_ignore_intervals_and_sample_sizes():
    for document, problem in measured(10, "ignored", max_states=60):
        plain = read_text(json.dumps(document), "json")

        assert solve(problem, exact=True).expected_reward == value(document)
        assert Solver(plain).fits(problem)
        assert write_text(problem, "prism") == write_text(plain, "prism")


def test_a_cost_of_nothing_that_may_be_something_has_a_derivative():
    """Selling is sure; what it might cost would be lost from the 20."""
    sell = Action("sell", outcomes={"sold": 1}, cost="0 [0, 5]")
    problem = Problem([sell], [Reward("sell=sold", 20)], cost_weight=1)

    assert derivatives(problem).of("cost of sell").right == -1
    swing = tornado(problem).of("cost of sell")
    assert (swing.reward_low, swing.reward_high) == (20, 15)


def test_what_is_left_of_a_problem_keeps_what_is_stated():
    test = Action("test", outcomes={"done": 1})
    drill = Action("drill", outcomes={"oil": 1}, cost="7 [6, 9]", sample_size=30)
    rewards = [Reward("drill=oil", "270 [200, 300]")]
    left = problem_after(Problem([test, drill], rewards), "test=done")

    assert left.actions == (drill,)
    assert left.rewards == tuple(rewards)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, {"": (40, "problem"), "b": (40, "problem"), "c": (9, "problem")}),
        (
            {"sample_sizes": {"a": 5}},
            {"": (5, "option"), "b": (5, "option"), "c": (5, "option")},
        ),
        (
            {"sample_size": 7},
            {"": (40, "problem"), "b": (40, "problem"), "c": (9, "problem")},
        ),
    ],
)
def test_sample_sizes_count_asked_then_stated_then_for_all(asked, expected):
    probabilities = {"ok": 0.5, "no": 0.5}
    given = [
        Given("b", outcomes=probabilities),
        Given("c", outcomes=probabilities, sample_size=9),
        Given("b and c", cost=2),
    ]
    actions = [
        Action("a", outcomes=probabilities, sample_size=40, given=given),
        Action("b", outcomes=probabilities),
        Action("c", outcomes=probabilities),
    ]
    problem = Problem(actions, [Reward("a=ok", 1)], budget=9)

    found = uncertainty(problem, num_draws=2, **asked).sample_sizes

    sizes = {s.when: (s.sample_size, s.size_from) for s in found if s.action == "a"}
    assert sizes == expected
    for_all = asked.get("sample_size", AnalysisOptions().sample_size)
    others = {(s.sample_size, s.size_from) for s in found if s.action != "a"}
    assert others == {(for_all, "all")}


def test_a_larger_sample_leaves_less_to_chance():
    def spread(size):
        toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, sample_size=size)
        found = uncertainty(Problem([toss], [Reward("toss=heads", 8)], budget=1))
        return float(found.rewards.quantile(0.95) - found.rewards.quantile(0.05))

    assert spread(1000) < spread(20) / 3


def test_the_interval_of_a_cost_is_its_range():
    problem = Problem([Action("drill", outcomes={"oil": 1}, cost="70 [60, 90]")])

    found = stated_range(problem, find_parameter(problem, "cost of drill"))

    assert (found.low, found.high, found.origin) == (60, 90, "problem")
