"""States of a problem, by name: what has happened, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from branchwise.model.budget import Budget
from branchwise.model.condition import Happened


@dataclass(frozen=True, slots=True)
class State:
    """
    What is known, and what is left, at one point of a plan.

    Parameters
    ----------
    counts
        How often each outcome has come up, in the order of the problem; outcomes
        that have not are left out.
    left
        What is left of each resource.

    Examples
    --------
    >>> state = State(((Happened("probe", "nothing"), 2),), Budget(4))
    >>> print(state)
    probe=nothing (2 times), 4 left
    """

    counts: tuple[tuple[Happened, int], ...]
    left: Budget

    @property
    def outcomes(self) -> Mapping[str, tuple[str, ...]]:
        """The outcomes each action has had."""
        found: dict[str, tuple[str, ...]] = {}
        for happened, _ in self.counts:
            found[happened.action] = (*found.get(happened.action, ()), happened.outcome)
        return found

    def since(self, earlier: State, order: Iterable[Happened]) -> State:
        """Add what had happened earlier to what this state knows, in this order."""
        had, has = dict(earlier.counts), dict(self.counts)
        sums = ((event, had.get(event, 0) + has.get(event, 0)) for event in order)
        return State(tuple((event, count) for event, count in sums if count), self.left)

    def count(self, action: str) -> int:
        """Count how often an action has been taken."""
        return sum(count for event, count in self.counts if event.action == action)

    def __str__(self) -> str:
        events = [
            f"{happened} ({count} times)" if count > 1 else str(happened)
            for happened, count in self.counts
        ]
        return ", ".join([*(events or ["nothing yet"]), f"{self.left} left"])
