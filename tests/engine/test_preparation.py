"""Making an engine ready is held to the limits, and never quadratic for nothing."""

import sys

import pytest

import branchwise._core as core
from branchwise import (
    Action,
    LimitError,
    Problem,
    Reward,
    Solver,
    generate,
    solve,
)
from branchwise.engine import preparation
from branchwise.engine.lower import Lowered
from branchwise.engine.preparation import most_to_earn
from branchwise.model.counter import Counter
from branchwise.tree.solution import Status
from oracles.quick_oracle import QuickOracle
from problems.gadgets import gadget_documents
from problems.straight_problem import straight_problem

PAIR = {"fail": 0.4, "ok": 0.6}


class CancelledAt:
    """An event that is set from the time on that it is asked so many times."""

    def __init__(self, count):
        self.count, self.num_asked = count, 0

    def is_set(self):
        self.num_asked += 1
        return self.num_asked >= self.count


class InterruptedAt(CancelledAt):
    """Ctrl-C comes when it is asked so many times."""

    def is_set(self):
        self.num_asked += 1
        if self.num_asked == self.count:
            raise KeyboardInterrupt
        return False


def chain(num_actions):
    """Each action needs the one before, and the last one earns 10."""
    first = Action("a0", outcomes=PAIR)
    others = [
        Action(f"a{i}", outcomes=PAIR, requires=f"a{i - 1}=ok")
        for i in range(1, num_actions)
    ]
    reward = Reward(f"a{num_actions - 1}=ok", 10)
    return Problem([first, *others], [reward], budget=num_actions)


def test_lowering_looks_at_the_limits_for_every_action():
    looks = []

    Lowered(chain(50), look=lambda: looks.append(1))

    assert len(looks) == 2 * 50


@pytest.mark.parametrize("count", range(1, 8))
def test_whenever_it_is_stopped_there_is_an_answer(count, monkeypatch):
    """Doing nothing earns 0, and no plan of the chain more than its reward."""
    monkeypatch.setattr(preparation, "GRACE_SECONDS", 0)
    problem = chain(7)

    solution = solve(problem, cancel=CancelledAt(count), verify=False)

    assert solution.status is Status.INTERRUPTED
    assert solution.expected_reward == 0
    assert solution.tree.root.action is None
    assert solution.bound == 10
    assert "stopped before the search could begin" in solution.reason


@pytest.mark.parametrize("count", [1, 400, 801])
def test_ctrl_c_ends_it_in_order_as_well(count):
    """While 400 actions are read, lowered, and laid out in the core."""
    solution = solve(chain(400), cancel=InterruptedAt(count), verify=False)

    assert solution.status is Status.INTERRUPTED
    assert (solution.expected_reward, solution.bound) == (0, 10)


def test_a_limit_that_is_met_in_the_core_ends_it_there():
    """It looks at the clock every 64 steps, and a chain of 200 takes more."""
    lowered = Lowered(chain(200))

    with pytest.raises(core.RunStopped, match="time"):
        core.CanonicalEngine(lowered.instance, 1, 1e-9, None, lambda *_: True)
    with pytest.raises(core.RunStopped, match="memory"):
        core.CanonicalEngine(lowered.instance, 1, None, 1, lambda *_: True)
    with pytest.raises(core.RunStopped, match="asked"):
        core.CanonicalEngine(lowered.instance, 1, None, None, lambda *_: False)


@pytest.mark.parametrize(
    ("limit", "status"),
    [("time_limit_seconds", "TIME_LIMIT"), ("memory_limit_bytes", "MEMORY_LIMIT")],
)
def test_a_limit_that_is_met_before_the_search_leaves_an_answer(
    limit, status, monkeypatch
):
    monkeypatch.setattr(preparation, "LEAST_SECONDS", 0)
    monkeypatch.setattr(preparation, "LEAST_BYTES", -(10**9))

    solution = solve(chain(400), **{limit: 1e-9 if "time" in limit else 1})

    assert solution.status is Status[status]
    assert (solution.expected_reward, solution.bound) == (0, 10)


def test_a_small_problem_has_a_plan_when_it_is_stopped_at_once():
    assert solve(chain(3), cancel=CancelledAt(1)).tree.root.action == "a0"


@pytest.mark.parametrize("limit", ["time_limit_seconds", "memory_limit_bytes"])
def test_a_small_problem_has_a_plan_within_any_limit(limit):
    assert solve(chain(3), **{limit: 1e-9 if "time" in limit else 1}).tree.root.action


def test_where_one_must_finish_there_is_no_such_answer(monkeypatch):
    monkeypatch.setattr(preparation, "LEAST_SECONDS", 0)
    monkeypatch.setattr(preparation, "GRACE_SECONDS", 0)
    long = chain(400)
    problem = Problem(long.actions, long.rewards, budget=400, finish="a0=ok")

    with pytest.raises(LimitError, match="before there was a plan that finishes"):
        solve(problem, time_limit_seconds=1e-9)
    with pytest.raises(KeyboardInterrupt):
        solve(problem, cancel=CancelledAt(1))


def test_a_solver_that_was_stopped_on_the_way_to_another_problem_goes_on(monkeypatch):
    monkeypatch.setattr(preparation, "GRACE_SECONDS", 0)
    solver = Solver(chain(4))
    other = solver.solve(chain(5), cancel=CancelledAt(2))

    assert other.status is Status.INTERRUPTED
    assert solver.solve().expected_reward == pytest.approx(10 * 0.6**4)
    assert solver.solve(chain(5)).expected_reward == pytest.approx(10 * 0.6**5)


def test_no_plan_earns_more_than_there_is_at_sight():
    """Of problems with all features, by brute force."""
    num_checked = 0
    for document in gadget_documents(150, "at sight"):
        oracle = QuickOracle(document)
        problem = straight_problem(document)
        if problem.is_least_cost:
            continue
        assert most_to_earn(problem) >= oracle.value(oracle.root)
        num_checked += 1
    assert num_checked > 100


def num_calls(problem):
    """How many calls of Python functions lowering takes."""
    calls = []

    def count(_frame, event, _argument):
        if event == "call":
            calls.append(1)

    sys.setprofile(count)
    try:
        Lowered(problem)
    finally:
        sys.setprofile(None)
    return len(calls)


def counted(num_actions):
    """A count of every action is compared, and every action may end it all."""
    outcomes = {"fail": "0.3", "out": {"probability": "0.1", "ends": "keep"}}
    return straight_problem(
        {
            "budget": num_actions,
            "actions": {
                f"a{i}": {
                    "requires": f"count(a{max(i - 1, 0)}) >= {min(i, 1)}",
                    "outcomes": {**outcomes, "ok": "0.6"},
                }
                for i in range(num_actions)
            },
            "rewards": [{"when": f"a{num_actions - 1}=ok", "value": 1}],
        }
    )


@pytest.mark.parametrize(
    "make", [chain, counted, lambda n: generate(n, 12, seed=1, counters=2)]
)
def test_twice_the_actions_take_twice_the_calls(make):
    assert num_calls(make(120)) < 2.6 * num_calls(make(60))


def test_a_counter_is_worth_most_at_one_of_its_ends():
    """3 gains for 2 each, and a debt of -2 for -1 each; harm need not be paid for."""
    counters = [
        Counter("gain", low=0, high=3),
        Counter("debt", low=-2, high=3),
        Counter("harm", low=1, high=4),
    ]
    rewards = [
        Reward(per="gain", value=2),
        Reward(per="debt", value=-1),
        Reward(per="harm", value=-5),
    ]
    problem = Problem([], rewards, combine="sum", counters=counters)

    assert most_to_earn(problem) == 3 * 2 + 2
