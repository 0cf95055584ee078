"""Actions compiled for a state space: masks, tests and whole numbers."""

from __future__ import annotations

from dataclasses import dataclass

from branchwise.model.number import Real
from branchwise.model.spread import Spread
from branchwise.space.packed import Field, Test

__all__ = ["Catalogued", "Units", "Variant"]

Units = tuple[int, ...]
"""Amounts of the finite resources, as whole numbers of each one's smallest unit."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The probabilities and the cost of an action while a clause of it counts."""

    counts: Test
    price: Units
    unlimited_price: Units
    cost: Real
    charge: Real
    outcomes: tuple[tuple[str, Real, int], ...]
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class Catalogued:
    """An action, compiled."""

    name: str
    mask: int
    attempts: float
    fields: tuple[Field, ...]
    gate: int | None
    is_allowed: Test
    variants: tuple[Variant, ...]

    def has_attempts_left(self, happened: int) -> bool:
        """Whether it can be taken once more."""
        if not happened & self.mask:
            return True
        if self.attempts == 1:
            return False
        return self.num_attempts(happened) < self.attempts

    def num_attempts(self, happened: int) -> int:
        """Count how often it has been taken."""
        return sum(field.count(happened) for field in self.fields)

    def variant(self, happened: int) -> Variant:
        """Return the probabilities and the cost that count."""
        return next(v for v in self.variants if v.counts(happened))
