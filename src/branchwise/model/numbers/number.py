"""Exact numbers: what a person writes is what we compute with."""

import re
from collections.abc import Iterable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

from branchwise.model.numbers.formula import Computable, Formula

TIE: Final = 1e-12
"""
Floats that differ by no more than this share are the same: of the largest reward, or of
the larger one of two numbers. Rounding alone makes such a difference.
"""

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

    >>> ratio_text(Fraction(105459, 12500)), ratio_text(Fraction(3))
    ('105459/12500', '3')
    """
    top, bottom = whole_text(number.numerator), whole_text(number.denominator)
    return top if bottom == "1" else f"{top}/{bottom}"


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


Number = int | float | str | Fraction | Decimal | Computable
"""
What may stand for a number: ``0.1`` is one tenth, ``"1/3"`` and ``"30%"`` too, and
whatever is computed of named parameters.
"""

Real = Fraction | float
"""Numbers we compute with: exact fractions, or floats."""

_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?"
_NUMBER = re.compile(
    rf"(?P<top>{_DECIMAL})\s*(?:/\s*(?P<bottom>{_DECIMAL})|(?P<percent>%))?"
)
_PLAIN = re.compile(r"([0-9]{1,40})(?:\.([0-9]{1,40}))?")
_NOT_FINITE = re.compile(r"[+-]?\.?(?:nan|inf|infinity)", re.IGNORECASE)

# Longer than anything a person types, shorter than anything that costs time.
LONGEST_NUMBER = 400
_LONGEST_DECIMAL = 40
LARGEST_TERM: Final = 10**199
"""A ratio of two terms below this is short enough to be read back."""


def exact(value: Number) -> Fraction:
    """Read a number as written; a float is its shortest text: ``0.1`` is one tenth."""
    if type(value) is Fraction or isinstance(value, Formula):
        return value
    if isinstance(value, str):
        return _read(value.strip())
    if isinstance(value, bool):
        raise ValueError(f"`{value}` is not a number")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, Computable):
        return Formula(value)
    return _read(repr(value) if isinstance(value, float) else str(value).strip())


def fraction_sum(numbers: Iterable[Fraction]) -> Fraction:
    """Add numbers up, in whole ones where many have the same denominator."""
    tops: dict[int, int] = {}
    for number in numbers:
        bottom = number.denominator
        tops[bottom] = tops.get(bottom, 0) + number.numerator
    return sum((Fraction(top, bottom) for bottom, top in tops.items()), Fraction(0))


# A large file has few numbers that it does not repeat.
@lru_cache(maxsize=10_000)
def _read(text: str) -> Fraction:
    plain = _PLAIN.fullmatch(text)
    if plain:
        whole, part = plain.groups(default="")
        return Fraction(int(whole + part), 10 ** len(part))
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"`{text}` is not a finite number")
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(text)} characters is too long")
    match = _NUMBER.fullmatch(text)
    if not match:
        raise ValueError(f"`{text}` is not a number")
    number = Fraction(match["top"])
    if match["percent"]:
        number /= 100
    elif match["bottom"] is not None:
        divisor = Fraction(match["bottom"])
        if divisor == 0:
            raise ValueError(f"`{text}` divides by zero")
        number /= divisor
    if max(abs(number.numerator), number.denominator) >= LARGEST_TERM:
        raise ValueError(f"`{text}` is too large or too small to be meant")
    return number


def number_text(number: Fraction) -> str:
    """Write a number, as a decimal or a ratio, so that `exact` reads it back."""
    digits = _decimal_places(number.denominator)
    if digits is None:
        return ratio_text(number)
    if digits == 0:
        return whole_text(number.numerator)
    shifted = abs(number.numerator) * 10**digits // number.denominator
    whole, part = divmod(shifted, 10**digits)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole_text(whole)}.{part:0{digits}d}"


def _decimal_places(denominator: int) -> int | None:
    """Count the decimals 1/denominator needs; None where it never ends, or is long."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    places = max(twos, fives)
    return places if denominator == 1 and places <= _LONGEST_DECIMAL else None
