"""A number in a message: short, however long it is exactly."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from branchwise.space.state_space import Real

__all__ = ["short_number"]


def short_number(number: Real) -> str:
    """
    Write a number with ten digits that matter, also where no float is as large.

    Examples
    --------
    >>> short_number(Fraction(349, 5)), short_number(8.43672), short_number(10**400)
    ('69.8', '8.43672', '1e+400')
    >>> short_number(float("nan"))
    'nan'
    """
    if isinstance(number, float):
        return f"{number:.10g}"
    exact = Fraction(number)
    with localcontext() as context:
        context.prec = 10
        rounded = Decimal(exact.numerator) / exact.denominator
        return f"{rounded.normalize():g}"
