"""Defenses as pictures: what every budget achieves, and what each defense is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.adversary.interdiction import DefensePoint
from branchwise.report.charts.axis import chart_text, clean, round_step
from branchwise.report.page.markup import words
from branchwise.report.text.label import label
from branchwise.report.text.wording import plural, value

__all__ = ["frontier_svg", "margin_svg"]

_WIDTH: Final = 560.0
_HEIGHT: Final = 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 58.0, 24.0, 26.0, 46.0
_MAX_LABELS: Final = 12
_LABEL_WIDTH: Final = 50.0
_BAR_WIDTH: Final = 120.0
_BAR_HEIGHT: Final = 10.0


def frontier_svg(points: Sequence[DefensePoint], end: float) -> str:
    """
    Draw what the attacker expects over what is spent on defenses, as steps.

    Parameters
    ----------
    points
        The kinks, by rising cost.
    end
        Up to where the last step goes: the defender's budget.
    """
    chart = _Frontier(points, max(end, float(points[-1].cost)))
    content = "\n".join([*chart.grid(), *chart.steps(), *chart.marks()])
    first, last = value(points[0].value), value(points[-1].value)
    text = f"What the attacker expects falls from {first} to {last} as more is spent "
    text += f"on defenses, in {plural(len(points) - 1, 'step')}"
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" '
        f'aria-label="{words(text)}">\n{content}\n</svg>'
    )


def margin_svg(margin: float, largest: float, *, is_chosen: bool) -> str:
    """Draw how much a defense matters as a bar, beside the one that matters most."""
    share = margin / largest if largest > 0 else 0.0
    style = "bw-bar" if is_chosen else "bw-bar muted"
    size = f'width="{_BAR_WIDTH:g}" height="{_BAR_HEIGHT:g}"'
    length = max(share * _BAR_WIDTH, 1.0 if margin > 0 else 0.0)
    return (
        f'<svg {size} viewBox="0 0 {_BAR_WIDTH:g} {_BAR_HEIGHT:g}" aria-hidden="true">'
        f'<rect class="bw-track" {size} rx="2"/>'
        f'<rect class="{style}" width="{length:.1f}" height="{_BAR_HEIGHT:g}" rx="2"/>'
        "</svg>"
    )


class _Frontier:
    """The scales of the chart, and what stands on them."""

    def __init__(self, points: Sequence[DefensePoint], end: float) -> None:
        self._points = [(float(p.cost), float(p.value), p.chosen) for p in points]
        self._end = end or 1.0
        values = [number for _, number, _ in self._points]
        low, high = min(0.0, *values), max(0.0, *values)
        self._step = round_step(((high - low) or 1.0) / 4)
        self._low = self._step * (low // self._step)
        self._high = self._step * -(-high // self._step) or self._step

    def _x(self, cost: float) -> float:
        return _LEFT + cost / self._end * (_WIDTH - _LEFT - _RIGHT)

    def _y(self, number: float) -> float:
        share = (number - self._low) / (self._high - self._low)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    def grid(self) -> Iterator[str]:
        for line in range(round((self._high - self._low) / self._step) + 1):
            number = self._low + line * self._step
            y = self._y(number)
            yield f'<path class="bw-grid" d="M{_LEFT:g} {y:.1f}H{_WIDTH - _RIGHT:g}"/>'
            yield chart_text(_LEFT - 8, y + 4, value(clean(number)), "end")
        step = round_step(self._end / 6)
        for mark in range(int(self._end / step + 1e-9) + 1):
            x = self._x(mark * step)
            text = value(clean(mark * step))
            yield chart_text(x, _HEIGHT - _BOTTOM + 18, text, "middle")
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        yield chart_text(middle, _HEIGHT - 8, "spent on defenses", "middle")
        yield chart_text(0, 12, "attacker expects", "start")

    def steps(self) -> Iterator[str]:
        costs = [cost for cost, _, _ in self._points]
        path = f"M{self._x(costs[0]):.1f} {self._y(self._points[0][1]):.1f}"
        for cost, number, _ in self._points[1:]:
            path += f"H{self._x(cost):.1f}V{self._y(number):.1f}"
        path += f"H{self._x(self._end):.1f}"
        yield f'<path class="bw-frontier" d="{path}"/>'

    def marks(self) -> Iterator[str]:
        for cost, number, chosen in self._points:
            x, y = self._x(cost), self._y(number)
            names = ", ".join(map(label, chosen)) or "nothing"
            title = words(f"{value(number)} for {value(clean(cost))}: {names}")
            yield (
                f'<circle class="bw-kink" cx="{x:.1f}" cy="{y:.1f}" r="4.5">'
                f"<title>{title}</title></circle>"
            )
            if len(self._points) > _MAX_LABELS:
                continue
            is_last = x > _WIDTH - _RIGHT - _LABEL_WIDTH
            shift, drop, side = (-8, 17, "end") if is_last else (7, -7, "start")
            yield chart_text(x + shift, y + drop, value(number), side)
