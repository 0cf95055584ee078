"""Expressions: named parameters, and numbers that are computed from them exactly."""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, Literal

from branchwise.model.numbers.formula import Computable, Formula, WholeFormula
from branchwise.model.numbers.number import (
    LARGEST_TERM,
    Number,
    exact,
    fraction_sum,
    number_text,
)
from branchwise.records import dataclass

FUNCTIONS: Final = ("min", "max")
"""The functions that expressions know."""

RESERVED: Final = frozenset({*FUNCTIONS, "rest", "unlimited"})
"""What no parameter may be called, as it means something else where numbers stand."""

_BARE: Final = re.compile(r"[^\W\d][\w.]*")
_Symbol = Literal["+", "-", "*", "/"]
_SUM, _PRODUCT, _ATOM = range(3)


class ExpressionError(ValueError):
    """An expression has no value: it divides by zero, or is too large to be meant."""


class Expression(Computable):
    """
    A number that is computed: combine with ``+``, ``-``, ``*`` and ``/``.

    Wherever a number goes, an expression goes too.

    Examples
    --------
    >>> visit = NamedParameter("visit", 120)
    >>> print(1 + visit / 60, "=", (1 + visit / 60).value)
    1 + visit / 60 = 3
    """

    __slots__ = ()

    @abstractmethod
    def parts(self) -> tuple[Expression, ...]:
        """Return the expressions directly inside this one."""

    @abstractmethod
    def with_parts(self, parts: tuple[Expression, ...]) -> Expression:
        """Return the same with other expressions inside."""

    def __add__(self, other: Number) -> Expression:
        return Operation("+", self, as_expression(other))

    def __radd__(self, other: Number) -> Expression:
        return Operation("+", as_expression(other), self)

    def __sub__(self, other: Number) -> Expression:
        return Operation("-", self, as_expression(other))

    def __rsub__(self, other: Number) -> Expression:
        return Operation("-", as_expression(other), self)

    def __mul__(self, other: Number) -> Expression:
        return Operation("*", self, as_expression(other))

    def __rmul__(self, other: Number) -> Expression:
        return Operation("*", as_expression(other), self)

    def __truediv__(self, other: Number) -> Expression:
        return Operation("/", self, as_expression(other))

    def __rtruediv__(self, other: Number) -> Expression:
        return Operation("/", as_expression(other), self)

    def __neg__(self) -> Expression:
        return Operation("-", _ZERO, self)

    def parameters(self) -> Iterator[NamedParameter]:
        """Return every parameter that this depends on, those it names first."""
        seen: set[str] = set()
        pending: list[Expression] = [self]
        while pending:
            part = pending.pop()
            if isinstance(part, NamedParameter):
                if part.name in seen:
                    continue
                seen.add(part.name)
                yield part
            pending.extend(reversed(part.parts()))

    def renewed(self, change: Callable[[NamedParameter], Expression]) -> Expression:
        """Return the same with every parameter that is named here changed."""
        if isinstance(self, NamedParameter):
            return change(self)
        parts = self.parts()
        new = tuple(part.renewed(change) for part in parts)
        return self.with_parts(new) if parts else self

    def __str__(self) -> str:
        return _text(self, _SUM)


@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """A number, as it is."""

    number: Fraction

    @property
    def value(self) -> Fraction:
        """The number."""
        return self.number

    def parts(self) -> tuple[Expression, ...]:
        """Return nothing."""
        return ()

    def with_parts(self, parts: tuple[Expression, ...]) -> Expression:  # noqa: ARG002
        """Return the same."""
        return self

    __str__ = Expression.__str__


_ZERO: Final = Constant(Fraction(0))


class NamedParameter(Expression):
    """
    A number with a name, which other numbers may be computed from.

    Parameters
    ----------
    name
        Unique in the problem; what expressions call it.
    definition
        What it is: a number, or an expression over other parameters.
    low, high
        Between what it lies, where it is not quite known: the range of an analysis.

    Examples
    --------
    >>> prevalence = NamedParameter("prevalence", "0.3")
    >>> NamedParameter("odds", prevalence / (1 - prevalence)).value
    Fraction(3, 7)
    """

    __slots__ = ("_value", "definition", "high", "low", "name")

    def __init__(
        self,
        name: str,
        definition: Number,
        *,
        low: Number | None = None,
        high: Number | None = None,
    ) -> None:
        self.name = name
        self.definition = as_expression(definition)
        self._value = self.definition.value
        ends = (
            None if low is None else exact(low),
            None if high is None else exact(high),
        )
        is_said = low is not None or high is not None
        self.low, self.high = (
            self._value if is_said and end is None else end for end in ends
        )

    @property
    def value(self) -> Fraction:
        """What it is."""
        return self._value

    @property
    def number(self) -> Fraction:
        """Its definition as a number: a formula, unless it is written as it is."""
        value = self.value
        return (
            value
            if as_expression(value) == self.definition
            else Formula(self.definition)
        )

    @property
    def is_computed(self) -> bool:
        """Whether it is computed from other parameters."""
        return any(self.definition.parameters())

    def parts(self) -> tuple[Expression, ...]:
        """Return what it is computed from."""
        return (self.definition,)

    def with_parts(self, parts: tuple[Expression, ...]) -> Expression:
        """Return the same parameter with another definition."""
        (definition,) = parts
        return NamedParameter(self.name, definition, low=self.low, high=self.high)

    def _said(self) -> tuple[str, str, Fraction | None, Fraction | None]:
        return self.name, str(self.definition), self.low, self.high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedParameter) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash(self._said())

    def __repr__(self) -> str:
        return f"NamedParameter({self.name!r}, {str(self.definition)!r})"


@dataclass(frozen=True, slots=True)
class Operation(Expression):
    """The sum, difference, product or quotient of two expressions."""

    symbol: _Symbol
    left: Expression
    right: Expression

    @property
    def value(self) -> Fraction:
        """The exact result."""
        left, right = self.left.value, self.right.value
        match self.symbol:
            case "+":
                found = left + right
            case "-":
                found = left - right
            case "*":
                found = left * right
            case _:
                if right == 0:
                    raise ExpressionError(f"`{self}` divides by zero")
                found = left / right
        if max(abs(found.numerator), found.denominator) >= LARGEST_TERM:
            raise ExpressionError(f"`{self}` is too large or too small to be meant")
        return found

    def parts(self) -> tuple[Expression, ...]:
        """Return both sides."""
        return self.left, self.right

    def with_parts(self, parts: tuple[Expression, ...]) -> Expression:
        """Return the same operation on others."""
        return Operation(self.symbol, *parts)

    __str__ = Expression.__str__


@dataclass(frozen=True, slots=True)
class Extreme(Expression):
    """The least or the largest of some expressions."""

    function: Literal["min", "max"]
    inside: tuple[Expression, ...]

    @property
    def value(self) -> Fraction:
        """The exact result."""
        choose = min if self.function == "min" else max
        return choose(part.value for part in self.inside)

    def parts(self) -> tuple[Expression, ...]:
        """Return the expressions that are compared."""
        return self.inside

    def with_parts(self, parts: tuple[Expression, ...]) -> Expression:
        """Return the same of others."""
        return Extreme(self.function, parts)

    __str__ = Expression.__str__


@dataclass(frozen=True, slots=True)
class Remainder(Expression):
    """What other probabilities leave: `rest`."""

    others: tuple[Expression, ...]

    @property
    def value(self) -> Fraction:
        """One less all the others."""
        return 1 - sum((part.value for part in self.others), Fraction(0))

    def parts(self) -> tuple[Expression, ...]:
        """Return the other probabilities."""
        return self.others

    def with_parts(self, parts: tuple[Expression, ...]) -> Expression:
        """Return what others leave."""
        return Remainder(parts)

    __str__ = Expression.__str__


@dataclass(frozen=True, slots=True)
class Slack(Expression):
    """How far a probability can move beside others that have intervals: unwritten."""

    bound: Expression

    @property
    def value(self) -> Fraction:
        """The bound."""
        return self.bound.value

    def parts(self) -> tuple[Expression, ...]:
        """Return the bound."""
        return (self.bound,)

    def with_parts(self, parts: tuple[Expression, ...]) -> Expression:
        """Return another bound."""
        return Slack(*parts)

    __str__ = Expression.__str__


def parameter(
    name: str, value: Number, *, low: Number | None = None, high: Number | None = None
) -> NamedParameter:
    """
    Name a number, so that others can be computed from it.

    Parameters
    ----------
    name
        Unique in the problem; what expressions call it.
    value
        What it is: a number, or an expression over other parameters.
    low, high
        Between what it lies, where it is not quite known: the range of an analysis.

    Examples
    --------
    >>> visit = parameter("visit", 120)
    >>> print(2 * visit / 60)
    2 * visit / 60
    """
    return NamedParameter(name, value, low=low, high=high)


def lowest(*numbers: Number) -> Expression:
    """
    Return the least of some numbers, as an expression.

    >>> print(lowest(1, parameter("sens", "0.9") * 2))
    min(1, sens * 2)
    """
    return Extreme("min", tuple(map(as_expression, numbers)))


def highest(*numbers: Number) -> Expression:
    """Return the largest of some numbers, as an expression."""
    return Extreme("max", tuple(map(as_expression, numbers)))


def as_expression(number: Number) -> Expression:
    """Accept an expression, or a number in any way that numbers are written."""
    if isinstance(number, Expression):
        return number
    if isinstance(number, Formula):
        assert isinstance(number.expression, Expression)
        return number.expression
    value = exact(number)
    text = number_text(abs(value))
    if "/" in text:  # A ratio is written, and so read, as an operation.
        top, bottom = map(Fraction, (value.numerator, value.denominator))
        return Operation("/", as_expression(top), Constant(bottom))
    return Constant(value) if value >= 0 else Operation("-", _ZERO, Constant(-value))


def remainder_of(numbers: Sequence[Fraction]) -> Fraction:
    """Return what probabilities leave; a formula if one of them is."""
    if any(isinstance(number, Formula) for number in numbers):
        return Formula(Remainder(tuple(map(as_expression, numbers))))
    return 1 - fraction_sum(numbers)


Renewal = Callable[[Fraction], Fraction]
"""Computes a number again; what was written as it is stays so."""


def renewal(change: Callable[[NamedParameter], Expression]) -> Renewal:
    """Return how numbers are computed again once parameters have changed."""

    def renewed(number: Fraction) -> Fraction:
        if not isinstance(number, Formula):
            return number
        return Formula(as_expression(number).renewed(change))

    return renewed


def renewed_whole(number: int | float, renew: Renewal) -> int | float:
    """Compute a whole number, or one without end, again."""
    if not isinstance(number, WholeFormula):
        return number
    return as_whole(exact(renew(Formula(number.expression))))


def as_whole(number: Number) -> int | float:
    """Return a whole number that keeps its expression; others as they are."""
    if isinstance(number, Computable):
        number = Formula(number)
    if isinstance(number, Formula) and number.denominator == 1:
        return WholeFormula(number.expression)
    return number  # type: ignore[return-value]  # whatever it is, checks will say


def with_all(
    stated: Iterable[NamedParameter], used: Iterable[NamedParameter]
) -> dict[str, NamedParameter]:
    """Return the parameters by name, those that are stated first; no two of a name."""
    found: dict[str, NamedParameter] = {}
    for each in (*stated, *used):
        other = found.setdefault(each.name, each)
        if other is not each and other != each:
            one, two = other.definition, each.definition
            raise ValueError(
                f"two parameters are called {each.name!r}: {one} and {two}"
                "\n    fix: give one of them another name"
            )
    return found


def written(number: Fraction) -> str:
    """Write a number as a problem file does: by its expression, if it has one."""
    if isinstance(number, Formula):
        return str(number.expression)
    return number_text(number)


def parameter_text(name: str) -> str:
    """
    Write the name of a parameter, in quotes where it would be misread.

    >>> print(parameter_text("visit"), parameter_text("per visit"))
    visit "per visit"
    """
    is_bare = _BARE.fullmatch(name)
    return name if is_bare else json.dumps(name, ensure_ascii=False)


def _text(expression: Expression, binding: int) -> str:
    """Write an expression; in parentheses if it binds less tightly than it must."""
    match expression:
        case NamedParameter():
            return parameter_text(expression.name)
        case Constant(number):
            return number_text(number)
        case Operation("-", Constant(number), right) if number == 0:
            text = f"-{_text(right, _PRODUCT)}"
            return f"({text})" if binding > _SUM else text
        case Operation(symbol, left, right):
            own = _SUM if symbol in "+-" else _PRODUCT
            text = f"{_text(left, own)} {symbol} {_text(right, own + 1)}"
            return f"({text})" if own < binding else text
        case Extreme(function, inside):
            return f"{function}({', '.join(_text(part, _SUM) for part in inside)})"
        case Slack(bound):
            return _text(bound, binding)
    return "rest"
