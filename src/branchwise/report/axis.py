"""Axes of charts: marks at round numbers, and the text that stands there."""

from __future__ import annotations

import math
from typing import Final

from branchwise.report.markup import words

__all__ = ["chart_text", "clean", "marks", "round_step"]

_STEPS: Final = (1, 2, 2.5, 5, 10)


def marks(low: float, high: float, about: int = 4) -> list[float]:
    """
    Give round numbers within a range, about so many steps apart.

    Examples
    --------
    >>> marks(0.3, 9.7), marks(-0.1, 0.1)
    ([2.5, 5.0, 7.5], [-0.1, -0.05, 0.0, 0.05, 0.1])
    """
    step = round_step((high - low) / about)
    slack = 1e-9
    first, last = math.ceil(low / step - slack), math.floor(high / step + slack)
    return [clean(number * step) + 0.0 for number in range(first, last + 1)]


def round_step(rough: float) -> float:
    """Find a step that reads well, and is not below a rough one."""
    power = 10.0 ** _exponent(rough)
    return next(step * power for step in _STEPS if step * power >= rough * 0.999)


def clean(number: float) -> float:
    """Take off what adding up floats has left behind the digits that matter."""
    return float(f"{number:.9g}")


def chart_text(
    x: float, y: float, text: str, anchor: str, style: str = "bw-odds"
) -> str:
    """Write a text into a chart."""
    return (
        f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" font-size="12" '
        f'text-anchor="{anchor}">{words(text)}</text>'
    )


def _exponent(number: float) -> int:
    return int(f"{number:e}".split("e")[1])
