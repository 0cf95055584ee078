"""Quantities as the command line takes them: shares, times and memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import click

from branchwise.cli.options.text import short

__all__ = ["memory", "share", "time"]

_SHARES: Final = {"": 1.0, "%": 0.01}
_SECONDS: Final = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES: Final = {
    "": 1.0,
    "b": 1.0,
    "kb": 1e3,
    "mb": 1e6,
    "gb": 1e9,
    "tb": 1e12,
    "kib": 2.0**10,
    "mib": 2.0**20,
    "gib": 2.0**30,
    "tib": 2.0**40,
}

# Past these, what computes with them could count no further.
_MOST_SHARE: Final = 1e6
_MOST_SECONDS: Final = 1e9
_MOST_BYTES: Final = 1e18


def share(text: str | float) -> float:
    """
    Read a share of something.

    Examples
    --------
    >>> share("5%"), share("0.05")
    (0.05, 0.05)
    """
    return _quantity(text, _SHARES, _MOST_SHARE, "write `1%` or `0.01`")


def time(text: str | float) -> float:
    """
    Read a time, in seconds.

    Examples
    --------
    >>> time("90"), time("1.5 m"), time("2h")
    (90.0, 90.0, 7200.0)
    """
    return _positive(text, _SECONDS, _MOST_SECONDS, "write seconds, `5m` or `2h`")


def memory(text: str | float) -> int:
    """
    Read an amount of memory, in bytes.

    Examples
    --------
    >>> memory("500MB"), memory("2 GiB")
    (500000000, 2147483648)
    """
    return int(_positive(text, _BYTES, _MOST_BYTES, "write `500MB`, say, or `2GB`"))


def _positive(
    text: str | float, units: Mapping[str, float], most: float, fix: str
) -> float:
    quantity = _quantity(text, units, most, fix)
    if quantity <= 0:
        raise click.BadParameter(f"`{short(str(text))}` is nothing at all; {fix}")
    return quantity


def _quantity(
    text: str | float, units: Mapping[str, float], most: float, fix: str
) -> float:
    match = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(\D*?)\s*", str(text).casefold())
    shown = f"`{short(str(text))}`"
    if match is None or match[2] not in units:
        raise click.BadParameter(f"{shown} is not understood; {fix}")
    quantity = float(match[1]) * units[match[2]]
    if quantity > most:
        raise click.BadParameter(f"{shown} is too much to be meant; {fix}")
    return quantity
