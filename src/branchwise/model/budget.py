"""Budgets and costs: how much there is of each resource, and what it takes."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from fractions import Fraction
from typing import Final

from branchwise.model.number import Number, exact, number_text

__all__ = [
    "DEFAULT_RESOURCE",
    "UNLIMITED",
    "Amounts",
    "Budget",
    "Limit",
    "as_limit",
    "limit_text",
]

DEFAULT_RESOURCE: Final = "budget"
"""What a plain number counts, where no resource is named."""

UNLIMITED: Final = math.inf
"""A budget, or a number of attempts, without end."""

Limit = Fraction | float
"""A number, or `UNLIMITED`; the only float among them is infinity."""


_NOTHING: Final = Fraction(0)


class Amounts(Mapping[str, Fraction]):
    """
    How much of each resource: what an action costs, or a weight for each.

    Immutable and hashable; a resource left out is zero, and zeros are left out.

    Examples
    --------
    >>> Amounts({"money": 3, "days": "1/2"})["days"]
    Fraction(1, 2)
    >>> Amounts(2)
    Amounts({'budget': 2})
    """

    __slots__ = ("_amounts",)

    def __init__(self, amounts: Number | Mapping[str, Number]) -> None:
        if not isinstance(amounts, Mapping):
            amounts = {DEFAULT_RESOURCE: amounts}
        entries = ((resource, exact(amount)) for resource, amount in amounts.items())
        self._amounts = {resource: amount for resource, amount in entries if amount}

    def __getitem__(self, resource: str) -> Fraction:
        return self._amounts[resource]

    def __iter__(self) -> Iterator[str]:
        return iter(self._amounts)

    def __len__(self) -> int:
        return len(self._amounts)

    # What a mapping gives by default looks up one entry after another.

    def items(self) -> ItemsView[str, Fraction]:
        """Give the resources with their amounts."""
        return self._amounts.items()

    def values(self) -> ValuesView[Fraction]:
        """Give the amounts."""
        return self._amounts.values()

    def __hash__(self) -> int:
        return hash(frozenset(self._amounts.items()))

    def __repr__(self) -> str:
        inside = ", ".join(f"{r!r}: {number_text(n)}" for r, n in self.items())
        return f"Amounts({{{inside}}})"

    def of(self, resource: str) -> Fraction:
        """Give the amount of one resource, zero where it is not named."""
        return self._amounts.get(resource, _NOTHING)

    def total(self) -> Fraction:
        """Add up the amounts of all resources."""
        amounts = tuple(self._amounts.values())
        return sum(amounts[1:], amounts[0]) if amounts else _NOTHING

    def times(self, amounts: Mapping[str, Fraction]) -> Fraction:
        """Weigh other amounts by these: multiply those of each resource, and add up."""
        if not self._amounts:
            return _NOTHING
        named = ((self._amounts.get(r), n) for r, n in amounts.items())
        return sum((mine * n for mine, n in named if mine), _NOTHING)

    def paid_in(self, resource: str) -> Amounts:
        """Count a plain number in this resource; named amounts stay as they are."""
        is_plain = list(self) == [DEFAULT_RESOURCE]
        return Amounts({resource: self[DEFAULT_RESOURCE]}) if is_plain else self


class Budget(Mapping[str, Limit]):
    """
    How much there is of each resource, in the order given; may be `UNLIMITED`.

    Examples
    --------
    >>> Budget({"money": 10, "days": UNLIMITED})
    Budget({'money': 10, 'days': unlimited})
    >>> Budget(6) == Budget("6") == Budget({"budget": 6})
    True
    """

    __slots__ = ("_limits",)

    def __init__(self, limits: Number | Mapping[str, Number]) -> None:
        if not isinstance(limits, Mapping):
            limits = {DEFAULT_RESOURCE: limits}
        self._limits = {resource: as_limit(limit) for resource, limit in limits.items()}

    def __getitem__(self, resource: str) -> Limit:
        return self._limits[resource]

    def __iter__(self) -> Iterator[str]:
        return iter(self._limits)

    def __len__(self) -> int:
        return len(self._limits)

    def items(self) -> ItemsView[str, Limit]:
        """Give the resources with their limits."""
        return self._limits.items()

    def __hash__(self) -> int:
        return hash(frozenset(self._limits.items()))

    def __repr__(self) -> str:
        inside = ", ".join(f"{r!r}: {limit_text(n)}" for r, n in self.items())
        return f"Budget({{{inside}}})"

    def __str__(self) -> str:
        if self.is_plain:
            return limit_text(self[DEFAULT_RESOURCE])
        return ", ".join(f"{limit_text(n)} {r}" for r, n in self.items())

    @property
    def is_plain(self) -> bool:
        """Whether this is one number without a name."""
        return list(self) == [DEFAULT_RESOURCE]


def limit_text(limit: Limit) -> str:
    """Write a limit as a problem file does."""
    return number_text(limit) if isinstance(limit, Fraction) else "unlimited"


def as_limit(limit: Number) -> Limit:
    """Accept a limit as a number, or as the word `unlimited`."""
    is_text = isinstance(limit, str) and limit.strip().casefold() == "unlimited"
    return UNLIMITED if is_text or limit == UNLIMITED else exact(limit)
