"""Coins: the same bits for the same seed, and counts as chance would have them."""

import math
from collections import Counter
from hashlib import shake_128

import pytest

from branchwise.analysis.simulation.coins import Coins


def test_the_bits_are_those_of_the_hash():
    block = int.from_bytes(shake_128(b"7/0").digest(256), "little")
    coins = Coins(7)

    assert [coins.toss(1) for _ in range(20)] == [block >> i & 1 for i in range(20)]


def test_the_same_seed_deals_the_same():
    deals = [Coins(seed).split(10**6, [0.2, 0.3, 0.5]) for seed in (1, 1, 2)]

    assert deals[0] == deals[1] != deals[2]


def test_these_numbers_are_the_same_on_every_machine():
    coins = Coins("pinned")

    assert coins.split(1000, [1 / 3, 1 / 7, 11 / 21]) == [364, 136, 500]
    assert [coins.successes(10, 0.1) for _ in range(8)] == [2, 0, 2, 3, 2, 0, 1, 1]


@pytest.mark.parametrize(("probability", "number"), [(0.0, 0), (1.0, 50), (1.5, 50)])
def test_what_is_certain_takes_no_coin(probability, number):
    assert Coins(0).successes(50, probability) == number


def test_nothing_is_lost_in_a_deal():
    coins = Coins(3)
    for count in (0, 1, 2, 77, 10_000):
        assert sum(coins.split(count, [0.1, 1e-20, 0.25, 0.65])) == count


@pytest.mark.parametrize("probability", [0.5, 0.1, 1 / 3, 0.999])
def test_successes_have_the_binomial_distribution(probability):
    """Twenty thousand draws of four tries, each count within four standard errors."""
    coins, num_draws = Coins(probability), 20_000
    found = Counter(coins.successes(4, probability) for _ in range(num_draws))

    for k in range(5):
        expected = math.comb(4, k) * probability**k * (1 - probability) ** (4 - k)
        error = math.sqrt(expected * (1 - expected) / num_draws)
        assert abs(found[k] / num_draws - expected) <= 4 * error + 1e-4


def test_a_large_count_is_split_as_chance_would():
    number = Coins(0).successes(10**7, 0.3)

    assert abs(number - 3_000_000) < 4 * math.sqrt(10**7 * 0.3 * 0.7)


def test_a_million_are_dealt_as_on_every_other_machine():
    assert Coins(7).split(1_000_000, [0.5, 0.3, 0.2]) == [500089, 300263, 199648]
