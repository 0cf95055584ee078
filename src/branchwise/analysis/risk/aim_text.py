"""Aims as text, such as ``cvar=10%`` or ``at-least=50``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from branchwise.analysis.risk.aims import (
    Aim,
    AtLeast,
    CVaR,
    ExponentialUtility,
    UtilityTable,
)
from branchwise.errors import did_you_mean

__all__ = ["parse_aim"]


def parse_aim(text: str) -> Aim:
    """
    Read an aim.

    Parameters
    ----------
    text
        ``cvar=LEVEL``, ``at-least=REWARD``, ``exponential=TOLERANCE``, or
        ``table=REWARD:UTILITY,REWARD:UTILITY,...``.

    Examples
    --------
    >>> parse_aim("cvar=10%")
    CVaR(level=Fraction(1, 10))
    >>> [(str(x), str(u)) for x, u in parse_aim("table=0:0, 100:0.5").points]
    [('0', '0'), ('100', '1/2')]
    """
    kind, equals, number = (part.strip() for part in text.partition("="))
    if kind not in _KINDS:
        known = ", ".join(f"`{each}`" for each in _KINDS)
        hint = did_you_mean(kind, list(_KINDS))
        raise ValueError(f"there is no aim `{kind}`; there are {known}{hint}")
    make, sample = _KINDS[kind]
    if not equals or not number:
        raise ValueError(f"`{text}` lacks a number; write `{kind}={sample}`, say")
    return make(number)


def _table(text: str) -> UtilityTable:
    points = []
    for point in text.split(","):
        reward, colon, utility = point.partition(":")
        if not colon:
            raise ValueError(
                f"`{point.strip()}` is no point of a utility table; write "
                "`reward:utility`, such as `50:0.8`"
            )
        points.append((reward.strip(), utility.strip()))
    return UtilityTable(points)


_KINDS: Final[dict[str, tuple[Callable[[str], Aim], str]]] = {
    "cvar": (CVaR, "10%"),
    "at-least": (AtLeast, "50"),
    "exponential": (ExponentialUtility, "100"),
    "table": (_table, "0:0,50:0.8,100:1"),
}
"""What makes each kind of aim, and what one may look like."""
