"""Expressions: what they are worth, and how they are written."""

import copy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchwise.model.numbers.expression import (
    ExpressionError,
    NamedParameter,
    Operation,
    as_expression,
    highest,
    lowest,
    parameter,
)
from branchwise.model.numbers.expression_text import (
    ExpressionSyntaxError,
    is_expression,
    parse_expression,
)
from branchwise.model.numbers.formula import Formula

X, Y = parameter("x", 3), parameter("y z", "1/4")
KNOWN = {"x": X, "y z": Y}


def parse(text):
    return parse_expression(text, lambda name, _: KNOWN[name])


expressions = st.recursive(
    st.one_of(
        st.sampled_from([X, Y]),
        st.fractions(-3, 3, max_denominator=8).map(as_expression),
    ),
    lambda inner: st.one_of(
        st.builds(Operation, st.sampled_from("+-*"), inner, inner),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: lowest(*parts)),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: highest(*parts)),
    ),
    max_leaves=12,
)


@given(expressions)
def test_what_is_written_is_read_back(expression):
    assert parse(str(expression)) == expression


@given(expressions, st.fractions(-2, 2, max_denominator=9))
def test_another_value_is_as_if_it_had_been_so(expression, value):
    moved = parameter("x", value)
    renewed = expression.renewed(lambda each: moved if each.name == "x" else each)
    said = parse_expression(str(expression), lambda n, _: moved if n == "x" else Y)

    assert renewed.value == said.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x", 3),
        ("2 * x + 1", 7),
        ("2 * (x + 1)", 8),
        ("x - 1 - 1", 1),
        ("x / 2 / 3", "1/2"),
        ("-x + 1", -2),
        ("2 * -x", -6),
        ("30% * x", "0.9"),
        ("1/3 + 1 / 3", "2/3"),
        (".5*x", "1.5"),
        ('"y z" * 4', 1),
        ("'y z' * 4", 1),
        ("min(x, 2, 5)", 2),
        ("max(x, min(4, 1e1))", 4),
    ],
)
def test_values(text, value):
    assert parse(text).value == Fraction(value)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("", 0),
        ("x +", 3),
        ("2 x", 2),
        ("(x", 2),
        ("x)", 1),
        ("x ^ 2", 2),
        ("x ** 2", 3),
        ("sqrt(x)", 0),
        ("min()", 4),
        ("x = 3", 2),
        ('"x', 0),
        ("(" * 200 + "x", 100),
        ("x" * 3000, 0),
        ("1e300 * x", 0),
    ],
)
def test_what_is_no_expression_says_where(text, offset):
    with pytest.raises(ExpressionSyntaxError) as error:
        parse(text)
    assert error.value.offset == offset
    assert error.value.fix


@pytest.mark.parametrize("text", ["1 / (x - 3)", "x / 0"])
def test_nothing_is_divided_by_zero(text):
    with pytest.raises(ExpressionError, match="divides by zero"):
        Formula(parse(text))


def test_numbers_grow_only_so_far():
    square = parameter("p0", 10**50) * parameter("p1", 10**50)
    with pytest.raises(ExpressionError, match="too large"):
        parameter("p2", square * square)


def test_a_parameter_that_is_used_again_and_again_is_computed_once():
    number = parameter("p0", 1)
    for n in range(1, 200):  # Each doubles: what is written out has 2^199 terms.
        number = parameter(f"p{n}", (number + number) / 2)

    assert number.value == 1
    assert len(list(number.parameters())) == 200


def test_parameters_are_equal_by_what_they_say():
    assert parameter("x", 3) == X
    assert hash(parameter("x", 3)) == hash(X)
    assert parameter("x", 3, low=2) != X
    assert parameter("x", 2 + as_expression(1)) != X
    assert copy.deepcopy(X) == X
    assert repr(X) == "NamedParameter('x', '3')"
    assert isinstance(X, NamedParameter)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("2 * x", True),
        ("x/60", True),
        ("min(x)", True),
        ("-x", True),
        ("5 +", True),
        ("x", False),
        ("lots", False),
        ("0,5", False),
        ("1 000", False),
        ("-", False),
        ("", False),
    ],
)
def test_what_looks_computed(text, is_one):
    assert is_expression(text) is is_one
