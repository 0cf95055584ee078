"""Plans from some rewarding sets: valid, a lower bound, and better with more sets."""

import json
from fractions import Fraction

import pytest

from branchwise import Status, evaluate, solve
from branchwise.formats.read import read_text
from branchwise.rewarding import RewardingSets
from problems.paper import illustrative
from problems.strategies import seeded_documents


def test_more_sets_make_a_better_plan_until_all_are_used():
    """
    The strongest set alone is a1, a4, a5 for 50: 0.108 * 50 = 5.4. Two sets and all
    sets are worth what the paper's algorithms make of them.
    """
    values = [
        solve(illustrative(), rewarding_sets=number, exact=True)
        for number in range(1, 5)
    ]

    assert values[0].expected_reward == Fraction(27, 5)
    assert [s.status for s in values] == [Status.LOWER_BOUND] * 3 + [Status.OPTIMAL]
    rewards = [s.expected_reward for s in values]
    assert rewards == sorted(rewards)
    assert rewards[-1] == Fraction(105459, 12500)


def test_the_bounds_hold_the_optimum_between_them():
    for document in seeded_documents(100, "some sets", max_states=300):
        problem = read_text(json.dumps(document), format="json")
        best = solve(problem, exact=True).expected_reward

        some = solve(problem, rewarding_sets=1, exact=True)

        assert some.expected_reward <= best <= some.upper_bound + 1e-9
        assert evaluate(some.tree, problem) == some.expected_reward
        if some.status is Status.OPTIMAL:
            assert some.expected_reward == best


def test_sets_can_be_chosen_by_hand():
    chosen = [each for each in RewardingSets(illustrative()) if each.reward == 100]

    solution = solve(illustrative(), rewarding_sets=chosen)

    assert solution.expected_reward == pytest.approx(3)
    assert solution.first_action == "a3"
    assert solution.gap > 5


def test_without_pruning_there_is_nothing_to_choose():
    with pytest.raises(ValueError, match="no rewarding sets to go by"):
        solve(illustrative(), rewarding_sets=1, naive=True)
