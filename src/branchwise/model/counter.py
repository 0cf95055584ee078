"""Counters: whole numbers that outcomes change and conditions look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from branchwise.model.budget import ByName
from branchwise.model.conditions.condition import Comparison, comparison
from branchwise.model.conditions.quantity import CounterValue
from branchwise.model.numbers.expression import Renewal, as_whole, renewed_whole
from branchwise.model.numbers.formula import Computable, expression_of
from branchwise.model.numbers.number import Number
from branchwise.records import dataclass

if TYPE_CHECKING:
    from branchwise.model.conditions.condition import Condition

Whole = int | float | Computable
"""A whole number, or what one is computed from; checks refuse what is none."""

Effects = Mapping[str, Whole] | Mapping["Counter", Whole]
"""By how much each counter changes."""


UNCHANGED: Final[ByName[int]] = ByName()
"""The effects of what changes no counter."""


@dataclass(frozen=True, slots=True, init=False)
class Counter:
    """
    A whole number within a range, which outcomes change.

    Compare it with numbers to make conditions: ``doses >= 1``.

    Parameters
    ----------
    name
        Unique in the problem.
    low, high
        The range; what an effect would take beyond it stays at its end.
    start
        Where it begins: at 0, or at the low end if that is higher, or at the high end
        if that is lower, unless said otherwise.

    Examples
    --------
    >>> doses = Counter("doses", low=0, high=3, start=3)
    >>> print(doses >= 1)
    doses >= 1
    >>> doses.after(3, +1)
    3
    """

    name: str
    low: int
    high: int
    start: int

    def __init__(
        self, name: str, *, low: Whole, high: Whole, start: Whole | None = None
    ) -> None:
        put = object.__setattr__
        least, most = as_whole(low), as_whole(high)
        put(self, "name", name)
        put(self, "low", least)
        put(self, "high", most)
        begin = min(max(least, 0), most) if start is None else as_whole(start)
        put(self, "start", begin)

    def after(self, value: int, change: int) -> int:
        """Return where it stands after a change."""
        return min(max(value + change, self.low), self.high)

    @property
    def starts_as_usual(self) -> bool:
        """Whether it begins where a counter of its range does unless said otherwise."""
        usual = min(max(self.low, 0), self.high)
        mine, ends = expression_of(self.start), (self.low, self.high)
        is_own = mine is not None and mine not in map(expression_of, ends)
        return self.start == usual and not is_own

    def renewed(self, renew: Renewal) -> Counter:
        """Return the same counter with its numbers computed again."""
        low, high = (renewed_whole(number, renew) for number in (self.low, self.high))
        start = None if self.starts_as_usual else renewed_whole(self.start, renew)
        return Counter(self.name, low=low, high=high, start=start)

    def __ge__(self, number: Number) -> Condition:
        return self._compared(">=", number)

    def __le__(self, number: Number) -> Condition:
        return self._compared("<=", number)

    def __gt__(self, number: Number) -> Condition:
        return self._compared(">", number)

    def __lt__(self, number: Number) -> Condition:
        return self._compared("<", number)

    def equals(self, number: Number) -> Condition:
        """Return the condition that it stands just there."""
        return self._compared("==", number)

    def _compared(self, sign: str, number: Number) -> Comparison:
        return comparison(CounterValue(self.name), sign, number)


def as_effects(effects: Effects) -> ByName[int]:
    """Accept changes of counters, by counter or by name."""
    if not effects:
        return UNCHANGED  # as of most actions: one object for all of them
    found: dict[str, int] = {}
    for counter, change in effects.items():
        name = counter.name if isinstance(counter, Counter) else counter
        found[name] = as_whole(change)  # type: ignore[assignment]  # checks will say
    return ByName(found)


def renewed_effects(effects: ByName[int], renew: Renewal) -> ByName[int]:
    """Return the same changes with their numbers computed again."""
    return ByName((n, renewed_whole(each, renew)) for n, each in effects.items())  # type: ignore[misc]
