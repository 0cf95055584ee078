"""Reading conditions as people write them, and saying where they slip."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchwise.model.conditions.condition import ALWAYS, Attempted, Happened, at_least
from branchwise.model.conditions.condition_text import (
    ConditionSyntaxError,
    as_condition,
    parse_condition,
)
from branchwise.model.numbers.expression import NamedParameter

A, B, C = Happened("a", "x"), Happened("b", "y"), Attempted("c")


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("a=x", A),
        (" a = x ", A),
        ("c", C),
        ("a=x and b=y", A & B),
        ("a=x or b=y and c", A | (B & C)),
        ("(a=x or b=y) and c", (A | B) & C),
        ("not a=x and c", ~A & C),
        ("not (a=x and c)", ~(A & C)),
        ("not not a=x", A),
        ("a=x AND NOT c Or b=y", (A & ~C) | B),
        ("(a,x)", A),
        ("(a, x) and ((b,y) or c)", A & (B | C)),
        ("at least 2 of (a=x, b=y, c)", at_least(2, A, B, C)),
        ("AT LEAST 2 OF ((a,x), b=y or c, not c)", at_least(2, A, B | C, ~C)),
        ("not at least 2 of (a=x,b=y,c) and c", ~at_least(2, A, B, C) & C),
        ("at least 1 of (a=x, b=y)", A | B),
        ("at", Attempted("at")),
        ("at and least=of", Attempted("at") & Happened("least", "of")),
        ("always", ALWAYS),
        ("never or c", C),
        ("always=x", Happened("always", "x")),
        ("a=never", Happened("a", "never")),
        ("\"my action\"='it''s ok'", Happened("my action", "it's ok")),
        (r'"say \"hi\""', Attempted('say "hi"')),
        ('"not"', Attempted("not")),
        ('"always"', Attempted("always")),
        ("1=2024-01-01", Happened("1", "2024-01-01")),
        ("a\n  and\tc", Attempted("a") & C),
        ("öl=ja", Happened("öl", "ja")),
    ],
)
def test_conditions_are_read(text, condition):
    assert parse_condition(text) == condition
    assert as_condition(text) == condition
    assert as_condition(condition) is condition


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("", 0),
        ("   ", 3),
        ("a=x and", 7),
        ("and a", 0),
        ("a b", 2),
        ("a==x", 2),
        ("at least", 8),
        ("at least two of (a)", 9),
        ("at least 2 (a, b)", 11),
        ("at least 1 of a", 14),
        ("at least 1 of (a", 16),
        ("at least 3 of (a, b)", 9),
        ("at least 0 of (a, b)", 9),
        ('at "least" 2 of (a, b)', 3),
        ("a=x && b=y", 4),
        ("a!=x", 1),
        ("a | b", 2),
        ("a <", 3),
        ("a < x", 4),
        ("a < 2 3", 6),
        ("a < (2", 6),
        ("a < (2 *)", 8),
        ("a < 1/0", 4),
        ("a=x < 3", 4),
        ("a => 3", 2),
        ("3 <= a", 5),
        ("count(a)", 8),
        ("count(a >= 3", 8),
        ("left(=) >= 3", 5),
        ("(a=x", 4),
        ("a=x)", 3),
        ("()", 1),
        ("(a, x", 5),
        ("a=", 2),
        ("=x", 0),
        ("not", 3),
        ("a=and", 2),
        ('"open', 0),
        ('"bad \\q escape"', 0),
        ("a, b", 1),
    ],
)
def test_a_slip_is_found_where_it_is(text, offset):
    with pytest.raises(ConditionSyntaxError) as caught:
        parse_condition(text)
    assert caught.value.offset == offset
    assert caught.value.fix
    assert f"(at character {offset + 1})" in str(caught.value)


@given(st.text(alphabet="ab=() ,'\"\\!&<>1 and or not", max_size=30))
def test_any_text_is_a_condition_or_a_slip_within_it(text):
    try:
        condition, offset = parse_condition(text), 0
    except ConditionSyntaxError as error:
        condition, offset = ALWAYS, error.offset
    assert 0 <= offset <= len(text)
    assert parse_condition(str(condition)) == condition


@pytest.mark.parametrize("opening", ["(", "not ", "not ("])
def test_nesting_without_end_is_refused_and_not_a_crash(opening):
    with pytest.raises(ConditionSyntaxError, match="100 levels"):
        parse_condition(opening * 100_000 + "a")


def test_long_conditions_are_read():
    text = " or ".join(f"a{i}=x" for i in range(20_000))
    assert len(list(parse_condition(text).mentions())) == 20_000


@pytest.mark.parametrize(
    "text",
    ["a or b=x or c", "a=x and b and c=y", "a or b and c", "a=x or always", "not or a"],
)
def test_conditions_joined_by_one_word_read_as_within_parentheses(text):
    def outcome(written):
        try:
            return parse_condition(written)
        except ConditionSyntaxError as error:
            return error.what

    assert outcome(text) == outcome(f"({text})")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("doses>=1", "doses >= 1"),
        ("doses == -2", "doses == -2"),
        ("'my doses' < 1/3", '"my doses" < 1/3'),
        (
            "not count(a=x)>2 or count( a )<=30%",
            "not count(a=x) > 2 or count(a) <= 0.3",
        ),
        ("left(days) >= (2 * 3)", "left(days) >= (2 * 3)"),
        ("count=x and left", "count=x and left"),
        ("at least 2 of (a > 1, b, c=x)", "at least 2 of (a > 1, b, c=x)"),
    ],
)
def test_comparisons_are_read_and_written(text, shown):
    condition = parse_condition(text)
    assert str(condition) == shown
    assert parse_condition(shown) == condition


def test_a_comparison_may_name_parameters_and_what_is_computed_from_them():
    known = {name: NamedParameter(name, 3) for name in ("limit", "per day", "and")}
    text = 'a >= limit and b < "per day" and c > (limit * 2 + max(1, limit))'
    condition = parse_condition(text + " and d == (and)", lambda name, _: known[name])
    assert [str(leaf.number) for leaf in condition.comparisons()] == [
        "3",
        "3",
        "9",
        "3",
    ]
    again = parse_condition(str(condition), lambda name, _: known[name])
    assert again == condition
    assert str(again) == str(condition)


def test_names_with_spaces_are_all_put_in_quotes_at_once():
    """What is written as the fix says is right, whatever else stands there."""
    text = 'find it=all ok and (scan or not find it=no) and count("find it"=no) < 2'

    with pytest.raises(ConditionSyntaxError) as caught:
        parse_condition(text)

    *_, fix, _ = caught.value.fix.split("`")
    assert fix == (
        '"find it"="all ok" and (scan or not "find it"=no) and count("find it"=no) < 2'
    )
    assert str(parse_condition(fix)) == fix
