"""Hidden facts: settled from the start, never seen, only learned about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from branchwise.model.action import Given
from branchwise.model.budget import ByName
from branchwise.model.conditions.condition import Condition, Happened, quoted
from branchwise.model.numbers.expression import Renewal
from branchwise.model.outcome import Outcome, Outcomes, as_outcomes
from branchwise.records import dataclass

Knowledge = tuple[int, ...]
"""
How likely each assignment of the hidden facts is, up to scale: whole numbers without a
common divisor, so that the same knowledge is the same numbers.
"""


@dataclass(frozen=True, slots=True, init=False)
class Hidden:
    """
    A fact that is settled from the start and never seen directly.

    Parameters
    ----------
    name
        Unique in the problem, among the actions as well.
    outcomes
        What it may be, and how likely before anything is known; one may be ``"rest"``.
    given
        How the facts listed above it change that: the first clause that holds counts.

    Examples
    --------
    >>> disease = Hidden("disease", outcomes={"present": "0.3", "absent": "rest"})
    >>> print(disease["present"])
    disease=present
    """

    name: str
    outcomes: tuple[Outcome, ...]
    given: tuple[Given, ...]

    def __init__(
        self, name: str, *, outcomes: Outcomes, given: Iterable[Given] = ()
    ) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "outcomes", as_outcomes(outcomes))
        object.__setattr__(self, "given", tuple(given))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of what it may be, in order."""
        return tuple([outcome.label for outcome in self.outcomes])

    def __getitem__(self, label: str) -> Condition:
        """Return the condition that the fact is so."""
        if label not in self.labels:
            known = ", ".join(map(quoted, self.labels))
            raise KeyError(f"{self.name} is never {label!r}; it may be {known}")
        return Happened(self.name, label)

    def renewed(self, renew: Renewal) -> Hidden:
        """Return the same fact with its numbers computed again."""
        return Hidden(
            self.name,
            outcomes=tuple(outcome.renewed(renew) for outcome in self.outcomes),
            given=tuple(clause.renewed(renew) for clause in self.given),
        )

    def numbers(self) -> Iterator[Fraction | int]:
        """Return every number that may come from an expression."""
        for outcomes in (self.outcomes, *(each.outcomes for each in self.given)):
            for outcome in outcomes or ():
                yield from outcome.numbers()


class Assignment(NamedTuple):
    """One way all hidden facts may be, and how likely that is beforehand."""

    labels: ByName[str]
    probability: Fraction


def assignments(hidden: Sequence[Hidden]) -> tuple[Assignment, ...]:
    """
    Return all ways the hidden facts may be that are possible, in order.

    Without hidden facts there is one, which says nothing.

    Examples
    --------
    >>> coin = Hidden("coin", outcomes={"fair": "0.9", "false": "0.1", "gone": 0})
    >>> for each in assignments([coin]):
    ...     print(dict(each.labels), each.probability)
    {'coin': 'fair'} 9/10
    {'coin': 'false'} 1/10
    """
    found = [Assignment(ByName(), Fraction(1))]
    for fact in hidden:
        found = [
            Assignment(ByName({**known.labels, fact.name: o.label}), likely)
            for known in found
            for o in _outcomes_as_of(fact, known)
            if (likely := known.probability * o.probability)
        ]
    return tuple(found)


def _outcomes_as_of(fact: Hidden, known: Assignment) -> tuple[Outcome, ...]:
    seen = {name: (label,) for name, label in known.labels.items()}
    for clause in fact.given:
        if clause.when.holds(seen):
            return fact.outcomes if clause.outcomes is None else clause.outcomes
    return fact.outcomes


def as_knowledge(weights: Iterable[Fraction]) -> Knowledge:
    """
    Return how likely assignments are, up to scale.

    >>> as_knowledge([Fraction(1, 2), Fraction(3, 10)])
    (5, 3)
    """
    given = tuple(weights)
    common = math.lcm(*(weight.denominator for weight in given))
    whole = [int(weight * common) for weight in given]
    divisor = math.gcd(*whole) or 1
    return tuple(number // divisor for number in whole)


def learned(knowledge: Knowledge, likelihoods: Iterable[Fraction]) -> Knowledge:
    """
    Return what is known after something has come out, by Bayes' rule.

    Parameters
    ----------
    knowledge
        What was known before.
    likelihoods
        For each assignment, how likely it made what has come out.
    """
    pairs = zip(knowledge, likelihoods, strict=True)
    return as_knowledge(weight * likelihood for weight, likelihood in pairs)


def expectation(knowledge: Knowledge, values: Iterable[Fraction]) -> Fraction:
    """Return what to expect of something that depends on the hidden facts."""
    pairs = zip(knowledge, values, strict=True)
    return sum((w * v for w, v in pairs), Fraction(0)) / sum(knowledge)
