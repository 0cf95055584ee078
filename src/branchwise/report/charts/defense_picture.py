"""Defenses as pictures: what every budget achieves, and what each defense is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchwise.adversary.interdiction import DefensePoint
from branchwise.report.charts.curve_chart import Axis, Curve, Dot, line_chart
from branchwise.report.charts.plot import clean, rounded_ends
from branchwise.report.text.label import label
from branchwise.report.text.wording import plural, value

_MAX_LABELS: Final = 12
_BAR_WIDTH: Final = 120.0
_BAR_HEIGHT: Final = 10.0


def frontier_svg(points: Sequence[DefensePoint], end: float) -> str:
    """Draw what the attacker expects over what is spent, in steps up to the budget."""
    is_labeled = len(points) <= _MAX_LABELS
    dots = [
        Dot(float(p.cost), float(p.value), _note(p), value(p.value) * is_labeled)
        for p in points
    ]
    end = max(end, dots[-1].x) or 1.0
    places = [*((dot.x, dot.y) for dot in dots), (end, dots[-1].y)]
    first, last = value(points[0].value), value(points[-1].value)
    text = f"What the attacker expects falls from {first} to {last} as more is spent "
    text += f"on defenses, in {plural(len(points) - 1, 'step')}"
    return line_chart(
        [Curve(places, is_stepped=True, dots=dots)],
        Axis("spent on defenses", ends=(0.0, end)),
        Axis("attacker expects", ends=rounded_ends((dot.y for dot in dots), 5)),
        text,
        style="chart",
    )


def _note(point: DefensePoint) -> str:
    names = ", ".join(map(label, point.chosen)) or "nothing"
    return f"{value(point.value)} for {value(clean(float(point.cost)))}: {names}"


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
