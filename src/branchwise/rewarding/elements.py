"""The elements of a diagram: outcomes, and ways for outcomes to happen."""

from __future__ import annotations

from branchwise.model.condition import Happened
from branchwise.space.problem_space import Units


class Elements:
    """
    The numbering of a diagram's elements, with what each costs and how likely it is.

    The outcomes of an action stand side by side. A mark stands for one of several ways
    in which an outcome can happen; it carries cost and probabilities in the outcome's
    place.
    """

    def __init__(self) -> None:
        self.outcomes: dict[Happened, int] = {}
        self.groups: dict[str, list[int]] = {}
        self.marks: list[int] = []
        self.weights: list[float] = []
        self._prices: list[Units] = []

    def __len__(self) -> int:
        return len(self.weights)

    def add_outcome(self, outcome: Happened, price: Units, weight: float) -> int:
        """Number an outcome."""
        element = self._add(price, weight)
        self.outcomes[outcome] = element
        self.groups.setdefault(outcome.action, []).append(element)
        return element

    def add_mark(self, price: Units, weight: float) -> int:
        """Number a way."""
        element = self._add(price, weight)
        self.marks.append(element)
        return element

    def prices(self, resource: int) -> list[int]:
        """Return what each element costs of one resource, by its position."""
        return [price[resource] for price in self._prices]

    def _add(self, price: Units, weight: float) -> int:
        self._prices.append(price)
        self.weights.append(weight)
        return len(self.weights) - 1
