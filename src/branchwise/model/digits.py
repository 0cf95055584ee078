"""Whole numbers and fractions of any length as text."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Final

__all__ = ["is_long", "ratio_text", "whole_text"]

# Python itself never refuses to write so few: 640 digits are the least it may be
# told to stop at.
_SHORT_BITS: Final = 2_000


def is_long(number: int) -> bool:
    """Whether Python may refuse to write a whole number."""
    return number.bit_length() > _SHORT_BITS


def whole_text(number: int) -> str:
    """
    Write a whole number of any length.

    Python refuses more than 4,300 digits to protect readers from hostile text, and its
    time grows with their square; what we write we have computed ourselves. Halves of
    the number are put together as decimals, which multiply in nearly linear time.

    Examples
    --------
    >>> whole_text(-105459), len(whole_text(2**100_000))
    ('-105459', 30103)
    """
    if not is_long(number):
        return str(number)
    # A context of our own: no setting of the interpreter or the caller changes.
    context = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
    powers = [Decimal(1 << _SHORT_BITS)]
    while _SHORT_BITS << len(powers) < number.bit_length():
        powers.append(context.multiply(powers[-1], powers[-1]))
    sign = "-" if number < 0 else ""
    return f"{sign}{_joined(abs(number), powers, len(powers) - 1, context)}"


def ratio_text(number: Fraction) -> str:
    """
    Write a fraction of any length, as Python writes it.

    Examples
    --------
    >>> ratio_text(Fraction(105459, 12500)), ratio_text(Fraction(3))
    ('105459/12500', '3')
    """
    top = whole_text(number.numerator)
    if number.denominator == 1:
        return top
    return f"{top}/{whole_text(number.denominator)}"


def _joined(
    number: int, powers: list[Decimal], level: int, context: Context
) -> Decimal:
    """Put a number together of two halves; its lower one has 2^level short parts."""
    if level < 0:
        return Decimal(number)
    width = _SHORT_BITS << level
    high = _joined(number >> width, powers, level - 1, context)
    low = _joined(number & ((1 << width) - 1), powers, level - 1, context)
    return context.fma(high, powers[level], low)
