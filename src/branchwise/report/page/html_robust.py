"""Robustness in a page: nominal and worst case side by side, and what hurts most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.model.adversary import Adversary
from branchwise.report.answers.robust_text import adversary_text
from branchwise.report.page.markup import NONE, Column, name, scrollable, table, words
from branchwise.report.text.wording import value
from branchwise.space.state_space import Real
from branchwise.tree.robustness import Perturbation, Robustness
from branchwise.tree.solution import Solution

__all__ = ["robust_section"]

_MOST_LISTED: Final = 8
_WIDTH: Final = 560.0
_HEIGHT: Final = 236.0
_TOP, _BOTTOM = 26.0, 44.0


def robust_section(solution: Solution) -> str:
    """Show what the worst case is, what it costs to be ready for it, and by whom."""
    adversary, robustness = solution.adversary, solution.robustness
    if adversary is None or robustness is None:
        return ""
    return f"""<section aria-labelledby="robust">
<h2 id="robust">In the worst case</h2>
<p class="hint">The adversary may have {words(adversary_text(adversary))}, and strikes
where it hurts most. The tree has the odds of the worst case.{_unseen(robustness)}</p>
<div class="beside">
{_comparison(robustness)}
<figure>{_chart(robustness, adversary)}</figure>
</div>
{_perturbations(robustness.perturbations)}
</section>"""


def _unseen(robustness: Robustness) -> str:
    unseen = value(robustness.unseen)
    if unseen == value(robustness.worst_case):
        return ""
    return f" If nobody tells when there was a strike, it is worth {unseen} at least."


def _comparison(robustness: Robustness) -> str:
    columns = [
        Column("Plan", is_head=True),
        Column("At nominal odds", "number"),
        Column("In the worst case", "number"),
    ]
    rows = [
        ["This plan", value(robustness.nominal), value(robustness.worst_case)],
        [
            "Best nominal plan",
            value(robustness.nominal_optimum),
            value(robustness.nominal_worst_case),
        ],
    ]
    foot = ["Price of robustness", value(robustness.price), ""]
    return table(columns, rows, foot=foot)


def _perturbations(found: Sequence[Perturbation]) -> str:
    """List the actions whose odds it would be worth most to know."""
    if not found:
        return ""
    columns = [
        Column("Odds that are not known exactly", "action", is_head=True),
        Column("Worst case would rise by", "number"),
        Column("Strikes on average", "number"),
    ]
    rows = [
        [
            name(each.action),
            value(each.gain) if each.gain else NONE,
            value(each.deviations) if each.deviations else NONE,
        ]
        for each in found[:_MOST_LISTED]
    ]
    return scrollable(table(columns, rows, style="wide"), "What hurts most")


def _chart(robustness: Robustness, adversary: Adversary) -> str:
    """Draw the worst case against more and more strikes."""
    content = "\n".join(_bars(robustness.by_gamma, adversary.gamma))
    text = "The worst case against the number of strikes: it never rises"
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
    yield _text(_WIDTH / 2, _HEIGHT - 6, "strikes along any path, at most")


def _text(x: float, y: float, text: str) -> str:
    return (
        f'<text class="bw-odds" x="{x:.1f}" y="{y:.1f}" font-size="12" '
        f'text-anchor="middle">{words(text)}</text>'
    )
