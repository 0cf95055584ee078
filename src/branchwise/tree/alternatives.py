"""Alternatives: what else could be done at a state, and what it would be worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from branchwise.model.state_space import Real

__all__ = ["Alternative", "Considered", "Prospect", "alternatives"]


class Prospect(NamedTuple):
    """
    What an outcome of an alternative would lead to.

    Parameters
    ----------
    outcome
        Its name.
    probability
        How likely it is.
    value
        The expected reward from there on, if one goes on as well as possible.
    """

    outcome: str
    probability: Real
    value: Real


@dataclass(frozen=True, slots=True)
class Alternative:
    """
    Another action that could be taken where the plan takes its own, or stops.

    Parameters
    ----------
    action
        Its name.
    value
        The expected reward of taking it here and going on as well as possible.
    is_bound
        Whether `value` is only what it cannot exceed, as nobody has looked further.
    prospects
        Why it is worth that: what each outcome would lead to.
    """

    action: str
    value: Real
    is_bound: bool = False
    prospects: tuple[Prospect, ...] = field(default=(), repr=False)


Considered = Callable[[Any], tuple[Alternative, ...] | None]
"""
Gives all actions that the engine considered at a state of the policy, the one that the
plan takes included; None where it cannot tell.
"""


def alternatives(
    considered: Iterable[Alternative], taken: str | None
) -> tuple[Alternative, ...]:
    """
    Give what was considered besides the action taken, best first.

    Examples
    --------
    >>> considered = (Alternative("a", 3), Alternative("b", 5), Alternative("c", 4))
    >>> [alternative.action for alternative in alternatives(considered, "b")]
    ['c', 'a']
    """
    others = (option for option in considered if option.action != taken)
    return tuple(sorted(others, key=lambda option: -option.value))
