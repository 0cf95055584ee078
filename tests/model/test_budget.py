"""Budgets and costs: immutable, exact, and at ease with one resource or several."""

import pickle
from fractions import Fraction

import pytest

from branchwise.model.budget import UNLIMITED, Amounts, Budget, limit_text


def test_a_resource_left_out_is_zero_and_zeros_are_left_out():
    cost = Amounts({"money": 3, "days": 0})
    assert dict(cost) == {"money": 3}
    assert cost.of("days") == 0
    assert cost == Amounts({"money": "3.0"})
    assert hash(cost) == hash(Amounts({"money": 3}))


def test_a_plain_number_is_of_the_resource_without_a_name():
    assert Amounts("1/2") == Amounts({"budget": "0.5"})
    assert Budget(6).is_plain
    assert not Budget({"money": 6}).is_plain


def test_amounts_add_up():
    assert Amounts({"money": "0.5", "days": 2}).total() == Fraction(5, 2)


def test_a_plain_number_counts_in_the_resource_it_is_paid_in():
    assert Amounts(3).paid_in("money") == Amounts({"money": 3})
    assert Amounts({"budget": 1, "days": 2}).paid_in("money") == Amounts(
        {"budget": 1, "days": 2}
    )


@pytest.mark.parametrize("limit", ["unlimited", " Unlimited ", UNLIMITED])
def test_unlimited_in_words_or_numbers(limit):
    assert Budget(limit)["budget"] == UNLIMITED
    assert str(Budget(limit)) == "unlimited"


@pytest.mark.parametrize("limit", [-UNLIMITED, float("nan"), "infinite", True])
def test_no_other_way_to_be_without_end(limit):
    with pytest.raises(ValueError, match="number"):
        Budget(limit)


def test_budgets_are_written_for_people():
    assert str(Budget({"money": "10.50", "days": UNLIMITED})) == (
        "10.5 money, unlimited days"
    )
    assert str(Budget("1/3")) == "1/3"
    assert limit_text(UNLIMITED) == "unlimited"
    assert repr(Amounts({"money": "0.25"})) == "Amounts({'money': 0.25})"


def test_budgets_keep_their_order_but_are_equal_in_any():
    one, other = Budget({"money": 1, "days": 2}), Budget({"days": 2, "money": 1})
    assert list(one) == ["money", "days"]
    assert one == other
    assert hash(one) == hash(other)


def test_an_amount_may_have_an_interval_even_where_it_is_nothing():
    cost = Amounts({"money": "3 [2, 5]", "days": "0 [0, 1]", "hours": 4})

    assert cost.interval("money") == (2, 5)
    assert cost.interval("hours") is None
    assert cost.named == ("money", "hours", "days")
    assert dict(cost) == {"money": 3, "hours": 4}
    assert cost == Amounts({"money": 3, "hours": 4}, {"money": (2, 5), "days": (0, 1)})
    assert cost != Amounts(dict(cost))
    assert Amounts(cost) == cost
    assert pickle.loads(pickle.dumps(cost)) == cost


def test_another_amount_is_known_exactly_and_the_others_stay():
    cost = Amounts({"money": "3 [2, 5]", "days": "1 [1, 2]"})

    changed = cost.with_amount("money", Fraction(9))
    assert changed == Amounts({"money": 9, "days": "1 [1, 2]"})


def test_intervals_move_along_with_what_is_added():
    cost = Amounts("3 [2, 5]").plus(Amounts({"budget": 4, "days": 1}))

    assert cost == Amounts({"budget": "7 [6, 9]", "days": 1})
    assert Amounts("3 [2, 5]").paid_in("money") == Amounts({"money": "3 [2, 5]"})
