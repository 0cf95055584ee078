"""Budgets and costs: how much there is of each resource, and what it takes."""

from __future__ import annotations

import math
import re
from collections.abc import (
    Collection,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    ValuesView,
)
from fractions import Fraction
from typing import Final, TypeVar

from branchwise.model.numbers.expression import Renewal, written
from branchwise.model.numbers.formula import Formula
from branchwise.model.numbers.interval import (
    Interval,
    interval_text,
    number_and_interval,
)
from branchwise.model.numbers.number import Number, exact, number_text

DEFAULT_RESOURCE: Final = "budget"
"""What a plain number counts, where no resource is named."""

UNLIMITED: Final = math.inf
"""A budget, or a number of attempts, without end."""

Limit = Fraction | float
"""A number, or `UNLIMITED`; the only float among them is infinity."""

_NOTHING: Final = Fraction(0)

# How English plurals end, and what ends like one and is none.
_NOT_PLURAL: Final = re.compile(r"(?:[^s]|[aisu]s|[^a-z]s|^.{0,2})$")
_NOT_PLURALS: Final = frozenset({"chaos", "lens", "means", "news", "series", "species"})
_IN_IE: Final = frozenset({"sorties", "calories", "ties", "pies", "cookies", "selfies"})
_PLURAL_IN_ES: Final = re.compile(r"(?:[nrt]ch|sh|ss|x)es$")

V = TypeVar("V")


class ByName(Mapping[str, V]):
    """
    What is said of each name, in the order given; immutable and hashable.

    >>> ByName({"drill": 2})
    ByName({'drill': 2})
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> V:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"ByName({self._values})"

    # What a mapping gives by default looks up one entry after another.

    def items(self) -> ItemsView[str, V]:
        """Return the names with what is said of them."""
        return self._values.items()

    def values(self) -> ValuesView[V]:
        """Return what is said of the names."""
        return self._values.values()


class Amounts(ByName[Fraction]):
    """
    How much of each resource: what an action costs, or a weight for each.

    Immutable and hashable; a resource left out is zero, and zeros are left out. An
    amount may have an interval, which only analyses look at.

    Parameters
    ----------
    amounts
        A number, or one for each resource; any may have an interval: ``"3 [2, 5]"``.
    intervals
        Between what amounts lie, by resource, where their texts do not tell.

    Examples
    --------
    >>> Amounts({"money": 3, "days": "1/2"})["days"]
    Fraction(1, 2)
    >>> Amounts("2 [1, 4]")
    Amounts({'budget': '2 [1, 4]'})
    """

    __slots__ = ("_intervals", "_zeros")

    def __init__(
        self,
        amounts: Number | Mapping[str, Number],
        intervals: Mapping[str, tuple[Number, Number]] | None = None,
    ) -> None:
        if not isinstance(amounts, Mapping):
            amounts = {DEFAULT_RESOURCE: amounts}
        found = {r: number_and_interval(each) for r, each in amounts.items()}
        ends = {resource: each for resource, (_, each) in found.items() if each}
        zeros = {r: n for r, (n, _) in found.items() if isinstance(n, Formula)}
        if isinstance(amounts, Amounts):
            written = {r: amounts.written(r) for r in amounts.named}
            zeros |= {r: n for r, n in written.items() if isinstance(n, Formula)}
            known = ((r, amounts.interval(r)) for r in amounts.named)
            ends |= {resource: each for resource, each in known if each}
        for resource, (low, high) in (intervals or {}).items():
            ends[resource] = Interval(exact(low), exact(high))
        self._intervals = ends
        self._zeros = {r: n for r, n in zeros.items() if not n}
        self._values = {r: amount for r, (amount, _) in found.items() if amount}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Amounts):
            mine, theirs = self._intervals, other._intervals
            return self._values == other._values and mine == theirs
        return super().__eq__(other)

    __hash__ = ByName.__hash__

    def __repr__(self) -> str:
        texts = ((r, self.text(r)) for r in self.named)
        inside = ", ".join(f"{r!r}: {f'{t!r}' if ' ' in t else t}" for r, t in texts)
        return f"Amounts({{{inside}}})"

    @property
    def named(self) -> tuple[str, ...]:
        """The resources of which something is said: some of it, or an interval."""
        if not self._intervals and not self._zeros:
            return tuple(self._values)
        return tuple(dict.fromkeys((*self._values, *self._intervals, *self._zeros)))

    def interval(self, resource: str) -> Interval | None:
        """Tell between what the amount of one resource lies; None where unsaid."""
        return self._intervals.get(resource)

    def text(self, resource: str) -> str:
        """Write the amount of one resource, with its interval if it has one."""
        amount, ends = self.written(resource), self.interval(resource)
        return written(amount) if ends is None else interval_text(amount, *ends)

    def written(self, resource: str) -> Fraction:
        """Return an amount with how it was computed, also where it is zero."""
        return self._zeros.get(resource, self.of(resource))

    def numbers(self) -> Iterator[Fraction]:
        """Return every number that may come from an expression."""
        yield from self._values.values()
        yield from self._zeros.values()
        for ends in self._intervals.values():
            yield from ends

    def renewed(self, renew: Renewal) -> Amounts:
        """Return the same with every number computed again."""
        named = dict.fromkeys((*self._values, *self._zeros))
        ends = {r: (renew(a), renew(b)) for r, (a, b) in self._intervals.items()}
        return Amounts({r: renew(self.written(r)) for r in named}, ends)

    def with_amount(self, resource: str, amount: Fraction) -> Amounts:
        """Return the same with another amount of one resource, known exactly."""
        kept = {r: ends for r, ends in self._intervals.items() if r != resource}
        zeros = {r: n for r, n in self._zeros.items() if r != resource}
        return Amounts({**zeros, **self._values, resource: amount}, kept)

    def plus(self, more: Amounts) -> Amounts:
        """Add amounts that are known exactly; intervals move along."""
        resources = dict.fromkeys((*self, *more))
        moved = {
            r: (low + more.of(r), high + more.of(r))
            for r, (low, high) in self._intervals.items()
        }
        return Amounts({r: self.of(r) + more.of(r) for r in resources}, moved)

    def of(self, resource: str) -> Fraction:
        """Return the amount of one resource, zero where it is not named."""
        return self._values.get(resource, _NOTHING)

    def total(self) -> Fraction:
        """Add up the amounts of all resources."""
        amounts = tuple(self._values.values())
        return sum(amounts[1:], amounts[0]) if amounts else _NOTHING

    def times(self, amounts: Mapping[str, Fraction]) -> Fraction:
        """Weigh other amounts by these: multiply those of each resource, and add up."""
        if not self._values:
            return _NOTHING
        named = ((self._values.get(r), n) for r, n in amounts.items())
        return sum((mine * n for mine, n in named if mine), _NOTHING)

    def paid_in(self, resource: str) -> Amounts:
        """Count a plain number in this resource; named amounts stay as they are."""
        if self.named != (DEFAULT_RESOURCE,):
            return self
        ends = self.interval(DEFAULT_RESOURCE)
        known = {} if ends is None else {resource: ends}
        return Amounts({resource: self.written(DEFAULT_RESOURCE)}, known)


class Budget(ByName[Limit]):
    """
    How much there is of each resource, in the order given; may be `UNLIMITED`.

    Examples
    --------
    >>> Budget({"money": 10, "days": UNLIMITED})
    Budget({'money': 10, 'days': unlimited})
    >>> Budget(6) == Budget("6") == Budget({"budget": 6})
    True
    """

    __slots__ = ()

    def __init__(self, limits: Number | Mapping[str, Number]) -> None:
        if not isinstance(limits, Mapping):
            limits = {DEFAULT_RESOURCE: limits}
        super().__init__((resource, as_limit(n)) for resource, n in limits.items())

    def __repr__(self) -> str:
        inside = ", ".join(f"{r!r}: {limit_text(n)}" for r, n in self.items())
        return f"Budget({{{inside}}})"

    def __str__(self) -> str:
        if self.is_plain:
            return limit_text(self[DEFAULT_RESOURCE])
        return ", ".join(f"{limit_text(n)} {counted(r, n)}" for r, n in self.items())

    def renewed(self, renew: Renewal) -> Budget:
        """Return the same with every number computed again."""
        return Budget({r: renewed_limit(limit, renew) for r, limit in self.items()})

    @property
    def is_plain(self) -> bool:
        """Whether this is one number without a name."""
        return list(self) == [DEFAULT_RESOURCE]


def alike_in_all(
    weights: Amounts, resources: Collection[str]
) -> tuple[Fraction, Interval | None] | None:
    """Return the weight that all resources have; None where they differ."""
    different = {weights.text(resource) for resource in resources}
    if not set(weights.named) <= set(resources) or len(different) != 1:
        return None
    first = next(iter(resources))
    return weights.written(first), weights.interval(first)


def renewed_limit(limit: Limit, renew: Renewal) -> Limit:
    """Compute a limit again."""
    return renew(limit) if isinstance(limit, Fraction) else limit


def counted(resource: str, amount: Limit) -> str:
    """
    Return the name of a resource after an amount: one of it is not called by a plural.

    Names are any text, so only what is sure to be an English plural is changed.

    >>> counted("days", 2), counted("days", 1), counted("sorties", 1)
    ('days', 'day', 'sortie')
    >>> [counted(name, 1) for name in ("batteries", "batches", "gas", "money", "GPUS")]
    ['battery', 'batch', 'gas', 'money', 'GPUS']
    """
    if amount != 1 or resource in _NOT_PLURALS or _NOT_PLURAL.search(resource):
        return resource
    if resource.endswith("ies") and resource not in _IN_IE:
        return f"{resource[:-3]}y"
    return resource[: -2 if _PLURAL_IN_ES.search(resource) else -1]


def limit_text(limit: Limit) -> str:
    """Write a limit as a problem file does."""
    return number_text(limit) if isinstance(limit, Fraction) else "unlimited"


def as_limit(limit: Number) -> Limit:
    """Accept a limit as a number, or as the word `unlimited`."""
    is_text = isinstance(limit, str) and limit.strip().casefold() == "unlimited"
    return UNLIMITED if is_text or limit == UNLIMITED else exact(limit)
