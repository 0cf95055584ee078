"""Uncertainty, told: how sure value and first action are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.sensitivity.sample_sizes import SampleSize
from branchwise.analysis.sensitivity.uncertainty import Uncertainty
from branchwise.report.charts.distribution_picture import distribution_svg
from branchwise.report.page.markup import Column, name, scrollable, table
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import chance, plural, rounded, value

__all__ = ["uncertainty_fragment", "uncertainty_lines"]

_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def uncertainty_lines(found: Uncertainty, look: Look) -> Iterator[str]:
    """Tell uncertainty as text: quantiles of the value, and the first actions."""
    titles = ["draws", "mean", *(chance(share) for share in _QUANTILES)]
    row = [str(len(found.draws)), *_numbers(found)]
    yield from aligned(titles, [row], look, words=-1, inks={1: "reward"})
    yield ""
    rows = [
        ["nothing" if first is None else look.name(first, 0.5), chance(share)]
        for first, share in found.first_actions.items()
    ]
    yield from aligned(["starts with", "share"], rows, look, words=0)
    stated = [each for each in found.sample_sizes if each.size_from != "all"]
    if stated:
        yield ""
        sizes = [[look.name(_odds(e), 0.5), *_size(e)] for e in stated]
        yield from aligned(["odds of", "trials", "said by"], sizes, look, words=0)


def uncertainty_fragment(found: Uncertainty) -> str:
    """Tell uncertainty in a page: the distribution of the value, and first actions."""
    columns = [Column("Starts with", is_head=True), Column("Share of draws", "number")]
    rows = [
        ["nothing" if first is None else name(first), chance(share)]
        for first, share in found.first_actions.items()
    ]
    picture = ""
    if len(found.rewards.chances) > 1:
        drawn = distribution_svg(found.rewards.chances, "expected reward")
        picture = f"<figure>{drawn}</figure>"
    titles = ["Mean", *(chance(share) for share in _QUANTILES)]
    numbers = table([Column(title, "number") for title in titles], [_numbers(found)])
    stated = [each for each in found.sample_sizes if each.size_from != "all"]
    sizes = ""
    if stated:
        heads = [Column("Odds of", is_head=True), Column("Trials", "number")]
        listed = [[name(_odds(each)), *_size(each)] for each in stated]
        sizes = "\n" + table([*heads, Column("Said by")], listed, style="narrow")
    return f"""<p class="hint">The odds were drawn {plural(len(found.draws), "time")} by
chance around what is written, as if they had been counted in trials, and one planned
for each draw. The long table has the mean of what the best plans are worth, and what
they do not exceed in so many percent of the draws.</p>
<div class="beside">
{table(columns, rows, style="narrow")}
{picture}
</div>
{scrollable(numbers, "What best plans are worth")}{sizes}"""


def _odds(each: SampleSize) -> str:
    return f"{each.action} | {each.when}" if each.when else each.action


def _size(each: SampleSize) -> list[str]:
    return [value(each.sample_size), each.size_from]


def _numbers(found: Uncertainty) -> list[str]:
    rewards = found.rewards
    quantiles = (rewards.quantile(share) for share in _QUANTILES)
    return [rounded(number) for number in (rewards.mean, *quantiles)]
