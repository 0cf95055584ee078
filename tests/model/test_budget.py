"""Budgets and costs: immutable, exact, and at ease with one resource or several."""

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
