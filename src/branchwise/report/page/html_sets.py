"""Rewarding sets in a page: how many there are, and the strongest of them."""

from __future__ import annotations

from typing import Final

from branchwise.errors import LimitError, ProblemError
from branchwise.model.budget import DEFAULT_RESOURCE, Amounts
from branchwise.model.problem import Problem
from branchwise.report.page.markup import (
    Column,
    name,
    outcome_name,
    scrollable,
    table,
    words,
)
from branchwise.report.text.wording import chance, count, value
from branchwise.rewarding.listing import SetsListing
from branchwise.rewarding.sets import RewardingSet, RewardingSets
from branchwise.tree.deadline import seconds_left

__all__ = ["sets_section"]

_LISTED: Final = 10
_SECONDS: Final = 2.0
_LEAST_SECONDS: Final = 0.001
_MAX_NEEDS: Final = 40


def sets_section(problem: Problem) -> str:
    """Show what leads to a reward; nothing where finding that out takes too long."""
    try:
        sets = RewardingSets(problem, time_limit_seconds=_seconds())
    except (LimitError, ProblemError):
        return ""
    listing = SetsListing(sets, limit=_LISTED, time_limit_seconds=_seconds())
    found = list(listing)
    if not found:
        return ""
    columns = [
        Column("Outcomes, in order", "history", is_head=True),
        Column("Reward", "number"),
        Column("Probability", "number"),
        Column("Cost", "number"),
    ]
    content = table(columns, (_row(each) for each in found), style="wide")
    return f"""<section aria-labelledby="sets">
<h2 id="sets">What leads to a reward</h2>
<p class="hint">{_hint(listing)}</p>
{scrollable(content, "What leads to a reward")}
</section>"""


def _seconds() -> float:
    """Return how long looking for sets may take."""
    return max(min(_SECONDS, seconds_left()), _LEAST_SECONDS)


def _hint(listing: SetsListing) -> str:
    what = "rewarding sets: outcomes that together reach a reward, none to spare."
    many = "There are" if listing.num_sets is None else count(listing.num_sets)
    if listing.num_sets == 1:
        return (
            "One rewarding set: outcomes that together reach a reward, none to spare."
        )
    if listing.is_complete:
        return f"{many} {what}"
    return f"{many} {what} The {listing.num_listed} strongest are listed."


def _row(found: RewardingSet) -> list[str]:
    needs = [
        outcome_name(event.action, event.outcome) for event in found.needs[:_MAX_NEEDS]
    ]
    if len(found.needs) > _MAX_NEEDS:
        needs.append(f"and {len(found.needs) - _MAX_NEEDS} more")
    return [
        ", ".join(needs) or "nothing at all",
        value(found.reward),
        chance(found.probability),
        _cost(found.cost),
    ]


def _cost(cost: Amounts) -> str:
    paid = [
        words(value(amount))
        if resource == DEFAULT_RESOURCE
        else f"{words(value(amount))} {name(resource)}"
        for resource, amount in cost.items()
        if amount
    ]
    return ", ".join(paid) or "0"
