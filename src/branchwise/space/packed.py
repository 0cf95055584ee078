"""Outcome counts packed into one integer, and conditions that read it."""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_

from branchwise.model.action import Action
from branchwise.model.budget import Limit
from branchwise.model.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Condition,
    Happened,
    Not,
)
from branchwise.model.problem import Problem

Test = Callable[[int], bool]
"""Whether a condition holds, given the packed outcome counts."""


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


class Packing:
    """The layout of a problem's outcome counts in one integer of any length."""

    # Without repeats every outcome takes one bit, and a condition is a comparison of
    # masks. Python's integers have no limit, so neither has the number of actions.

    def __init__(self, problem: Problem) -> None:
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
        # An action that no budget pays for has no bits, and never comes up.
        self._at = [item for item in self.fields.items() if item[1].width]
        self._shifts = [field.shift for _, field in self._at]

    def test(self, condition: Condition) -> Test:
        """Compile a condition."""
        match condition:
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

    def counts(self, happened: int) -> Iterator[tuple[Happened, int]]:
        """Return the outcomes that have come up, and how often."""
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
    return int(min(action.attempts, affordable)) if action.attempts else 0


def _uses(limit: Limit, amount: Fraction) -> float:
    if not isinstance(limit, Fraction):
        return math.inf
    # As whole numbers, which takes a tenth of the time that fractions take.
    (had, of_it), (takes, of_that) = limit.as_integer_ratio(), amount.as_integer_ratio()
    return had * of_that // (of_it * takes)
