"""Exact numbers: what a person writes is what we compute with."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from branchwise.model.digits import ratio_text, whole_text

__all__ = ["Number", "Real", "exact", "number_text"]

Number = int | float | str | Fraction | Decimal
"""What may stand for a number: ``0.1`` is one tenth, ``"1/3"`` and ``"30%"`` too."""

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
# A ratio of two terms below this is short enough to be read back.
_LARGEST_TERM = 10**199


def exact(value: Number) -> Fraction:
    """
    Read a number exactly as written.

    Floats are taken by their shortest decimal text, so ``0.1`` is one tenth.

    Examples
    --------
    >>> exact(0.1), exact("1/3"), exact("30%")
    (Fraction(1, 10), Fraction(1, 3), Fraction(3, 10))
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, bool):
        raise ValueError(f"`{value}` is not a number")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    return _read(repr(value) if isinstance(value, float) else str(value).strip())


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
    if max(abs(number.numerator), number.denominator) >= _LARGEST_TERM:
        raise ValueError(f"`{text}` is too large or too small to be meant")
    return number


def number_text(number: Fraction) -> str:
    """
    Write a number so that `exact` reads the same one back.

    Examples
    --------
    >>> number_text(Fraction(3, 10)), number_text(Fraction(1, 3))
    ('0.3', '1/3')
    """
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
