"""Actions and their outcomes: what we may do, and what may come of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from branchwise.model.budget import Amounts
from branchwise.model.condition import (
    ALWAYS,
    NEVER,
    Attempted,
    Condition,
    Happened,
    quoted,
)
from branchwise.model.condition_text import as_condition
from branchwise.model.number import Number, exact

__all__ = ["Action", "Given", "Outcome"]

Outcomes = Mapping[str, Number] | Iterable["Outcome"]
Cost = Amounts | Number | Mapping[str, Number]


@dataclass(frozen=True, slots=True, init=False)
class Outcome:
    """
    One way an action may come out.

    Parameters
    ----------
    label
        Unique in the action; shown in trees and used in conditions.
    probability
        How likely it is.
    """

    label: str
    probability: Fraction

    def __init__(self, label: str, probability: Number) -> None:
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "probability", exact(probability))


@dataclass(frozen=True, slots=True, init=False)
class Given:
    """
    Conditioning: while ``when`` holds, the action has other odds or another cost.

    Parameters
    ----------
    when
        The first clause of an action whose condition holds is the one that counts.
    outcomes
        The probabilities that replace the action's own; a label left out cannot
        happen. None keeps the action's own.
    cost
        The cost that replaces the action's own. None keeps it.
    """

    when: Condition
    outcomes: tuple[Outcome, ...] | None
    cost: Amounts | None

    def __init__(
        self,
        when: Condition | str,
        *,
        outcomes: Outcomes | None = None,
        cost: Cost | None = None,
    ) -> None:
        odds = None if outcomes is None else as_outcomes(outcomes)
        object.__setattr__(self, "when", as_condition(when))
        object.__setattr__(self, "outcomes", odds)
        object.__setattr__(self, "cost", None if cost is None else as_cost(cost))


@dataclass(frozen=True, slots=True, init=False)
class Action:
    """
    Something we may do, whose outcome we cannot choose.

    Parameters
    ----------
    name
        Unique in the problem; shown in trees and in error messages.
    outcomes
        What may happen, and how likely. Probabilities must sum to one; one of
        them may be ``"rest"``.
    cost
        What each attempt takes from the budget; one unit unless said otherwise.
    requires
        What must hold before it can be taken.
    precluded_by
        What rules it out.
    attempts
        How often it can be taken: a whole number or `UNLIMITED`.
    given
        How what has happened changes its odds and its cost.

    Examples
    --------
    >>> drill = Action("drill", outcomes={"oil": 0.2, "dry": "rest"}, cost=70)
    >>> drill.outcome("dry").probability
    Fraction(4, 5)
    >>> print(drill["oil"] | drill.attempted)
    drill=oil or drill
    """

    name: str
    outcomes: tuple[Outcome, ...]
    cost: Amounts
    requires: Condition
    precluded_by: Condition
    attempts: int | float
    given: tuple[Given, ...]

    def __init__(
        self,
        name: str,
        *,
        outcomes: Outcomes,
        cost: Cost = 1,
        requires: Condition | str = ALWAYS,
        precluded_by: Condition | str = NEVER,
        attempts: int | float = 1,
        given: Iterable[Given] = (),
    ) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "outcomes", as_outcomes(outcomes))
        object.__setattr__(self, "cost", as_cost(cost))
        object.__setattr__(self, "requires", as_condition(requires))
        object.__setattr__(self, "precluded_by", as_condition(precluded_by))
        object.__setattr__(self, "attempts", attempts)
        object.__setattr__(self, "given", tuple(given))

    def __getitem__(self, label: str) -> Condition:
        """Give the condition that this action has come out as `label`."""
        return Happened(self.name, self.outcome(label).label)

    @property
    def attempted(self) -> Condition:
        """The condition that this action has been taken."""
        return Attempted(self.name)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the outcomes, in order."""
        return tuple(outcome.label for outcome in self.outcomes)

    @property
    def is_repeatable(self) -> bool:
        """Whether it can be taken more than once."""
        return self.attempts > 1

    def outcome(self, label: str) -> Outcome:
        """Find an outcome by its label."""
        for outcome in self.outcomes:
            if outcome.label == label:
                return outcome
        known = ", ".join(quoted(known) for known in self.labels)
        raise KeyError(f"{self.name} has no outcome {label!r}; it has {known}")

    def costs(self) -> tuple[Amounts, ...]:
        """Give every cost it may have: its own, and those of its clauses."""
        return (self.cost, *(g.cost for g in self.given if g.cost is not None))

    def as_of(
        self, outcomes: Mapping[str, Collection[str]]
    ) -> tuple[Amounts, tuple[Outcome, ...]]:
        """Give the cost and the odds that count, given what each action has had."""
        for clause in self.given:
            if clause.when.holds(outcomes):
                cost = self.cost if clause.cost is None else clause.cost
                return cost, clause.outcomes or self.outcomes
        return self.cost, self.outcomes

    def paid_in(self, resource: str) -> Action:
        """Count costs that name no resource in this one."""
        given = tuple(
            replace(clause, cost=clause.cost and clause.cost.paid_in(resource))
            for clause in self.given
        )
        return replace(self, cost=self.cost.paid_in(resource), given=given)


def as_cost(cost: Cost) -> Amounts:
    """Accept a cost as a number, or one number per resource."""
    return cost if isinstance(cost, Amounts) else Amounts(cost)


def as_outcomes(outcomes: Outcomes) -> tuple[Outcome, ...]:
    """Accept outcomes as objects, or as a mapping in which one may be ``rest``."""
    if not isinstance(outcomes, Mapping):
        return tuple(outcomes)
    rests = [label for label, number in outcomes.items() if is_rest(number)]
    if len(rests) > 1:
        raise ValueError(f"only one outcome may be `rest`, not {', '.join(rests)}")
    numbers = {
        label: Fraction(0) if is_rest(number) else exact(number)
        for label, number in outcomes.items()
    }
    remainder = 1 - sum(numbers.values(), Fraction(0))
    numbers.update(dict.fromkeys(rests, remainder))
    return tuple(Outcome(label, number) for label, number in numbers.items())


def is_rest(number: Number) -> bool:
    """Tell whether this stands for what the other probabilities leave."""
    return isinstance(number, str) and number.strip().casefold() == "rest"
