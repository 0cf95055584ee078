"""Texts are merged where their changes lie apart, and not otherwise."""

from hypothesis import given
from hypothesis import strategies as st

from branchwise.studio.text.merge import merged

TEXTS = st.lists(st.sampled_from("abc"), max_size=8).map("\n".join)


def test_changes_that_lie_apart_are_both_made():
    first = "name: x\nbudget: 6\nactions:\n  a: 1\n"
    mine = first.replace("budget: 6", "budget: 7")
    theirs = first.replace("  a: 1\n", "  a: 2\n  b: 3\n")
    assert (
        merged(first, mine, theirs) == "name: x\nbudget: 7\nactions:\n  a: 2\n  b: 3\n"
    )


def test_changes_of_one_line_or_of_neighbors_are_not():
    assert merged("a\nb\nc", "a\nx\nc", "a\ny\nc") is None
    assert merged("a\nb\nc", "x\nb\nc", "a\ny\nc") is None
    assert merged("a\nb\nc", "a\nx\nc", "a\nx\nc") == "a\nx\nc"


def test_texts_that_differ_all_over_are_one_change():
    first, mine = "\n".join("a" * 5000), "\n".join("b" * 5000)
    assert merged(first, mine, first) == mine
    assert merged(first, mine, "\n".join("c" * 5000)) is None


@given(TEXTS, TEXTS)
def test_who_changed_nothing_gets_what_the_other_wrote(first, other):
    assert merged(first, first, other) == merged(first, other, first) == other
    assert merged(first, other, other) == other


@given(TEXTS, TEXTS, TEXTS)
def test_it_does_not_matter_who_is_who(first, mine, theirs):
    assert merged(first, mine, theirs) == merged(first, theirs, mine)
