"""Rows that prove something about every state they lead to, with exact values."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from branchwise.certificate.checker import Branch, Space, State
from branchwise.model.numbers.number import ratio_text
from branchwise.tree.choices.policy import last_first

Reason = tuple[str | None, ...]
"""What stands in a row behind its value."""

Reasoned = Callable[..., Iterator[tuple[Fraction, Any]]]
"""What the checker compares a row with: `checker.following` or `checker.bounding`."""

Watch = Callable[[int], None]
"""Called with how many states there are; raises to end the work."""

# Of a state in which every plan ends as it must not: a float among fractions.
_NOTHING_ENDS: Final = -math.inf

_Option = tuple[Fraction, list[tuple[Fraction, Fraction, int]]]


class ProofRows:
    """The states that rows lead to from the root, in the order of the checker."""

    # `reasoned` is what the checker compares a row with, and `reason` says what stands
    # behind the value of a state. `watch` is called with how many states there are, and
    # raises to end the work.

    def __init__(
        self,
        problem: Any,
        reasoned: Reasoned,
        reason: Callable[[State], Reason],
        watch: Watch = lambda _: None,
    ) -> None:
        self.gained: Fraction = problem.root[0]
        root = problem.root[1]
        self.space: Space = problem.space
        self.states, self.places = [root], {root: 0}
        self.reasons: list[Reason] = []
        self.options: list[list[_Option]] = []
        for state in self.states:  # which grow meanwhile
            self.reasons.append(reason(state))
            watch(len(self.states))
            options = reasoned(self.space, state, *self.reasons[-1])
            self.options.append(
                [(sure, list(map(self._placed, b))) for sure, b in options]
            )
        self.values: list[Fraction] = []

    def _placed(self, branch: Branch) -> tuple[Fraction, Fraction, int]:
        probability, gained, state = branch
        place = self.places.setdefault(state, len(self.states))
        if place == len(self.states):
            self.states.append(state)
        return probability, gained, place

    @property
    def value(self) -> Fraction:
        """What the rows prove of the root."""
        return self.gained + self.values[0]

    @property
    def longest_number(self) -> int:
        """About how many digits the longest value takes."""
        known = [value for value in self.values if value != _NOTHING_ENDS]
        sizes = (max(v.numerator, v.denominator, key=abs) for v in known)
        return max((size.bit_length() for size in sizes), default=0) * 3 // 10

    def work_out(self, unit: Fraction | None = None, *, upward: bool) -> None:
        """Return every state the best of its options, rounded outward to a unit."""
        self.values = [Fraction(0)] * len(self.states)
        for place in last_first(0, self._children):
            best = max(self.total(option) for option in self.options[place])
            self.values[place] = best if unit is None else _rounded(best, unit, upward)

    def total(self, option: _Option) -> Fraction:
        """What an option is worth by the values of the states it leads to."""
        sure, branches = option
        values = self.values
        for probability, gained, place in branches:
            value = values[place]
            sure += probability * (gained + value if gained else value)
        return sure

    def _children(self, place: int) -> Iterator[int]:
        options = self.options[place]
        return (child for _, branches in options for _, _, child in branches)

    def rows(self) -> list[list[str | None]]:
        """The rows as they are written."""
        pairs = zip(self.values, self.reasons, strict=True)
        return [[_text(value), *reason] for value, reason in pairs]


def _text(value: Fraction) -> str:
    return "-inf" if value == _NOTHING_ENDS else ratio_text(value)


def _rounded(value: Fraction, unit: Fraction, upward: bool) -> Fraction:  # noqa: FBT001
    if value == _NOTHING_ENDS:
        return value
    return (math.ceil if upward else math.floor)(value / unit) * unit
