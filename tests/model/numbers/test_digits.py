import sys
import time
from fractions import Fraction
from random import Random

import pytest

from branchwise.model.numbers.number import is_long, ratio_text, whole_text

FEWEST_DIGITS = 640


@pytest.fixture
def whole_limit():
    """Let Python write the numbers that it is compared with."""
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(usual)


@pytest.mark.usefixtures("whole_limit")
@pytest.mark.parametrize("bits", [0, 1, 1_999, 2_000, 2_001, 4_000, 8_001, 100_000])
def test_every_number_is_written_as_python_would(bits):
    drawn = Random(bits).getrandbits(bits)
    zeros = 10 ** (bits * 3 // 10)
    for number in (1 << bits, (1 << bits) - 1, zeros, zeros - 1, drawn, -drawn):
        assert whole_text(number) == str(number)
    assert ratio_text(Fraction(-drawn, 3 * zeros)) == str(Fraction(-drawn, 3 * zeros))


def test_the_shortest_limit_that_python_takes_is_long_enough():
    """The least limit is 640 digits; what is not long has at most 603."""
    longest = (1 << 2_000) - 1
    assert not is_long(longest)
    assert is_long(longest + 1)
    assert len(whole_text(longest)) < FEWEST_DIGITS


def test_a_million_digits_are_written_in_nearly_linear_time():
    """Python takes more than half a minute; this takes a fifth of a second."""
    start = time.process_time()

    assert len(whole_text(10**1_000_000)) == 1_000_001
    assert time.process_time() - start < 10
