"""Outcome counts and counters packed into one integer, and conditions that read it."""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from operator import or_

from branchwise.model.action import Action
from branchwise.model.budget import Limit
from branchwise.model.conditions.condition import (
    COMPARISONS,
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Comparison,
    Condition,
    Happened,
    Not,
    Quantity,
)
from branchwise.model.conditions.quantity import Count, CounterValue, Left
from branchwise.model.outcome import Ending
from branchwise.model.problem import Problem
from branchwise.records import dataclass

Test = Callable[[int], bool]
"""Whether a condition holds, given the packed outcome counts."""

Units = tuple[int, ...]
"""Amounts of the finite resources, as whole numbers of each one's smallest unit."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where the count of one outcome stands in the packed integer."""

    shift: int
    width: int

    @property
    def mask(self) -> int:
        """The bits of this field."""
        return ((1 << self.width) - 1) << self.shift

    @property
    def one(self) -> int:
        """What to add when the outcome comes up once."""
        return 1 << self.shift

    def count(self, happened: int) -> int:
        """Read the count."""
        return (happened & self.mask) >> self.shift


@dataclass(frozen=True, slots=True)
class CounterField:
    """Where a counter stands in the packed integer: by how much above its least."""

    field: Field
    low: int
    high: int

    def value(self, happened: int) -> int:
        """Read where the counter stands."""
        return self.field.count(happened) + self.low

    def changed(self, happened: int, change: int) -> int:
        """Return the packed integer after a change, which stays within the range."""
        stood = self.value(happened)
        stands = min(max(stood + change, self.low), self.high)
        return happened + ((stands - stood) << self.field.shift)


# How an ending stands in its field, after which nothing can be done.
_ENDINGS: Mapping[Ending | None, int] = {None: 0, "keep": 1, "lose": 2}


class Packing:
    """The layout of a problem's outcome counts in one integer of any length."""

    # Without repeats every outcome takes one bit, and a condition is a comparison of
    # masks. Python's integers have no limit, so neither has the number of actions.
    # Above the outcomes stand whatever else conditions may ask about: counters, and
    # what is left of resources, in the units of `scales`, where some condition does.

    def __init__(self, problem: Problem, scales: Mapping[str, int]) -> None:
        self.fields: dict[Happened, Field] = {}
        self.attempt_masks: dict[str, int] = {}
        shift = 0
        for action in problem.actions:
            width = most_attempts(problem, action).bit_length()
            start = shift
            for label in action.labels:
                self.fields[Happened(action.name, label)] = Field(shift, width)
                shift += width
            self.attempt_masks[action.name] = (1 << shift) - (1 << start)
        self.outcomes_mask = (1 << shift) - 1
        self.scales = scales
        self.counters: dict[str, CounterField] = {}
        self.left: dict[str, Field] = {}
        self.start = 0
        self._pack_more(problem, shift)
        # An action that no budget pays for has no bits, and never comes up.
        self._at = [item for item in self.fields.items() if item[1].width]
        self._shifts = [field.shift for _, field in self._at]

    def _pack_more(self, problem: Problem, shift: int) -> None:
        for counter in problem.counters:
            width = (counter.high - counter.low).bit_length()
            field = Field(shift, width)
            self.counters[counter.name] = CounterField(field, counter.low, counter.high)
            self.start += (counter.start - counter.low) << shift
            shift += width
        asked = _resources_asked_about(problem)
        for resource, scale in self.scales.items():
            if resource in asked:
                units = int(problem.budget[resource] * scale)
                self.left[resource] = Field(shift, units.bit_length())
                self.start += units << shift
                shift += units.bit_length()
        self.ending = Field(shift, 2)

    def ended(self, happened: int) -> int:
        """Return whether everything has ended: not 0, and 2 with all rewards lost."""
        return happened >> self.ending.shift

    def ending_of(self, happened: int) -> Ending | None:
        """Return by which ending everything has ended, if it has."""
        number = self.ended(happened)
        return next(ending for ending, each in _ENDINGS.items() if each == number)

    def ending_bits(self, ending: Ending | None) -> int:
        """Return what to add when everything ends so."""
        return _ENDINGS[ending] << self.ending.shift

    def payment_bits(self, resource: str, units: int) -> int:
        """Return what to take away when so much is paid."""
        field = self.left.get(resource)
        return 0 if field is None else units << field.shift

    def test(self, condition: Condition) -> Test:
        """Compile a condition."""
        match condition:
            case Comparison(quantity, sign, number):
                compare, read = COMPARISONS[sign], self._reading(quantity)
                return lambda happened: compare(read(happened), number)
            case Happened() | Attempted():
                mask = self._mask(condition)
                return lambda happened: happened & mask != 0
            case AllOf(parts):
                return self._all(parts)
            case AnyOf(parts):
                return self._any(parts)
            case AtLeast(parts, count):
                tests = [self.test(part) for part in parts]
                return lambda happened: sum(t(happened) for t in tests) >= count
            case Not(inner):
                test = self.test(inner)
                return lambda happened: not test(happened)
        raise TypeError(f"not a condition: {condition!r}")

    def _reading(self, quantity: Quantity) -> Callable[[int], Fraction | float]:
        """Compile how a quantity is read off the packed integer."""
        match quantity:
            case CounterValue(name):
                return self.counters[name].value
            case Count(Happened() as event):
                return self.fields[event].count
            case Count(Attempted(action)):
                fields = [f for e, f in self.fields.items() if e.action == action]
                return lambda happened: sum(field.count(happened) for field in fields)
            case Left(resource) if resource in self.left:
                field, scale = self.left[resource], self.scales[resource]
                return lambda happened: Fraction(field.count(happened), scale)
            case Left():
                return lambda _happened: math.inf
        raise TypeError(f"not a quantity: {quantity!r}")

    def counts(self, happened: int) -> Iterator[tuple[Happened, int]]:
        """Return the outcomes that have come up, and how often."""
        happened &= self.outcomes_mask
        while happened:
            lowest = (happened & -happened).bit_length() - 1
            outcome, field = self._at[bisect_right(self._shifts, lowest) - 1]
            yield outcome, field.count(happened)
            happened &= ~field.mask

    def gate(self, condition: Condition) -> int | None:
        """Find outcomes of which one must have happened before a condition can hold."""
        # None where it may hold with none of them. This lets a state look at the few
        # actions that something has opened, instead of at all.
        match condition:
            case Happened() | Attempted():
                return self._mask(condition)
            case AllOf(parts):
                gates = [g for part in parts if (g := self.gate(part)) is not None]
                return min(gates, key=int.bit_count, default=None)
            case AnyOf(parts):
                gates = [g for part in parts if (g := self.gate(part)) is not None]
                return union(gates) if len(gates) == len(parts) else None
            case AtLeast(parts):
                # Among so many that the others are too few, one part must hold.
                gates = [g for part in parts if (g := self.gate(part)) is not None]
                few = sorted(gates, key=int.bit_count)[: condition.count_against]
                return union(few) if len(few) == condition.count_against else None
        return None

    def _mask(self, literal: Happened | Attempted) -> int:
        if isinstance(literal, Attempted):
            return self.attempt_masks[literal.action]
        return self.fields[literal].mask

    def _all(self, parts: Iterable[Condition]) -> Test:
        """Test one-bit outcomes all at once, and the rest one by one."""
        mask = 0
        tests = []
        for part in parts:
            if isinstance(part, Happened) and self.fields[part].width == 1:
                mask |= self.fields[part].mask
            else:
                tests.append(self.test(part))
        if not tests:
            return lambda happened: happened & mask == mask
        return lambda happened: (
            happened & mask == mask and all(test(happened) for test in tests)
        )

    def _any(self, parts: Iterable[Condition]) -> Test:
        mask = 0
        tests = []
        for part in parts:
            if isinstance(part, Happened | Attempted):
                mask |= self._mask(part)
            else:
                tests.append(self.test(part))
        if not tests:
            return lambda happened: happened & mask != 0
        return lambda happened: (
            happened & mask != 0 or any(test(happened) for test in tests)
        )


def _resources_asked_about(problem: Problem) -> set[str]:
    quantities = (
        leaf.quantity for when in problem.conditions() for leaf in when.comparisons()
    )
    return {each.resource for each in quantities if isinstance(each, Left)}


def union(masks: Iterable[int]) -> int:
    """Return all bits of some masks."""
    return reduce(or_, masks, 0)


def bits(mask: int) -> Iterator[int]:
    """Return the single bits of a mask, lowest first."""
    while mask:
        yield mask & -mask
        mask &= mask - 1


def most_attempts(problem: Problem, action: Action) -> int:
    """Bound how often an action can be taken within the attempts and the budget."""
    # Attempts at the same cost are bounded by that cost; an action whose cost changes
    # can be taken as often as all of its costs allow together.
    affordable: float = 0
    for cost in action.costs():
        uses = [_uses(problem.budget[r], amount) for r, amount in cost.items()]
        affordable += min(uses, default=math.inf)
    most = min(action.attempts, affordable)
    if most == math.inf:
        most = _most_by_counters(problem, action)
    return int(most) if action.attempts else 0


def _most_by_counters(problem: Problem, action: Action) -> int:
    """Bound attempts that cost nothing by a counter that they move one way."""
    changes = [action.effects_of(label) for label in action.labels]
    spans = [
        counter.high - counter.low + 1
        for counter in problem.counters
        if (moves := {each.get(counter.name, 0) for each in changes})
        and (min(moves) > 0 or max(moves) < 0)
    ]
    assert spans, f"nothing ends the attempts at {action.name}"
    return max(spans)


def _uses(limit: Limit, amount: Fraction) -> float:
    if not isinstance(limit, Fraction):
        return math.inf
    # As whole numbers, which takes a tenth of the time that fractions take.
    (had, of_it), (takes, of_that) = limit.as_integer_ratio(), amount.as_integer_ratio()
    return had * of_that // (of_it * takes)
