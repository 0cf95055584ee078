"""Advice: what to do now, how it may come out, and what it is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from branchwise.model.budget import Amounts, Budget
from branchwise.space.state_space import Real


@dataclass(frozen=True, slots=True)
class Advice:
    """
    What the plan says here.

    Parameters
    ----------
    action
        What to do now; None: stop.
    probabilities
        How likely each outcome of it is, in order; none where the plan stops.
    cost
        What it takes from the budget.
    value
        The expected reward from here on, less weighted cost; where the least cost is
        wanted, that cost below zero.
    reward
        What stopping here pays.
    left
        What is left of the budget.
    is_proven
        Whether no plan from here has a higher value.
    facts
        How likely each hidden fact is what it may be, by what is known here.
    counters
        Where each counter stands.
    is_net
        Whether spending counts in the value.
    is_least_cost
        Whether nothing else counts: the least cost is wanted.
    """

    action: str | None
    probabilities: tuple[tuple[str, Real], ...]
    cost: Amounts
    value: Real
    reward: Real
    left: Budget
    is_proven: bool
    facts: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)
    is_net: bool = False
    is_least_cost: bool = False

    @property
    def is_numbered(self) -> bool:
        """Whether outcomes can be told by number: none is called like one."""
        return not any(label.isdecimal() for label, _ in self.probabilities)


@dataclass(frozen=True, slots=True)
class Change:
    """
    What something reported has changed.

    Parameters
    ----------
    before, after
        What the plan said before, and what it says now.
    is_surprise
        Whether the plan could not know of this, so that there is a new one.
    """

    before: Advice
    after: Advice
    is_surprise: bool
