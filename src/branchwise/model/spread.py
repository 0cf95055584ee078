"""The spread of an action: all probabilities it may have, and the worst of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from branchwise.model.action import Action, Given
from branchwise.model.numbers.number import Real, exact
from branchwise.model.outcome import Outcome
from branchwise.records import dataclass

_ZERO: Final = Fraction(0)
_ONE: Final = Fraction(1)
label_set = lru_cache(maxsize=1_000)(frozenset[str])
"""Many actions have the same labels."""


@dataclass(frozen=True, slots=True)
class Spread:
    """
    All probabilities that an action may have, outcome by outcome.

    Parameters
    ----------
    nominal
        How likely each outcome is said to be.
    low, high
        Between what each probability lies.
    distance
        How much probability may move from some outcomes to others, all in all: the
        total variation distance from the nominal probabilities.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> spread = Spread((half, half), (0, 0), (1, 1), Fraction(1, 10))
    >>> spread.worst([8, 3])
    (Fraction(2, 5), Fraction(3, 5))
    """

    nominal: tuple[Real, ...]
    low: tuple[Real, ...]
    high: tuple[Real, ...]
    distance: Real

    def worst(self, values: Sequence[Real], tolerance: float = 0) -> tuple[Real, ...]:
        """
        Return the probabilities under which the expected value is least.

        Parameters
        ----------
        values
            What each outcome is worth.
        tolerance
            Nothing is moved between outcomes whose values differ by no more.

        Notes
        -----
        Write the probabilities as nominal + up - down, where up and down are at least 0
        and sum to the same m, at most the distance. For a given m the expected value is
        least if the m goes up at the outcomes of least value, each as far as its
        `high`, and comes down from those of greatest value, each as far as its `low`.
        The m-th part moved so gains the difference of two values, which never rises
        with m: so moving as long as it is above zero, and no further than the distance,
        is best.
        """
        up, down = self._up(), self._down()
        by_value = sorted(range(len(up)), key=lambda i: (values[i], i))
        rising = [i for i in by_value if up[i] > 0]
        falling = [i for i in by_value if down[i] > 0]
        probabilities, rest = list(self.nominal), self.distance
        while rising and falling and rest > 0:
            to, of = rising[0], falling[-1]
            if values[of] - values[to] <= tolerance:
                break
            moved = min(rest, up[to], down[of])
            probabilities[to] += moved
            probabilities[of] -= moved
            rest, up[to], down[of] = rest - moved, up[to] - moved, down[of] - moved
            rising = rising[1:] if up[to] == 0 else rising
            falling = falling[:-1] if down[of] == 0 else falling
        return tuple(probabilities)

    @property
    def is_exact(self) -> bool:
        """Whether there are no probabilities but the nominal ones."""
        return self.low == self.high

    def tightened(self) -> Spread:
        """
        Return the same spread with no `low` or `high` that is never reached.

        What one outcome gains others must lose, and the distance holds for all.
        """
        if self.is_exact:
            return self
        up, down = self._up(), self._down()
        gains, losses = sum(up), sum(down)
        rooms = list(zip(self.nominal, up, down, strict=True))
        low = tuple(each - min(d, self.distance, gains - u) for each, u, d in rooms)
        high = tuple(each + min(u, self.distance, losses - d) for each, u, d in rooms)
        return Spread(self.nominal, low, high, self.distance)

    def _up(self) -> list[Real]:
        return [h - each for each, h in zip(self.nominal, self.high, strict=True)]

    def _down(self) -> list[Real]:
        return [each - low for each, low in zip(self.nominal, self.low, strict=True)]

    def only(self, places: Sequence[int]) -> Spread:
        """Leave out the outcomes that are not at these places: none may happen."""
        nominal, low, high = (
            tuple(each[i] for i in places)
            for each in (self.nominal, self.low, self.high)
        )
        return Spread(nominal, low, high, self.distance)

    def with_floats(self) -> Spread:
        """Return the same spread in floats."""
        return self._in_numbers(float)

    def with_fractions(self) -> Spread:
        """Return the same spread in fractions, each number read as it is written."""
        return self._in_numbers(exact)

    def _in_numbers(self, number: Callable[[Real], Real]) -> Spread:
        nominal, low, high = (
            tuple(map(number, each)) for each in (self.nominal, self.low, self.high)
        )
        return Spread(nominal, low, high, number(self.distance))


def spread_of(action: Action, clause: Given | None = None) -> Spread:
    """
    Return the exact spread of an action while a clause of it counts, or none does.

    A label that the clause leaves out cannot happen, whatever the distance.
    """
    _, outcomes = action.under(clause)
    known = {outcome.label: outcome for outcome in outcomes}
    distance = distance_of(action, clause)
    is_free = distance is not None and all(o.low is None for o in outcomes)
    nominal, low, high = [], [], []
    for label in action.labels:
        outcome = known.get(label, Outcome(label, 0))
        probability = outcome.probability
        nominal.append(probability)
        if is_free and label in known:
            low.append(_ZERO)
            high.append(_ONE)
        else:
            low.append(probability if outcome.low is None else outcome.low)
            high.append(probability if outcome.high is None else outcome.high)
    most = _ONE if distance is None else distance
    return Spread(tuple(nominal), tuple(low), tuple(high), most).tightened()


def distance_of(action: Action, clause: Given | None = None) -> Fraction | None:
    """Return the distance that counts: the clause's, else the action's, else None."""
    if clause is not None and clause.distance is not None:
        return clause.distance
    return action.distance


def possible_labels(action: Action, clause: Given | None = None) -> frozenset[str]:
    """Return the outcomes that some probabilities of the spread let happen."""
    _, outcomes = action.under(clause)
    if distance_of(action, clause) is None and all(o.low is None for o in outcomes):
        # No probabilities but these: nothing to work out, however many there are.
        return label_set(
            tuple([o.label for o in outcomes if o.probability.numerator > 0])
        )
    highest = zip(action.labels, spread_of(action, clause).high, strict=True)
    return frozenset(label for label, high in highest if high > 0)
