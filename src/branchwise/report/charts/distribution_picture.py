"""A distribution as a picture: how likely each value is, and where the mean lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from branchwise.report.charts.axis import chart_text, clean, marks, round_step
from branchwise.report.page.markup import words
from branchwise.report.text.wording import chance, value
from branchwise.space.state_space import Real

__all__ = ["distribution_svg"]

_WIDTH: Final = 560.0
_HEIGHT: Final = 236.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 14.0, 30.0, 30.0
_WIDEST_BAR: Final = 26.0
_MAX_BARS: Final = 40

Chances = Sequence[tuple[float, float]]
"""Values with their probabilities, by rising value."""


def distribution_svg(
    chances: Sequence[tuple[Real, Real]],
    what: str = "reward",
    *,
    mean: float | None = None,
) -> str:
    """
    Draw values with their probabilities, by rising value, as bars on a scale.

    Many values are put together into bars of equal width. The mean is that of the
    values, unless it is given, as where they have been put together before.
    """
    exact = [(float(number), float(share)) for number, share in chances]
    if mean is None:
        mean = sum(number * share for number, share in exact)
    bars, room = _bars(exact)
    chart = _Chart(bars, room)
    content = "\n".join([*chart.grid(), *chart.columns(), *chart.mean(mean)])
    text = f"How likely each {what} is; the mean is {value(mean)}"
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" '
        f'aria-label="{words(text)}">\n{content}\n</svg>'
    )


def _bars(chances: Chances) -> tuple[Chances, float]:
    """Give where the bars stand, how high they are, and what room each has."""
    low, high = chances[0][0], chances[-1][0]
    gaps = [b[0] - a[0] for a, b in pairwise(chances)]
    if len(chances) <= _MAX_BARS or low == high:
        return chances, min(gaps, default=1.0)
    width = (high - low) / _MAX_BARS
    shares = [0.0] * _MAX_BARS
    for number, share in chances:
        shares[min(int((number - low) / width), _MAX_BARS - 1)] += share
    middles = (low + (bar + 0.5) * width for bar in range(_MAX_BARS))
    return list(zip(middles, shares, strict=True)), width


class _Chart:
    """The scales of a chart, and what stands on them."""

    def __init__(self, bars: Chances, room: float) -> None:
        self._bars = bars
        low, high = bars[0][0], bars[-1][0]
        self._span = (high - low) or 1.0
        self._low = low
        plot = _WIDTH - _LEFT - _RIGHT
        self._width = min(max(0.8 * room / self._span * plot, 2.0), _WIDEST_BAR)
        self._step = round_step(max(share for _, share in bars) / 3)
        self._top = self._step * -(-max(share for _, share in bars) // self._step)

    def _x(self, number: float) -> float:
        inside = _WIDTH - _LEFT - _RIGHT - _WIDEST_BAR
        return _LEFT + _WIDEST_BAR / 2 + (number - self._low) / self._span * inside

    def _y(self, share: float) -> float:
        return _HEIGHT - _BOTTOM - share / self._top * (_HEIGHT - _TOP - _BOTTOM)

    def grid(self) -> Iterator[str]:
        for line in range(round(self._top / self._step) + 1):
            y = f"{self._y(line * self._step):.1f}"
            yield f'<path class="bw-grid" d="M{_LEFT:g} {y}H{_WIDTH - _RIGHT:g}"/>'
            yield chart_text(_LEFT - 6, float(y) + 4, chance(line * self._step), "end")
        for mark in marks(self._low, self._low + self._span):
            yield chart_text(self._x(mark), _HEIGHT - 8, value(mark), "middle")

    def columns(self) -> Iterator[str]:
        for number, share in self._bars:
            if not share:
                continue
            x, y = self._x(number) - self._width / 2, self._y(share)
            style = "bw-bar" if number > 0 else "bw-bar muted"
            yield (
                f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" '
                f'width="{self._width:.1f}" height="{_HEIGHT - _BOTTOM - y:.1f}">'
                f"<title>{value(clean(number))}: {chance(share)}</title></rect>"
            )

    def mean(self, mean: float) -> Iterator[str]:
        x = self._x(min(max(mean, self._low), self._low + self._span))
        bottom = _HEIGHT - _BOTTOM
        yield f'<path class="bw-mean" d="M{x:.1f} {_TOP - 8:g}V{bottom:g}"/>'
        anchor = "start" if x < _WIDTH / 2 else "end"
        shift = 5 if anchor == "start" else -5
        yield chart_text(x + shift, _TOP - 12, f"mean {value(mean)}", anchor)
