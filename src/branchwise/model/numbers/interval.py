"""Intervals: a number that is not quite known, as `0.6 [0.5, 0.7]`."""

import re
from fractions import Fraction
from typing import NamedTuple

from branchwise.model.numbers.expression import written
from branchwise.model.numbers.number import Number, exact

_INTERVAL = re.compile(r"\s*([^\[\]]*?)\s*\[([^\[\]]*)\]\s*")


class Interval(NamedTuple):
    """Between what a number lies, both ends included."""

    low: Fraction
    high: Fraction


class WrittenInterval(NamedTuple):
    """The parts of `0.6 [0.5, 0.7]`, as they are written."""

    number: str
    low: str
    high: str


def as_interval(
    number: Fraction, low: Number | None, high: Number | None
) -> Interval | None:
    """
    Make an interval of its ends; one that is not given is the number itself.

    >>> as_interval(Fraction(70), 60, None)
    Interval(low=Fraction(60, 1), high=Fraction(70, 1))
    >>> as_interval(Fraction(70), None, None) is None
    True
    """
    if low is None and high is None:
        return None
    return Interval(*(number if end is None else exact(end) for end in (low, high)))


def written_interval(text: str) -> WrittenInterval | None:
    """
    Take a number with its interval apart; None where there is no interval.

    >>> written_interval("60% [1/2, 0.7]")
    WrittenInterval(number='60%', low='1/2', high='0.7')
    >>> written_interval("0.6") is None
    True
    """
    match = _INTERVAL.fullmatch(text) if "[" in text else None
    ends = _ends(match[2]) if match else ()
    if match is None or len(ends) != 2:
        return None
    return WrittenInterval(match[1].strip(), *ends)


def _ends(text: str) -> list[str]:
    """Divide a text at its commas, but not at those inside parentheses."""
    ends, depth = [""], 0
    for mark in text:
        depth += (mark == "(") - (mark == ")")
        if mark == "," and depth == 0:
            ends.append("")
        else:
            ends[-1] += mark
    return [end.strip() for end in ends]


def number_and_interval(
    value: Number, low: Number | None = None, high: Number | None = None
) -> tuple[Fraction, Interval | None]:
    """Read a number and its interval, which may stand in the same text."""
    written = written_interval(value) if isinstance(value, str) else None
    if written is not None:
        value, low, high = written
    number = exact(value)
    if low is None and high is None:
        return number, None
    return number, as_interval(number, low, high)


def interval_text(number: Fraction, low: Fraction, high: Fraction) -> str:
    """
    Write a number with its interval.

    >>> interval_text(Fraction(3, 5), Fraction(1, 2), Fraction(2, 3))
    '0.6 [0.5, 2/3]'
    """
    return f"{written(number)} [{written(low)}, {written(high)}]"
