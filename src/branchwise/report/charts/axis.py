"""Axes of charts: marks at round numbers, and the text that stands there."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from branchwise.report.page.markup import words
from branchwise.report.text.wording import change, value

__all__ = ["Scale", "chart_text", "clean", "marks", "round_step", "scale"]

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


class Scale(NamedTuple):
    """
    Marks with what is written at them.

    Parameters
    ----------
    marks
        Where they stand, and their text.
    is_relative
        Whether the text tells changes instead of values.
    """

    marks: list[tuple[float, str]]
    is_relative: bool


def scale(low: float, high: float, about: int, base: float) -> Scale:
    """
    Write values at marks, or changes from a base where values would read alike.

    Examples
    --------
    >>> scale(1, 3, 2, base=1)
    Scale(marks=[(1.0, '1'), (2.0, '2'), (3.0, '3')], is_relative=False)
    >>> [text for _, text in scale(1, 1 + 3e-8, 3, base=1).marks]
    ['0', '+1e-08', '+2e-08', '+3e-08']
    """
    plain = [(mark, value(mark)) for mark in marks(low, high, about)]
    if len({text for _, text in plain}) == len(plain):
        return Scale(plain, is_relative=False)
    moved = marks(low - base, high - base, about)
    return Scale([(base + mark, change(mark, 4)) for mark in moved], is_relative=True)


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
