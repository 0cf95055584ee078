"""Formulas: numbers that remember how they were computed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction


class Computable(ABC):
    """What a number can be computed from; ``str`` writes it as a problem file does."""

    __slots__ = ()

    @property
    @abstractmethod
    def value(self) -> Fraction:
        """The exact result."""

    @abstractmethod
    def __str__(self) -> str: ...


class Formula(Fraction):
    """
    A fraction with the expression that it is the value of.

    It compares, adds and multiplies like any fraction; what comes of that is a plain
    one, so that expressions cost nothing where plans are computed.
    """

    __slots__ = ("expression",)
    expression: Computable
    exist = False
    """Whether any was ever made: if not, nobody need look for them."""

    # A fraction is made when it is created: it has no `__init__` of its own.
    def __new__(cls, expression: Computable) -> Formula:
        """Compute the value."""
        value = expression.value
        made = super().__new__(cls, value.numerator, value.denominator)
        made.expression = expression
        Formula.exist = True
        return made

    def __reduce__(self) -> tuple[type[Formula], tuple[Computable]]:
        return Formula, (self.expression,)

    def __copy__(self) -> Formula:
        return self

    def __deepcopy__(self, memo: object) -> Formula:
        return self


class WholeFormula(int):
    """A whole number with the expression that it is the value of."""

    expression: Computable

    def __new__(cls, expression: Computable) -> WholeFormula:
        """Compute the value, which must be whole."""
        value = expression.value
        assert value.denominator == 1
        made = super().__new__(cls, value.numerator)
        made.expression = expression
        Formula.exist = True
        return made

    def __reduce__(self) -> tuple[type[WholeFormula], tuple[Computable]]:
        return WholeFormula, (self.expression,)


def expression_of(number: object) -> Computable | None:
    """Return how a number was computed; None where it was written as it is."""
    if isinstance(number, Formula | WholeFormula):
        return number.expression
    return None
