"""Uncertainty, shown: how sure value and first action are."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from branchwise.analysis.sensitivity.ranges import SampleSize
from branchwise.analysis.sensitivity.uncertainty import Uncertainty
from branchwise.report.charts.upright_bars import distribution_svg
from branchwise.report.column import Column, table_html, table_lines
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import chance, plural
from branchwise.space.state_space import Real

TITLE: Final = "Uncertainty"
NOTE: Final = (
    "what best plans are worth with sampled probabilities: mean and percentiles"
)

_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def _quantile(share: float, found: Uncertainty) -> Real:
    return found.rewards.quantile(share)


def _sampled(each: SampleSize) -> str:
    return f"{each.action} | {each.when}" if each.when else each.action


_REWARDS: Final = (
    Column("draws", "draws", "count", lambda found: len(found.draws)),
    Column("mean", "mean", "rounded", "rewards.mean", ink="reward"),
    *(
        Column(f"quantile_{share}", chance(share), "rounded", partial(_quantile, share))
        for share in _QUANTILES
    ),
)
_FIRST_ACTIONS: Final = (
    Column("first_action", "starts with", "name", lambda pair: pair[0] or "nothing"),
    Column("share", "share of draws", "chance", lambda pair: pair[1]),
)
_SIZES: Final = (
    Column("action", "probabilities of", "name", _sampled),
    Column("sample_size", "trials", "value"),
    Column("size_from", "stated by"),
)


def lines(found: Uncertainty, look: Look) -> Iterator[str]:
    """Return uncertainty as text: quantiles of the value, and the first actions."""
    yield from table_lines(_REWARDS, [found], look)
    if not found.is_plan_kept:
        yield ""
        yield from table_lines(_FIRST_ACTIONS, found.first_actions.items(), look)
    if stated := _stated(found):
        yield ""
        yield from table_lines(_SIZES, stated, look)


def fragment(found: Uncertainty) -> str:
    """Return uncertainty for a page: the distribution of the value, first actions."""
    chances = found.rewards.chances
    drawn = distribution_svg(chances, "expected reward") if len(chances) > 1 else ""
    picture = f"<figure>{drawn}</figure>" if drawn else ""
    stated = _stated(found)
    sizes = "\n" + table_html(_SIZES, stated) if stated else ""
    is_kept = found.is_plan_kept
    then = "this plan was kept" if is_kept else "one planned for each draw"
    what = "this plan is worth" if is_kept else "the best plans are worth"
    starts = "" if is_kept else table_html(_FIRST_ACTIONS, found.first_actions.items())
    return f"""<p class="hint">The probabilities were sampled
{plural(len(found.draws), "time")} around what is written, as if they had been counted
in trials, and {then}. The long table has the mean of what
{what}, and what is not exceeded in so many percent of the draws.</p>
<div class="beside">
{starts}
{picture}
</div>
{table_html(_REWARDS, [found], f"What {what.removeprefix('the ')}")}{sizes}"""


def _stated(found: Uncertainty) -> list[SampleSize]:
    return [each for each in found.sample_sizes if each.size_from != "all"]
