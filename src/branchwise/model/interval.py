"""Intervals: a probability that is not quite known, as `0.6 [0.5, 0.7]`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from branchwise.model.number import number_text

__all__ = ["WrittenInterval", "interval_text", "written_interval"]

# Fractions and percents have no comma or bracket of their own.
_INTERVAL = re.compile(r"\s*([^\[\]]*?)\s*\[([^\[\],]*),([^\[\],]*)\]\s*")


class WrittenInterval(NamedTuple):
    """The parts of `0.6 [0.5, 0.7]`, as they are written."""

    probability: str
    low: str
    high: str


def written_interval(text: str) -> WrittenInterval | None:
    """
    Take a probability with its interval apart; None where there is no interval.

    Examples
    --------
    >>> written_interval("60% [1/2, 0.7]")
    WrittenInterval(probability='60%', low='1/2', high='0.7')
    >>> written_interval("0.6") is None
    True
    """
    match = _INTERVAL.fullmatch(text)
    return (
        WrittenInterval(*(part.strip() for part in match.groups())) if match else None
    )


def interval_text(probability: Fraction, low: Fraction, high: Fraction) -> str:
    """
    Write a probability with its interval.

    Examples
    --------
    >>> interval_text(Fraction(3, 5), Fraction(1, 2), Fraction(2, 3))
    '0.6 [0.5, 2/3]'
    """
    around = f"[{number_text(low)}, {number_text(high)}]"
    return f"{number_text(probability)} {around}"
