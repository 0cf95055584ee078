"""The adversary: score programs, defenses, and the worst case."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.adversary.interdict import DEFENSE_METHODS, defend
    from branchwise.adversary.interdiction import (
        DefensePoint,
        DefenseWorth,
        Interdiction,
    )

__all__ = ["DEFENSE_METHODS", "DefensePoint", "DefenseWorth", "Interdiction", "defend"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "interdict": "DEFENSE_METHODS defend",
        "interdiction": "DefensePoint DefenseWorth Interdiction",
    },
)
