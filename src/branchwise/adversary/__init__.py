"""The adversary: score programs, defenses, and the worst case."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.adversary.interdict import DEFENSE_METHODS as DEFENSE_METHODS
    from branchwise.adversary.interdict import defend as defend
    from branchwise.adversary.interdiction import DefensePoint as DefensePoint
    from branchwise.adversary.interdiction import DefenseWorth as DefenseWorth
    from branchwise.adversary.interdiction import Interdiction as Interdiction

__all__, __getattr__, __dir__ = lazy(
    __name__,
    {
        "interdict": "DEFENSE_METHODS defend",
        "interdiction": "DefensePoint DefenseWorth Interdiction",
    },
)
