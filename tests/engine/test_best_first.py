"""Best-first search comes to its end."""

import pytest

from branchwise import Status, read_text, solve


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
