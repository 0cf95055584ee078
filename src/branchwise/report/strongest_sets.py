"""The strongest rewarding sets of a problem, found before a page shows them."""

from __future__ import annotations

from typing import Final, NamedTuple

from branchwise.errors import LimitError, ProblemError
from branchwise.model.problem import Problem
from branchwise.report.answers.sets_listing import Listing
from branchwise.rewarding.sets import RewardingSet, RewardingSets
from branchwise.tree.deadline import seconds_left

__all__ = ["StrongestSets", "strongest_sets"]

_LISTED: Final = 10
_SECONDS: Final = 2.0
_LEAST_SECONDS: Final = 0.001


class StrongestSets(NamedTuple):
    """The strongest rewarding sets, at least one, and what is known of the others."""

    listed: tuple[RewardingSet, ...]
    num_sets: int | None  # None where counting them takes too long
    is_complete: bool  # whether all are listed


def strongest_sets(problem: Problem | None) -> StrongestSets | None:
    """Return what leads to a reward; None where finding that out takes too long."""
    if problem is None:
        return None
    try:
        sets = RewardingSets(problem, time_limit_seconds=_seconds())
    except (LimitError, ProblemError):
        return None
    listing = Listing(sets, limit=_LISTED, time_limit_seconds=_seconds())
    listed = tuple(listing)
    if not listed:
        return None
    return StrongestSets(listed, listing.num_sets, listing.is_complete)


def _seconds() -> float:
    """Return how long looking for sets may take."""
    return max(min(_SECONDS, seconds_left()), _LEAST_SECONDS)
