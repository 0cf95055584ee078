"""Conditions: what they mean, and one spelling per meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Happened,
    Not,
    all_of,
    any_of,
    at_least,
    depth,
    joined_at_least,
    negation,
    quoted,
)
from branchwise.model.conditions.condition_text import parse_condition
from branchwise.model.conditions.quantity import CounterValue

A, B, C = Happened("scan", "open"), Attempted("phish"), Happened("drill deep", "not")

conditions = st.recursive(
    st.sampled_from([A, B, C, ALWAYS, NEVER]),
    lambda inner: st.one_of(
        st.builds(negation, inner),
        st.lists(inner, max_size=3).map(lambda parts: all_of(*parts)),
        st.lists(inner, max_size=3).map(lambda parts: any_of(*parts)),
        st.tuples(st.integers(-1, 4), st.lists(inner, max_size=4)).map(
            lambda drawn: at_least(drawn[0], *drawn[1])
        ),
    ),
    max_leaves=12,
)
histories = st.fixed_dictionaries(
    {
        "scan": st.sets(st.sampled_from(["open", "closed"])),
        "phish": st.sets(st.sampled_from(["clicked"])),
        "drill deep": st.sets(st.sampled_from(["not", "oil"])),
    }
)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Happened("scan", "open"), True),
        (Happened("scan", "closed"), False),
        (Happened("phish", "clicked"), False),
        (Attempted("scan"), True),
        (Attempted("phish"), False),
        (A & B, False),
        (A | B, True),
        (A & ~B, True),
        (at_least(2, A, ~B, C), True),
        (at_least(2, A, B, C), False),
        (ALWAYS, True),
        (NEVER, False),
    ],
)
def test_what_holds_after_an_open_scan(condition, holds):
    assert condition.holds({"scan": ["open"], "phish": []}) is holds


@given(conditions, conditions, histories)
def test_builders_mean_and_or_and_not(one, other, history):
    assert (one & other).holds(history) == (one.holds(history) and other.holds(history))
    assert (one | other).holds(history) == (one.holds(history) or other.holds(history))
    assert (~one).holds(history) == (not one.holds(history))


def test_equal_meaning_is_an_equal_object():
    assert (A & B) & C == A & (B & C) == AllOf((A, B, C))
    assert AnyOf((A, B, C)) == (A | B) | C
    assert ~~A == A
    assert A & ALWAYS == A
    assert A | NEVER == A
    assert A & NEVER == NEVER
    assert A | ALWAYS == ALWAYS
    assert ~ALWAYS == NEVER
    assert all_of() == ALWAYS
    assert any_of() == NEVER


@given(conditions)
def test_the_text_of_a_condition_reads_back_as_the_same(condition):
    assert parse_condition(str(condition)) == condition


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (A & (B | C), 'scan=open and (phish or "drill deep"="not")'),
        ((A & B) | C, 'scan=open and phish or "drill deep"="not"'),
        (~(A & B), "not (scan=open and phish)"),
        (~A & B, "not scan=open and phish"),
        (ALWAYS, "always"),
        (NEVER, "never"),
    ],
)
def test_parentheses_stand_only_where_they_must(condition, text):
    assert str(condition) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scan", "scan"),
        ("a.b-c:d/1", "a.b-c:d/1"),
        ("öl", "öl"),
        ("two words", '"two words"'),
        ("a=b", '"a=b"'),
        ('say "hi"', r'"say \"hi\""'),
        ("AND", '"AND"'),
        ("never", '"never"'),
        ("", '""'),
    ],
)
def test_names_are_quoted_where_they_would_be_misread(name, text):
    assert quoted(name) == text


def test_mentions_come_in_the_order_of_the_text():
    condition = A & (B | ~C) & Attempted("scan")
    assert list(condition.mentions()) == [A, B, C, Attempted("scan")]


def test_depth_counts_levels():
    assert depth(A) == 1
    assert depth(Not(A & (B | C))) == 4


def shared(times):
    """A condition of one object in 2 ** times places, two levels a time."""
    condition = A
    for _ in range(times):
        condition = (condition & B) | (condition & C)
    return condition


def test_a_condition_that_stands_in_many_places_is_looked_into_once():
    """No machine could visit 2 ** 100 places one by one."""
    assert depth(shared(100)) == 201
    assert set(shared(100).mentions()) == {A, B, C}


def test_sharing_changes_neither_depth_nor_the_order_of_first_mentions():
    apart = parse_condition(str(shared(5)))
    assert depth(shared(5)) == depth(apart)
    assert [*dict.fromkeys(shared(5).mentions())] == [*dict.fromkeys(apart.mentions())]


@given(st.integers(-1, 5), st.lists(st.booleans(), max_size=4))
def test_so_many_hold_or_not(count, truths):
    parts = [Happened(f"a{i}", "ok") for i in range(len(truths))]
    had = {f"a{i}": ["ok"] for i, truth in enumerate(truths) if truth}

    assert at_least(count, *parts).holds(had) == (sum(truths) >= count)


def test_at_least_has_one_spelling_per_meaning():
    assert at_least(1, A, B, C) == A | B | C
    assert at_least(3, A, B, C) == A & B & C
    assert at_least(0, A) == at_least(-1) == ALWAYS
    assert at_least(2, A) == at_least(1) == NEVER
    assert at_least(2, A, ALWAYS, B, NEVER) == A | B
    assert at_least(2, A, B, C) == AtLeast((A, B, C), 2)
    assert at_least(2, A, A) == AtLeast((A, A), 2)
    assert AtLeast((A, A, B), 2).repeated == (A,)


def test_at_least_fails_where_too_many_parts_do():
    """Of three parts two fail, and the others are fewer than the two needed."""
    assert AtLeast((A, B, C), 2).count_against == 2
    assert AtLeast((A, B, C, ~A), 2).count_against == 3


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_all_and_any_say_what_at_least_says(size):
    facts = [Happened(f"a{i}", "ok") for i in range(size)]
    for count in range(1, size + 1):
        said = joined_at_least(count, facts, lambda p: all_of(*p), lambda p: any_of(*p))
        for mask in range(2**size):
            had = {f"a{i}": ["ok"] for i in range(size) if mask >> i & 1}
            assert said.holds(had) == (mask.bit_count() >= count)


def test_joints_grow_with_the_count_times_the_parts():
    joints = []

    def join(parts):
        joints.append(parts)
        return len(joints)

    joined_at_least(10, range(-100, 0), join, join)

    assert len(joints) <= 2 * 10 * 100


def test_pythons_own_and_is_refused_instead_of_dropping_a_condition():
    """`a and b` would be b, and `1 <= doses < 3` would be `doses < 3`."""
    scan, doses = Happened("scan", "open"), CounterValue("doses")
    fix = r"neither true nor false .*\n    fix: join conditions with `&`"

    for joined in (
        lambda: scan and doses >= 1,
        lambda: doses >= 1 or scan,
        lambda: not scan,
        lambda: 1 <= doses < 3,
    ):
        with pytest.raises(TypeError, match=fix):
            joined()
