"""What a person writes is what we compute with."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchwise.model.numbers.number import exact, fraction_sum, number_text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (3, Fraction(3)),
        ("3", Fraction(3)),
        (0.1, Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("+2", Fraction(2)),
        ("-2.50", Fraction(-5, 2)),
        ("1/3", Fraction(1, 3)),
        (" 1 / 3 ", Fraction(1, 3)),
        ("0.5/1.5", Fraction(1, 3)),
        ("30%", Fraction(3, 10)),
        ("12.5 %", Fraction(1, 8)),
        ("1e3", Fraction(1000)),
        ("2.5E-3", Fraction(1, 400)),
        (1e-7, Fraction(1, 10**7)),
        (Decimal("0.30"), Fraction(3, 10)),
        (Fraction(2, 7), Fraction(2, 7)),
    ],
)
def test_numbers_are_read_exactly_as_written(written, meant):
    assert exact(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        *(
            "",
            "ten",
            "1,5",
            "1/0",
            "0/0.0",
            "nan",
            ".inf",
            "-Infinity",
            "0x10",
            "1_000",
        ),
        *("1e9999", "1 2", "--1", "30%%", "1/2/3", "1/3%", "٣٤x", "9" * 500),
        *(float("nan"), float("inf"), True, Decimal("NaN")),
    ],
)
def test_what_is_no_number_says_so(written):
    with pytest.raises(ValueError, match=r"number|zero"):
        exact(written)


@given(st.fractions())
def test_writing_and_reading_a_fraction_gives_it_back(number):
    assert exact(number_text(number)) == number


@given(
    st.floats(min_value=-1e150, max_value=1e150, allow_subnormal=False).map(
        lambda number: number if abs(number) > 1e-150 else 0.0
    )
)
def test_floats_mean_their_shortest_text(number):
    assert float(exact(number)) == number


@pytest.mark.parametrize("text", ["1e200", "1e-200", "1e100/1e-100"])
def test_a_number_that_could_not_be_written_back_is_refused(text):
    with pytest.raises(ValueError, match="too large or too small"):
        exact(text)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(3), "3"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1, 3), "1/3"),
        (Fraction(1, 2**39), f"{Decimal(1) / 2**39:.39f}"),
        (Fraction(1, 2**50), f"1/{2**50}"),
    ],
)
def test_decimals_where_they_end_soon_and_fractions_elsewhere(number, text):
    assert number_text(number) == text


def test_fractions_add_up_whatever_their_denominators():
    numbers = [Fraction(n, 1 + n % 7) for n in range(-20, 50)]
    assert fraction_sum(numbers) == sum(numbers)
    assert fraction_sum([]) == 0
