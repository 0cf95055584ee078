"""Best-first search comes to its end."""

import math
from pathlib import Path

import pytest

from branchwise import Status, read, read_text, solve
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.lower import core_objective
from branchwise.tree.progress import Progress

INSTANCES = Path(__file__).parents[2] / "benchmarks" / "instances"


def test_the_first_plans_are_within_a_thousandth_of_the_best():
    """16.1 thousand states are explored for the optimum, and plans need few of them."""
    problem = read(INSTANCES / "storm-30-15.yaml")
    engine = CanonicalSolver(problem, num_threads=1)._engine

    engine.search(
        math.inf, core_objective("fewest-nodes"), None, None, lambda *_: True, None
    )

    best = float(solve(problem, verify=False).expected_reward)
    assert 0.999 * best < engine.lower_bound <= best * (1 + 1e-9) < engine.upper_bound
    assert engine.num_states < 5_000


def test_progress_never_shows_more_than_the_plan_is_worth_in_the_end():
    shown = []

    def listen(progress: Progress):
        if progress.lower_bound is not None:
            shown.append(float(progress.lower_bound))

    problem = read(INSTANCES / "storm-30-15.yaml")
    solution = solve(
        problem, search="best-first", gap=0.0005, progress=listen, verify=False
    )

    assert shown == sorted(shown)
    assert shown[-1] <= float(solution.expected_reward) * (1 + 1e-9)


@pytest.mark.parametrize("num_states", [20, 100, 500, 2500])
def test_what_a_plan_in_hand_hopes_for_is_handed_over_with_it(num_states):
    """Most of it is not worked out yet: it goes for a rewarding set, whatever comes."""
    problem = read(INSTANCES / "hard-60.yaml")
    how = (core_objective("fewest-nodes"), None, None, lambda *_: True)
    first = CanonicalSolver(problem, num_threads=1)._engine
    first.search(0, *how, num_states)
    second = CanonicalSolver(problem, num_threads=1)._engine

    second.take_over(first.steps_in_hand(), *how[1:])

    assert second.num_states <= first.num_states
    assert second.lower_bound == pytest.approx(first.lower_bound, rel=1e-12)
    assert second.lower_bound > 1


def test_a_gap_as_small_as_a_tie_does_not_keep_it_searching():
    """
    Six attempts in all, each of which fails once in a hundred: 100 * (1 - 1e-12).

    What the root was said to be worth, 100, is more than that by just what counts as
    a tie. So one option was as good as its state was said to be, the other was never
    looked at, the bound stayed at 100, and there was nothing left to expand.
    """
    problem = read_text(
        """
        budget: 6
        actions:
          a4: {outcomes: {fail: 0.01, ok: 0.99}}
          a0:
            attempts: unlimited
            outcomes: {fail: 0.01, ok: 0.99}
            given: [{when: a0=ok, cost: 2}]
        rewards: [{when: a0=ok, value: 100}, {when: a4=ok, value: 100}]
        """,
        format="yaml",
    )

    solution = solve(problem, search="best-first", time_limit_seconds=5)

    assert solution.status is Status.OPTIMAL
    assert solution.expected_reward == pytest.approx(100 * (1 - 0.01**6), rel=1e-12)
