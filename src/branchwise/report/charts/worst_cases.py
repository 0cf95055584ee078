"""The worst case against more and more deviations, as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.report.page.markup import words
from branchwise.report.text.wording import value
from branchwise.space.state_space import Real

__all__ = ["worst_cases_svg"]

_WIDTH: Final = 560.0
_HEIGHT: Final = 236.0
_TOP, _BOTTOM = 26.0, 44.0


def worst_cases_svg(
    by_gamma: Sequence[tuple[int | None, Real]], chosen: int | None
) -> str:
    """Draw the worst case against more and more deviations."""
    content = "\n".join(_bars(by_gamma, chosen))
    text = "The worst case against the number of deviations: it never rises"
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" '
        f'aria-label="{words(text)}">\n{content}\n</svg>'
    )


def _bars(
    by_gamma: Sequence[tuple[int | None, Real]], chosen: int | None
) -> Iterator[str]:
    values = [float(worst) for _, worst in by_gamma]
    high, low = max(*values, 0.0), min(*values, 0.0)
    scale = (_HEIGHT - _TOP - _BOTTOM) / ((high - low) or 1.0)
    room = _WIDTH / len(by_gamma)
    width = min(0.62 * room, 64.0)
    floor = _TOP + high * scale
    yield f'<path class="bw-grid" d="M0 {floor:.1f}H{_WIDTH:g}"/>'
    for place, (gamma, worst) in enumerate(by_gamma):
        middle, size = (place + 0.5) * room, float(worst) * scale
        top, bottom = min(floor - size, floor), max(floor - size, floor)
        style = "bw-bar" if gamma == chosen else "bw-bar muted"
        yield (
            f'<rect class="{style}" x="{middle - width / 2:.1f}" y="{top:.1f}" '
            f'width="{width:.1f}" height="{bottom - top:.1f}"/>'
        )
        yield _text(middle, top - 6, value(worst))
        yield _text(middle, _HEIGHT - 26, "no limit" if gamma is None else str(gamma))
    yield _text(_WIDTH / 2, _HEIGHT - 6, "deviations along any path, at most")


def _text(x: float, y: float, text: str) -> str:
    return (
        f'<text class="bw-odds" x="{x:.1f}" y="{y:.1f}" font-size="12" '
        f'text-anchor="middle">{words(text)}</text>'
    )
