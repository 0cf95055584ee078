"""Upright bars: how likely each value is, or the worst case by deviations."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from branchwise.report.charts import canvas
from branchwise.report.text.wording import chance, short, value
from branchwise.space.state_space import Real

_WIDTH, _HEIGHT = 560.0, 236.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 14.0, 30.0, 30.0
_WIDEST_BAR: Final = 26.0
_MAX_BARS: Final = 40

Chances = Sequence[tuple[float, float]]  # values by rising value, how likely each is


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
    title = f"How likely each {what} is; the mean is {short(mean)}"
    return canvas.svg(_WIDTH, _HEIGHT, title, _drawn(*_bars(exact), mean))


def _bars(chances: Chances) -> tuple[Chances, float]:
    """Return where the bars stand, how high they are, and how wide each may be."""
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


def _drawn(bars: Chances, space: float, mean: float) -> Iterator[str]:
    low, high = bars[0][0], bars[-1][0]
    length = (high - low) or 1.0
    _, top = canvas.rounded_ends((share for _, share in bars), 3)
    plot = canvas.Plot(
        _LEFT,
        _WIDTH - _RIGHT,
        _TOP,
        _HEIGHT - _BOTTOM,
        (low, low + length),
        (0.0, top),
        (_WIDEST_BAR / 2, 0.0),
    )
    yield from plot.levels(canvas.written_marks(plot.upward, 3, chance))
    yield from plot.uprights(canvas.written_marks(plot.across, 4), is_lined=False)
    width = 0.8 * space / length * (plot.right - plot.left)
    width = min(max(width, 2.0), _WIDEST_BAR)
    for number, share in bars:
        if share:
            style = "bw-bar" if number > 0 else "bw-bar muted"
            corner = plot.x(number) - width / 2, plot.y(share)
            note = f"{value(canvas.clean(number))}: {chance(share)}"
            yield canvas.bar(corner, (width, plot.bottom - corner[1]), style, note)
    inside = min(max(mean, low), low + length)
    yield plot.base(inside)
    x = plot.x(inside)
    shift, anchor = (5, "start") if x < _WIDTH / 2 else (-5, "end")
    yield canvas.letters(x + shift, _TOP - 12, f"mean {short(mean)}", anchor)


def worst_cases_svg(
    by_gamma: Sequence[tuple[int | None, Real]], chosen: int | None
) -> str:
    """Draw the worst case by how many deviations there may be; None for no limit."""
    title = "The worst case against the number of deviations: it never rises"
    return canvas.svg(_WIDTH, _HEIGHT, title, _worst_cases(by_gamma, chosen))


def _worst_cases(
    by_gamma: Sequence[tuple[int | None, Real]], chosen: int | None
) -> Iterator[str]:
    ends = canvas.span([0.0, *(float(worst) for _, worst in by_gamma)])
    plot = canvas.Plot(0.0, _WIDTH, 26.0, _HEIGHT - 44.0, (0, len(by_gamma)), ends)
    width = min(0.62 * _WIDTH / len(by_gamma), 64.0)
    floor = plot.y(0.0)
    yield f'<path class="bw-grid" d="M0 {floor:.1f}H{_WIDTH:g}"/>'
    for place, (gamma, worst) in enumerate(by_gamma):
        middle, end = plot.x(place + 0.5), plot.y(float(worst))
        top = min(end, floor)
        style = "bw-bar" if gamma == chosen else "bw-bar muted"
        yield canvas.bar((middle - width / 2, top), (width, abs(end - floor)), style)
        yield canvas.letters(middle, top - 6, value(worst), "middle")
        text = "no limit" if gamma is None else str(gamma)
        yield canvas.letters(middle, _HEIGHT - 26, text, "middle")
    below = "deviations along any path, at most"
    yield canvas.letters(_WIDTH / 2, _HEIGHT - 6, below, "middle")
