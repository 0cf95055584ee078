"""Facts: all that conditions may ask about at one point of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

Counts = Mapping[str, Mapping[str, int]]
"""How often each outcome of each action has come up; none where it has not."""


class Facts(Mapping[str, Mapping[str, int]]):
    """
    What has happened, what counters stand at, and what is left of each resource.

    As a mapping it has the outcomes of each action with how often they came up, so that
    it can be asked wherever only those matter.

    Examples
    --------
    >>> facts = Facts({"treat": {"worse": 2}}, counters={"harm": 2})
    >>> facts["treat"]["worse"], facts.counters["harm"]
    (2, 2)
    """

    __slots__ = ("_counts", "counters", "left")

    def __init__(
        self,
        counts: Counts,
        *,
        counters: Mapping[str, int] | None = None,
        left: Mapping[str, Fraction | float] | None = None,
    ) -> None:
        self._counts = counts
        self.counters: Mapping[str, int] = counters or {}
        self.left: Mapping[str, Fraction | float] = left or {}

    def __getitem__(self, action: str) -> Mapping[str, int]:
        return self._counts[action]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def assuming(self, hidden: Mapping[str, str]) -> Facts:
        """Return the same with hidden facts as if they had been seen."""
        seen = {fact: {label: 1} for fact, label in hidden.items()}
        return Facts({**self._counts, **seen}, counters=self.counters, left=self.left)
