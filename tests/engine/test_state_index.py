"""The compiled numbering of states agrees with the reference, at any length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchwise.engine.state_index import StateIndex
from branchwise.reference.state_index import StateIndex as ReferenceStateIndex

LARGEST_SIZE = 2**32 - 1

sizes = st.lists(
    st.one_of(st.integers(1, 5), st.integers(1, LARGEST_SIZE), st.just(LARGEST_SIZE)),
    max_size=40,
)


@st.composite
def sizes_and_state(draw):
    drawn = draw(sizes)
    return drawn, tuple(draw(st.integers(0, size - 1)) for size in drawn)


@st.composite
def sizes_and_index(draw):
    drawn = draw(sizes)
    last = ReferenceStateIndex(drawn).num_states - 1
    return drawn, draw(st.integers(0, last) | st.just(last))


@given(sizes)
def test_the_number_of_states_is_the_reference_s(sizes):
    assert StateIndex(sizes).num_states == ReferenceStateIndex(sizes).num_states


@given(sizes_and_state())
def test_the_index_of_a_state_is_the_reference_s(case):
    sizes, state = case
    assert StateIndex(sizes).index(state) == ReferenceStateIndex(sizes).index(state)


@given(sizes_and_index())
def test_the_state_of_an_index_is_the_reference_s(case):
    sizes, index = case
    assert StateIndex(sizes).state(index) == ReferenceStateIndex(sizes).state(index)


@given(sizes_and_state())
def test_the_state_comes_back_from_its_index(case):
    sizes, state = case
    states = StateIndex(sizes)
    assert states.state(states.index(state)) == state


@given(st.lists(st.integers(0, 3), min_size=500, max_size=500))
def test_500_actions_of_four_values_each_lose_nothing(ranks):
    actions = StateIndex([4] * 500)

    index = actions.index(ranks)

    assert index == ReferenceStateIndex([4] * 500).index(ranks)
    assert actions.state(index) == tuple(ranks)


def test_the_last_of_500_actions_counts_2_to_the_998():
    """Before it stand 499 elements of four values: 4**499 = 2**998."""
    assert StateIndex([4] * 500).index([0] * 499 + [1]) == 2**998


def test_five_decimal_digits_run_from_0_to_99999_as_in_the_paper():
    digits = StateIndex([10] * 5)

    assert digits.num_states == 100_000
    assert digits.index((0, 0, 0, 0, 0)) == 0
    assert digits.index((1, 2, 3, 4, 5)) == 54_321
    assert digits.index((9, 9, 9, 9, 9)) == 99_999


def test_what_the_reference_refuses_is_refused_with_the_same_message():
    def refusals(states):
        for call, value in [
            (states.index, (2, 0)),
            (states.index, (0,)),
            (states.index, (0, 0.5)),
            (states.state, 6),
            (states.state, -1),
        ]:
            with pytest.raises(ValueError) as refusal:
                call(value)
            yield str(refusal.value)

    ours = list(refusals(StateIndex([2, 3])))

    assert ours == list(refusals(ReferenceStateIndex([2, 3])))
    assert ours[0].startswith("state[0]: 2 is not one of its 2 values")


def test_an_element_of_more_values_than_the_core_counts_is_refused():
    with pytest.raises(ValueError) as refusal:
        StateIndex([2, 2**32])
    assert str(refusal.value) == (
        "sizes[1]: 4294967296 is more than 4294967295 values\n"
        "    fix: split the element in two, or use "
        "branchwise.reference.state_index, which has no limit"
    )
