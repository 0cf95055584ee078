"""Rewarding sets: which outcomes, taken together, lead to a reward."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.rewarding.listing import SetsListing as SetsListing
    from branchwise.rewarding.sets import RewardingSet as RewardingSet
    from branchwise.rewarding.sets import RewardingSets as RewardingSets

__all__, __getattr__, __dir__ = lazy(
    __name__, {"listing": "SetsListing", "sets": "RewardingSet RewardingSets"}
)
