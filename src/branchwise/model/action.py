"""Actions and their outcomes: what we may do, and what may come of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from fractions import Fraction

from branchwise.model.budget import Amounts, ByName
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Attempted,
    Condition,
    Happened,
    computed_numbers,
    quoted,
    renewed_condition,
)
from branchwise.model.conditions.condition_text import a_condition, as_condition
from branchwise.model.counter import (
    UNCHANGED,
    Effects,
    as_effects,
    renewed_effects,
)
from branchwise.model.numbers.expression import Renewal, as_whole, renewed_whole
from branchwise.model.numbers.formula import Computable
from branchwise.model.numbers.number import Number, exact
from branchwise.model.outcome import Outcome, Outcomes, as_outcomes
from branchwise.records import dataclass

__all__ = ["Action", "Given", "Outcome"]

Cost = Amounts | Number | Mapping[str, Number]

_NOTHING = Amounts({})
_ONE = Amounts(1)  # what most actions cost: one object for all of them


@dataclass(frozen=True, slots=True, init=False)
class Given:
    """
    Conditioning: while ``when`` holds, other probabilities or another cost count.

    Parameters
    ----------
    when
        The first clause of an action whose condition holds is the one that counts.
    outcomes
        The probabilities that replace the action's own; a label left out cannot
        happen. None keeps the action's own.
    cost
        The cost that replaces the action's own. None keeps it.
    distance
        The distance that replaces the action's own. None keeps it.
    sample_size
        How many trials these probabilities rest on. None keeps the action's own.
    """

    when: Condition
    outcomes: tuple[Outcome, ...] | None
    cost: Amounts | None
    distance: Fraction | None
    sample_size: Fraction | None

    def __init__(
        self,
        when: Condition | str,
        *,
        outcomes: Outcomes | None = None,
        cost: Cost | None = None,
        distance: Number | None = None,
        sample_size: Number | None = None,
    ) -> None:
        probabilities = None if outcomes is None else as_outcomes(outcomes)
        object.__setattr__(self, "when", as_condition(when))
        object.__setattr__(self, "outcomes", probabilities)
        object.__setattr__(self, "cost", None if cost is None else as_cost(cost))
        object.__setattr__(self, "distance", _or_none(distance))
        object.__setattr__(self, "sample_size", _or_none(sample_size))

    def renewed(self, renew: Renewal) -> Given:
        """Return the same clause with its numbers computed again."""
        return Given(
            renewed_condition(self.when, renew),
            outcomes=self.outcomes and tuple(o.renewed(renew) for o in self.outcomes),
            cost=None if self.cost is None else self.cost.renewed(renew),
            distance=None if self.distance is None else renew(self.distance),
            sample_size=None if self.sample_size is None else renew(self.sample_size),
        )


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
        them may be ``"rest"``, and any may have an interval: ``"0.6 [0.5, 0.7]"``. What
        follows from an outcome is said with it, as in a file: ``{"worse":
        {"probability": 0.2, "effects": {harm: 1}, "cost": 4, "ends": "lose"}}``.
    cost
        What each attempt takes from the budget; one unit unless said otherwise. Any
        amount may have an interval: ``"70 [60, 90]"``.
    requires
        What must hold before it can be taken.
    precluded_by
        What rules it out.
    attempts
        How often it can be taken: a whole number or `UNLIMITED`.
    given
        How what has happened changes its probabilities and its cost.
    distance
        How far the probabilities may lie from what is given, in total variation;
        it counts when a plan is to be robust. None where nothing is said.
    sample_size
        How many trials the probabilities rest on; it counts where they are drawn.
        None where nothing is said.
    effects
        By how much an attempt changes counters, whatever comes of it.

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
    distance: Fraction | None
    sample_size: Fraction | None
    effects: ByName[int]
    _hash: int | None = field(init=False, repr=False, compare=False)

    # Every argument past the first has a name, and most a default.
    def __init__(  # noqa: PLR0913
        self,
        name: str,
        *,
        outcomes: Outcomes,
        cost: Cost = _ONE,
        requires: Condition | str = ALWAYS,
        precluded_by: Condition | str = NEVER,
        attempts: int | float | Computable = 1,
        given: Iterable[Given] = (),
        distance: Number | None = None,
        sample_size: Number | None = None,
        effects: Effects = UNCHANGED,
    ) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "outcomes", as_outcomes(outcomes))
        put(self, "cost", as_cost(cost))
        put(self, "requires", a_condition("`requires`", requires))
        put(self, "precluded_by", a_condition("`precluded_by`", precluded_by))
        put(self, "attempts", as_whole(attempts))
        put(self, "given", tuple(given))
        put(self, "distance", _or_none(distance))
        put(self, "sample_size", _or_none(sample_size))
        put(self, "effects", effects if effects is UNCHANGED else as_effects(effects))
        put(self, "_hash", None)

    def __hash__(self) -> int:
        # Problems that differ a little share most of their actions, and are looked up
        # by the thousand.
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(tuple(self.__getstate__())))
        assert self._hash is not None
        return self._hash

    def __getstate__(self) -> list[object]:
        # Texts have another hash in another process.
        return [getattr(self, each.name) for each in fields(self) if each.compare]

    def __setstate__(self, state: Iterable[object]) -> None:
        kept = (each.name for each in fields(self) if each.compare)
        for name, value in zip(kept, state, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_hash", None)

    def __getitem__(self, label: str) -> Condition:
        """Return the condition that this action has come out as `label`."""
        return Happened(self.name, self.outcome(label).label)

    @property
    def attempted(self) -> Condition:
        """The condition that this action has been taken."""
        return Attempted(self.name)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the outcomes, in order."""
        return tuple([outcome.label for outcome in self.outcomes])

    @property
    def is_repeatable(self) -> bool:
        """Whether it can be taken more than once."""
        return self.attempts > 1

    def outcome(self, label: str) -> Outcome:
        """Find an outcome by its label."""
        for outcome in self.outcomes:
            if outcome.label == label:
                return outcome
        known = ", ".join(map(quoted, self.labels))
        raise KeyError(f"{self.name} has no outcome {label!r}; it has {known}")

    def costs(self) -> tuple[Amounts, ...]:
        """Return every cost it may have: its own, and those of its clauses."""
        if not self.given:
            return (self.cost,)
        return (self.cost, *(g.cost for g in self.given if g.cost is not None))

    def every_cost(self) -> tuple[Amounts, ...]:
        """Return the same and what its outcomes cost besides."""
        extra = tuple([o.cost for o in self.outcomes if o.cost.named])
        return (*self.costs(), *extra) if extra else self.costs()

    def effects_of(self, label: str) -> Mapping[str, int]:
        """Return by how much counters change when it comes out so, all added up."""
        more = self.outcome(label).effects
        names = dict.fromkeys((*self.effects, *more))
        return {name: self.effects.get(name, 0) + more.get(name, 0) for name in names}

    @property
    def dearest(self) -> Amounts:
        """Of each resource, the most that an outcome costs besides."""
        extra = [outcome.cost for outcome in self.outcomes if outcome.cost.named]
        if not extra:
            return _NOTHING
        resources = dict.fromkeys(resource for cost in extra for resource in cost)
        return Amounts({r: max(cost.of(r) for cost in extra) for r in resources})

    def clause_as_of(self, outcomes: Mapping[str, Collection[str]]) -> Given | None:
        """Return the clause that counts, given what each action has had; or None."""
        return next((c for c in self.given if c.when.holds(outcomes)), None)

    def as_of(
        self, outcomes: Mapping[str, Collection[str]]
    ) -> tuple[Amounts, tuple[Outcome, ...]]:
        """Return the cost and the probabilities that count after these outcomes."""
        return self.under(self.clause_as_of(outcomes))

    def under(self, clause: Given | None) -> tuple[Amounts, tuple[Outcome, ...]]:
        """Return the cost and the probabilities while a clause counts, or none does."""
        if clause is None:
            return self.cost, self.outcomes
        cost = self.cost if clause.cost is None else clause.cost
        return cost, self.outcomes if clause.outcomes is None else clause.outcomes

    def renewed(self, renew: Renewal) -> Action:
        """Return the same action with its numbers computed again."""
        return replace(
            self,
            outcomes=tuple(outcome.renewed(renew) for outcome in self.outcomes),
            cost=self.cost.renewed(renew),
            requires=renewed_condition(self.requires, renew),
            precluded_by=renewed_condition(self.precluded_by, renew),
            attempts=renewed_whole(self.attempts, renew),
            given=tuple(clause.renewed(renew) for clause in self.given),
            distance=None if self.distance is None else renew(self.distance),
            sample_size=None if self.sample_size is None else renew(self.sample_size),
            effects=renewed_effects(self.effects, renew),
        )

    def numbers(self) -> Iterator[Fraction | int | float]:
        """Return every number that may come from an expression."""
        yield self.attempts
        yield from self.effects.values()
        for condition in (self.requires, self.precluded_by):
            yield from computed_numbers(condition)
        for clause in self.given:
            yield from computed_numbers(clause.when)
        parts: list[Action | Given] = [self, *self.given]
        for part in parts:
            for outcome in part.outcomes or ():
                yield from outcome.numbers()
            if part.cost is not None:
                yield from part.cost.numbers()
            yield from (n for n in (part.distance, part.sample_size) if n is not None)

    def with_costs(self, change: Callable[[Amounts], Amounts]) -> Action:
        """Return the same action with other costs, in every clause."""
        given = tuple(
            each if each.cost is None else replace(each, cost=change(each.cost))
            for each in self.given
        )
        outcomes = self.outcomes  # Actions of one file share them, mostly.
        if any(outcome.cost.named for outcome in outcomes):
            outcomes = tuple(
                replace(o, cost=change(o.cost)) if o.cost.named else o for o in outcomes
            )
        return replace(self, cost=change(self.cost), given=given, outcomes=outcomes)


def as_cost(cost: Cost) -> Amounts:
    """Accept a cost as a number, or one number per resource."""
    return cost if isinstance(cost, Amounts) else Amounts(cost)


def _or_none(number: Number | None) -> Fraction | None:
    return None if number is None else exact(number)
