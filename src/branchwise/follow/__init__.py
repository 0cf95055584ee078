"""Following a plan while it is carried out, surprises included."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.follow.advice import Advice as Advice
    from branchwise.follow.advice import Change as Change
    from branchwise.follow.follower import Follower as Follower

__all__, __getattr__, __dir__ = lazy(
    __name__, {"advice": "Advice Change", "follower": "Follower"}
)
