"""The reference numbering of states, by hand-made numbers."""

from itertools import product

import pytest

from branchwise.reference.state_index import StateIndex


def test_five_decimal_digits_run_from_0_to_99999_as_in_the_paper():
    digits = StateIndex([10] * 5)

    assert digits.num_states == 100_000
    assert digits.index((0, 0, 0, 0, 0)) == 0
    assert digits.index((9, 9, 9, 9, 9)) == 99_999


def test_the_first_element_counts_least():
    assert StateIndex([10] * 5).index((1, 2, 3, 4, 5)) == 54_321


def test_each_element_has_a_base_of_its_own():
    """With sizes 2, 3 and 4 the index is 1 + 0 * 2 + 3 * (2 * 3) = 19."""
    assert StateIndex([2, 3, 4]).index((1, 0, 3)) == 19
    assert StateIndex([2, 3, 4]).state(19) == (1, 0, 3)


def test_the_states_of_a_small_domain_are_numbered_without_gaps():
    mixed = StateIndex([3, 1, 4, 2])
    states = product(range(3), range(1), range(4), range(2))

    indices = [mixed.index(state) for state in states]

    assert sorted(indices) == list(range(3 * 1 * 4 * 2))


def test_a_state_without_elements_is_the_only_one():
    assert StateIndex([]).num_states == 1
    assert StateIndex([]).index(()) == 0
    assert StateIndex([]).state(0) == ()


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (
            [2, 0],
            "sizes[1]: 0 leaves the element without a value\n"
            "    fix: use a size of 1 or more, or leave the element out",
        ),
        ([2.0], "sizes[0]: 2.0 (float) is not a whole number\n    fix: use an int"),
    ],
)
def test_sizes_that_make_no_domain_are_refused(sizes, message):
    with pytest.raises(ValueError) as refusal:
        StateIndex(sizes)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (
            (1, 3),
            "state[1]: 3 is not one of its 3 values\n    fix: use a rank from 0 to 2",
        ),
        (
            (-1, 0),
            "state[0]: -1 is not one of its 2 values\n    fix: use a rank from 0 to 1",
        ),
        (
            (1,),
            "state: has length 1, but there are 2 elements\n"
            "    fix: give one rank per element",
        ),
        (
            (1, "ok"),
            "state[1]: 'ok' (str) is not a whole number\n    fix: use an int",
        ),
    ],
)
def test_a_state_outside_the_domain_is_refused(state, message):
    with pytest.raises(ValueError) as refusal:
        StateIndex([2, 3]).index(state)
    assert str(refusal.value) == message


@pytest.mark.parametrize("index", [6, -1])
def test_an_index_outside_the_domain_is_refused(index):
    with pytest.raises(ValueError) as refusal:
        StateIndex([2, 3]).state(index)
    assert str(refusal.value) == (
        f"index: {index} is not one of 6 states\n    fix: use an index from 0 to 5"
    )


def test_an_index_too_long_to_print_is_refused_in_a_short_message():
    """Python itself refuses to print the 6021 digits of 4**10000."""
    many = StateIndex([4] * 10_000)

    with pytest.raises(ValueError) as refusal:
        many.state(many.num_states)
    assert str(refusal.value) == (
        "index: 0x10000000... (20001 bits) is not one of "
        "0x10000000... (20001 bits) states\n"
        "    fix: use an index from 0 to 0xffffffff... (20000 bits)"
    )
