"""Following a plan while it is carried out, surprises included."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.follow.advice import Advice, Change
    from branchwise.follow.follower import Follower

__all__ = ["Advice", "Change", "Follower"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "advice": "Advice Change",
        "follower": "Follower",
    },
)
