"""Distributions: what they answer, and that the tree's own are right."""

import json
import math
from collections import defaultdict
from fractions import Fraction

import pytest

from branchwise import Action, Problem, Reward, read_text, solve
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.prospects.distribution import (
    Distribution,
    final_rewards,
    total_of,
)
from problems.paper import illustrative
from problems.strategies import seeded_documents

THIRD = Fraction(1, 3)
DIE = Distribution.of([(face, Fraction(1, 6)) for face in range(6, 0, -1)])


def enumerated(tree, measure):
    """Add up the leaves of the unrolled tree."""
    found = defaultdict(Fraction)
    for leaf in tree.leaves():
        found[measure(leaf)] += leaf.probability
    return tuple(sorted(found.items()))


def test_values_come_in_order_and_equal_ones_as_one():
    found = Distribution.of([(2, THIRD), (1, THIRD), (2, THIRD), (3, Fraction(0))])

    assert found.chances == ((1, THIRD), (2, 2 * THIRD))


def test_floats_that_differ_by_rounding_are_equal():
    found = Distribution.of([(0.1 + 0.2, 0.25), (0.3, 0.25), (0.3001, 0.5)])

    assert found.chances == ((0.3, 0.5), (0.3001, 0.5))


def test_small_values_are_told_apart_beside_a_large_one():
    found = Distribution.of([(1.0, 0.5), (10.0, 0.25), (2e13, 0.25)])

    assert found.chances == ((1.0, 0.5), (10.0, 0.25), (2e13, 0.25))


def test_sums_of_rewards_come_without_the_rounding_of_floats():
    """0.1 + 0.2 + 1 - 1 is 0.3, though floats make it 0.30000000000000004."""
    toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    rewards = [Reward(toss["heads"], value) for value in ("0.1", "0.2", 1, -1)]
    problem = Problem([toss], rewards, combine="sum")

    for engine in ("canonical", "paper", "reference"):
        tree = solve(problem, engine=engine).tree

        assert final_rewards(tree, problem).chances == ((0.0, 0.5), (0.3, 0.5))


def test_fractions_are_equal_only_if_they_are():
    close = Fraction(1, 3) + Fraction(1, 10**30)

    assert len(Distribution.of([(THIRD, THIRD), (close, 2 * THIRD)]).chances) == 2


def test_a_die_has_the_moments_of_a_die():
    assert DIE.mean == Fraction(7, 2)
    assert DIE.standard_deviation == pytest.approx(math.sqrt(35 / 12))
    assert (DIE.least, DIE.most) == (1, 6)


@pytest.mark.parametrize(
    ("value", "chance"), [(0, 1), (1, 1), (2.5, "2/3"), (6, "1/6"), (7, 0)]
)
def test_at_least_counts_the_value_itself(value, chance):
    assert DIE.at_least(value) == Fraction(chance)


@pytest.mark.parametrize(
    ("share", "value"), [(0, 1), (THIRD, 2), (0.34, 3), (0.5, 3), (0.95, 6), (1, 6)]
)
def test_a_quantile_is_the_lowest_value_not_exceeded_so_often(share, value):
    assert DIE.quantile(share) == value


def test_a_quantile_is_not_moved_by_rounding():
    """Ten times 0.1 is less than 1 in floats, and three times is more than 0.3."""
    tenths = Distribution.of([(float(i), 0.1) for i in range(10)])

    assert [tenths.quantile(share) for share in (0.3, 0.7, 1)] == [2, 6, 9]


@pytest.mark.parametrize(
    ("level", "mean"),
    # The worst quarter is all of the ones and half of the twos.
    [("1/6", 1), ("1/3", "3/2"), ("1/4", "4/3"), (1, "7/2")],
)
def test_cvar_is_the_mean_of_the_worst_share(level, mean):
    assert DIE.cvar(Fraction(level)) == Fraction(mean)


def test_levels_are_read_as_written_where_chances_are_exact():
    assert DIE.cvar(0.1) == 1
    assert isinstance(DIE.cvar(0.1), Fraction)


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match="from 0 to 1"):
        DIE.quantile(share)
    with pytest.raises(ValueError, match="above 0"):
        DIE.cvar(share)


def test_a_level_of_nothing_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        DIE.cvar(0)


def test_the_paper_s_plan_pays_its_rewards():
    """The mean is the optimum; the tree has three rewards besides nothing."""
    tree = solve(illustrative(), exact=True).tree
    found = final_rewards(tree)

    assert [reward for reward, _ in found.chances] == [0, 10, 50, 100]
    assert found.mean == Fraction(105459, 12500)
    assert found.chances == enumerated(tree, lambda leaf: leaf.reward)


def test_random_plans_agree_with_their_leaves_one_by_one():
    for document in seeded_documents(60, seed="distribution", max_states=300):
        tree = solve(read_text(json.dumps(document), format="json"), exact=True).tree

        rewards, lengths = final_rewards(tree), total_of(tree, lambda _: 1)

        assert rewards.chances == enumerated(tree, lambda leaf: leaf.reward)
        assert lengths.chances == enumerated(tree, lambda leaf: len(leaf.path))
        assert sum(chance for _, chance in rewards.chances) == 1
        assert sum(chance for _, chance in lengths.chances) == 1


def test_a_tree_of_a_trillion_leaves_is_not_unrolled():
    """Forty tosses in a row, each with the same next state: 2^40 leaves."""
    policy = {
        number: Decision(
            "toss",
            (Branch("heads", 0.5, number + 1), Branch("tails", 0.5, number + 1)),
            7,
            0,
        )
        for number in range(40)
    }
    policy[40] = Decision(None, (), 7, 7)
    tree = DecisionTree(policy, 0)

    assert tree.num_leaves == 2**40
    assert final_rewards(tree).chances == ((7, 1.0),)
    assert total_of(tree, lambda _: 1).chances == ((40, 1.0),)
