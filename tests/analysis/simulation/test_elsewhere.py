"""Runs that other processes play come to the same, coin by coin."""

from concurrent.futures import ProcessPoolExecutor

import pytest

from branchwise import generate, read, simulate, solve
from branchwise.analysis import POLICY_NAMES
from branchwise.analysis.simulation import rounds
from branchwise.analysis.simulation.coins import SeededDeals


@pytest.fixture(scope="module")
def executor():
    with ProcessPoolExecutor(2) as executor:
        yield executor


@pytest.fixture(autouse=True)
def small_slices(monkeypatch):
    """Slices so small that small problems have many, in every round."""
    monkeypatch.setattr(rounds, "_SLICE", 3)
    monkeypatch.setattr(rounds, "_LEAST_SHARED", 2)


def careful(state):
    return "a1" if state.left["budget"] > 5 else None


@pytest.mark.parametrize("policy", [*POLICY_NAMES, careful])
def test_every_policy(executor, policy):
    problem = read("examples/illustrative.yaml")
    here = simulate(problem, num_runs=2_000, seed=3, policy=policy)

    there = simulate(problem, num_runs=2_000, seed=3, policy=policy, executor=executor)
    assert repr(there) == repr(here)


@pytest.mark.parametrize(
    "knobs",
    [
        {"hidden": 2, "counters": 1},
        {"repeats": "0.3", "cost_weight": "0.1", "rewards": 2, "combine": "sum"},
    ],
)
def test_whatever_states_hold(executor, knobs):
    problem = generate(9, 6, seed=5, **knobs)
    for policy in (solve(problem).tree, *POLICY_NAMES):
        here = simulate(problem, num_runs=500, seed="s", policy=policy)

        there = simulate(
            problem, num_runs=500, seed="s", policy=policy, executor=executor
        )
        assert repr(there) == repr(here)


def test_no_two_positions_have_the_same_coins():
    deals = SeededDeals(7)
    faces = {
        tuple(deals(action, number)(10**6, [0.5] + [0.1] * 5))
        for action in range(-1, 12)
        for number in range(12)
    }
    assert len(faces) == 13 * 12
