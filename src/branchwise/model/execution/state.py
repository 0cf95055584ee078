"""States of a problem, by name: what has happened, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from branchwise.model.budget import Budget, ByName
from branchwise.model.conditions.condition import Happened
from branchwise.model.conditions.facts import Facts
from branchwise.model.hidden import Knowledge
from branchwise.model.outcome import Ending
from branchwise.records import dataclass


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
    counters
        Where each counter stands.
    knowledge
        How likely each assignment of the hidden facts is, up to scale; nothing where
        there are none.
    ended
        Whether an outcome has ended everything, and what that leaves of rewards.

    Examples
    --------
    >>> state = State(((Happened("probe", "nothing"), 2),), Budget(4))
    >>> print(state)
    probe=nothing (2 times), 4 left
    """

    counts: tuple[tuple[Happened, int], ...]
    left: Budget
    counters: ByName[int] = ByName()  # never changes
    knowledge: Knowledge = ()
    ended: Ending | None = None

    @property
    def facts(self) -> Facts:
        """All that conditions may ask about here."""
        had: dict[str, dict[str, int]] = {}
        for happened, count in self.counts:
            had.setdefault(happened.action, {})[happened.outcome] = count
        return Facts(had, counters=self.counters, left=self.left)

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
        counts = tuple((event, count) for event, count in sums if count)
        return replace(self, counts=counts)

    def count(self, action: str) -> int:
        """Count how often an action has been taken."""
        return sum(count for event, count in self.counts if event.action == action)

    def __str__(self) -> str:
        events = [
            f"{happened} ({count} times)" if count > 1 else str(happened)
            for happened, count in self.counts
        ]
        return ", ".join([*(events or ["nothing yet"]), f"{self.left} left"])
