"""The worst case against more and more deviations, as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.report.charts.plot import Plot, bar_svg, chart_svg, chart_text, span
from branchwise.report.text.wording import value
from branchwise.space.state_space import Real

_WIDTH: Final = 560.0
_HEIGHT: Final = 236.0
_TOP, _BOTTOM = 26.0, 44.0


def worst_cases_svg(
    by_gamma: Sequence[tuple[int | None, Real]], chosen: int | None
) -> str:
    """Draw the worst case by how many deviations there may be; None for no limit."""
    title = "The worst case against the number of deviations: it never rises"
    return chart_svg(_WIDTH, _HEIGHT, title, _bars(by_gamma, chosen))


def _bars(
    by_gamma: Sequence[tuple[int | None, Real]], chosen: int | None
) -> Iterator[str]:
    ends = span([0.0, *(float(worst) for _, worst in by_gamma)])
    plot = Plot(0.0, _WIDTH, _TOP, _HEIGHT - _BOTTOM, (0, len(by_gamma)), ends)
    width = min(0.62 * _WIDTH / len(by_gamma), 64.0)
    floor = plot.y(0.0)
    yield f'<path class="bw-grid" d="M0 {floor:.1f}H{_WIDTH:g}"/>'
    for place, (gamma, worst) in enumerate(by_gamma):
        middle, end = plot.x(place + 0.5), plot.y(float(worst))
        top = min(end, floor)
        style = "bw-bar" if gamma == chosen else "bw-bar muted"
        yield bar_svg((middle - width / 2, top), (width, abs(end - floor)), style)
        yield chart_text(middle, top - 6, value(worst), "middle")
        text = "no limit" if gamma is None else str(gamma)
        yield chart_text(middle, _HEIGHT - 26, text, "middle")
    below = "deviations along any path, at most"
    yield chart_text(_WIDTH / 2, _HEIGHT - 6, below, "middle")
