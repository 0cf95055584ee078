"""Storm's ways find the value that branchwise finds, and give up when they are told."""

import pytest
from peers import storm, storm_worker
from registry.graphs import Graph

from branchwise import Action, Problem, Reward, read_text, solve

SMALL = Graph(15, 3, 3, seed=7, num_sets=12).problem().with_budget(7)
PRECLUDED = read_text("""
budget: 5
actions:
  a: {cost: 2, outcomes: {fail: 0.4, ok: 0.6}}
  b: {outcomes: {fail: 0.7, ok: 0.3}, precluded_by: c=fail or d}
  c: {requires: a=ok and not b=fail, outcomes: {fail: 0.5, ok: 0.5}}
  d: {requires: c=ok or b=ok, outcomes: {fail: 0.2, ok: 0.8}}
  e: {outcomes: {fail: 0.2, ok: 0.8}}
rewards:
  - {when: d=ok, value: 10}
""")
ANY_KIND = read_text("""
budget: {money: 3, days: 2}
actions:
  a: {cost: {money: 1}, attempts: unlimited, outcomes: {fail: 0.4, ok: 0.6}}
  b: {cost: {days: 1}, attempts: 3, outcomes: {fail: 0.7, ok: 0.3},
      given: [{when: a=ok, outcomes: {fail: 0.2, ok: 0.8}}]}
rewards:
  - {when: a=ok, value: 10}
  - {when: b=ok, value: 20}
combine: sum
cost_weight: 1
""")


@pytest.mark.parametrize("way", storm.WAYS)
@pytest.mark.parametrize(
    "problem", [SMALL, PRECLUDED, ANY_KIND], ids=["graph", "precluded", "any kind"]
)
def test_every_way_finds_the_value(way, problem):
    model = storm.WAYS[way](problem)
    found = storm_worker.check(model.text, model.property, model.engine)

    value = solve(problem, engine="reference").expected_reward
    assert model.expected_reward(found["result"]) == pytest.approx(value, abs=1e-9)


def test_actions_that_nothing_needs_are_left_out():
    for way in ("sparse, pruned", "symbolic"):
        assert "take_e" not in storm.WAYS[way](PRECLUDED).text
    assert "take_e" in storm.WAYS["sparse, naive"](PRECLUDED).text


def test_pruning_leaves_fewer_states():
    naive, pruned = (
        storm.run(SMALL, way).num_states for way in ("sparse, naive", "sparse, pruned")
    )
    assert pruned < naive / 2


def test_a_run_that_takes_too_long_or_too_much_is_ended():
    coins = [Action(f"a{i}", outcomes={"x": 0.5, "y": 0.5}) for i in range(30)]
    problem = Problem(coins, [Reward("a0=x and a9=x", 1)], budget=12)

    late = storm.run(problem, "sparse, naive", time_limit_seconds=1)
    large = storm.run(problem, "sparse, naive", memory_limit_mb=150)

    assert late.failure == "none in 1 s"
    assert large.failure == "more than 150 MB"


def test_the_best_way_is_the_fastest():
    best = storm.best_of(SMALL, time_limit_seconds=60)

    assert best.value == pytest.approx(solve(SMALL).expected_reward, abs=1e-9)
    assert best.way == "sparse, pruned"
    assert storm.best_of(SMALL, time_limit_seconds=0).failure == "none in 0 s"
