"""Aims: what a plan is to make the most of, where the mean alone will not do."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final, Protocol

from branchwise.errors import AimError, Issue, did_you_mean
from branchwise.model.numbers.number import Number, exact, number_text
from branchwise.space.state_space import Real
from branchwise.tree.prospects.distribution import Distribution

Utility = Callable[[Real], Real]
"""What a final reward is worth; it never falls."""

_LARGEST_EXPONENT: Final = 700


class Aim(Protocol):
    """
    What a plan is to make the most of.

    An aim is the best, over some utilities, of the expected utility. Most aims have
    one utility; CVaR has one for each reward that could be its quantile.
    """

    @property
    def title(self) -> str:
        """What it is called, as the beginning of a line."""

    @property
    def is_concave(self) -> bool:
        """Whether having the mean for sure is never worse than a gamble."""

    @property
    def is_exact(self) -> bool:
        """Whether fractions lead to fractions."""

    @property
    def is_probability(self) -> bool:
        """Whether its worth is a probability."""

    def utilities(self, levels: Sequence[Fraction]) -> Iterable[Utility]:
        """Return the utilities, for rewards that come out as one of these levels."""

    def worth(self, rewards: Distribution) -> Real:
        """Return how well a plan with these rewards meets the aim."""

    def certainty_equivalent(self, rewards: Distribution) -> Real | None:
        """Return the sure reward that is worth as much; None where there is none."""


@dataclass(frozen=True, slots=True, init=False)
class ExponentialUtility:
    """
    Exponential utility: constant absolute risk aversion.

    A reward x is worth T (1 - exp(-x / T)). The larger the risk tolerance T, the
    closer this comes to x itself; the smaller, the closer to the worst case.

    Parameters
    ----------
    tolerance
        The risk tolerance, in units of the reward: about the sum X for which one would
        just accept to win X or lose X / 2 with equal chances.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> gamble = Distribution.of([(0, half), (100, half)])
    >>> round(ExponentialUtility(100).certainty_equivalent(gamble), 3)
    37.989
    """

    tolerance: Fraction

    def __init__(self, tolerance: Number) -> None:
        object.__setattr__(self, "tolerance", exact(tolerance))
        if self.tolerance <= 0:
            raise ValueError(f"a risk tolerance is above 0, not {tolerance}")

    is_concave = True
    is_exact = False
    is_probability = False

    @property
    def title(self) -> str:
        """What it is called."""
        return f"expected utility, risk tolerance {number_text(self.tolerance)}"

    def utilities(self, levels: Sequence[Fraction]) -> Iterable[Utility]:
        """Return the one utility; losses must not be past what floats can hold."""
        least = min(levels)
        if -least > _LARGEST_EXPONENT * self.tolerance:
            raise _misfit(
                f"a risk tolerance of {number_text(self.tolerance)} is too small for a "
                f"loss of {number_text(-least)}",
                f"raise it to {math.ceil(-least / _LARGEST_EXPONENT)} or more",
            )
        return (self._utility,)

    def _utility(self, reward: Real) -> float:
        tolerance = float(self.tolerance)
        return -tolerance * math.expm1(-float(reward) / tolerance)

    def worth(self, rewards: Distribution) -> Real:
        """Return the expected utility."""
        return math.fsum(self._utility(x) * float(p) for x, p in rewards.chances)

    def certainty_equivalent(self, rewards: Distribution) -> Real | None:
        """Return the sure reward of the same utility."""
        tolerance, least = float(self.tolerance), float(rewards.least)
        above = math.fsum(
            math.exp((least - float(x)) / tolerance) * float(p)
            for x, p in rewards.chances
        )
        return least - tolerance * math.log(above)


@dataclass(frozen=True, slots=True, init=False)
class UtilityTable:
    """
    A utility of your own: points, and straight lines between them.

    Parameters
    ----------
    points
        What some rewards are worth. They must span every reward that a plan can end
        with, and utility must not fall as reward rises.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> gamble = Distribution.of([(0, half), (100, half)])
    >>> table = UtilityTable({0: 0, 50: 80, 100: 100})
    >>> table.worth(gamble), table.certainty_equivalent(gamble)
    (Fraction(50, 1), Fraction(125, 4))
    """

    points: tuple[tuple[Fraction, Fraction], ...]

    def __init__(
        self, points: Mapping[Number, Number] | Sequence[tuple[Number, Number]]
    ) -> None:
        pairs = points.items() if isinstance(points, Mapping) else points
        ordered = sorted((exact(reward), exact(worth)) for reward, worth in pairs)
        object.__setattr__(self, "points", tuple(ordered))
        if len(ordered) < 2:
            raise ValueError("a utility table has at least two points")
        for (low, one), (high, other) in pairwise(ordered):
            if low == high:
                raise ValueError(f"a utility table has {number_text(low)} twice")
            if one > other:
                raise ValueError(
                    f"utility falls from {number_text(one)} at {number_text(low)} to "
                    f"{number_text(other)} at {number_text(high)}; it must not"
                )

    title = "expected utility"
    is_exact = True
    is_probability = False

    @property
    def is_concave(self) -> bool:
        """Whether the lines get flatter and flatter."""
        slopes = [(b - a) / (y - x) for (x, a), (y, b) in pairwise(self.points)]
        return all(one >= other for one, other in pairwise(slopes))

    def utilities(self, levels: Sequence[Fraction]) -> Iterable[Utility]:
        """Return the one utility; the table must span the levels."""
        first, last = self.points[0][0], self.points[-1][0]
        for level in (min(levels), max(levels)):
            if not first <= level <= last:
                raise _misfit(
                    f"the utility table goes from {number_text(first)} to "
                    f"{number_text(last)}, but rewards may come to "
                    f"{number_text(level)}",
                    f"say what {number_text(level)} is worth",
                )
        return (self._utility,)

    def worth(self, rewards: Distribution) -> Real:
        """Return the expected utility."""
        return sum((self._utility(x) * p for x, p in rewards.chances), Fraction(0))

    def certainty_equivalent(self, rewards: Distribution) -> Real | None:
        """Return the lowest sure reward of the same utility."""
        wanted = self.worth(rewards)
        for (low, one), (high, other) in pairwise(self.points):
            if wanted <= one:
                return low
            if wanted <= other:
                return low + (high - low) * (wanted - one) / (other - one)
        return self.points[-1][0]

    def _utility(self, reward: Real) -> Real:
        for (low, one), (high, other) in pairwise(self.points):
            if reward <= high:
                return one + (other - one) * (reward - low) / (high - low)
        return self.points[-1][1]


@dataclass(frozen=True, slots=True, init=False)
class AtLeast:
    """
    How likely a reward is reached: everything else does not matter.

    Parameters
    ----------
    reward
        What is to be reached or exceeded.
    """

    reward: Fraction

    def __init__(self, reward: Number) -> None:
        object.__setattr__(self, "reward", exact(reward))

    is_concave = False
    is_exact = True
    is_probability = True

    @property
    def title(self) -> str:
        """What it is called."""
        return f"P(reward >= {number_text(self.reward)})"

    def utilities(self, levels: Sequence[Fraction]) -> Iterable[Utility]:  # noqa: ARG002
        """Return the one utility: all or nothing."""
        return (lambda reward: Fraction(reward >= self.reward),)

    def worth(self, rewards: Distribution) -> Real:
        """Return the probability."""
        return rewards.at_least(self.reward)

    def certainty_equivalent(self, rewards: Distribution) -> Real | None:  # noqa: ARG002
        """No sure reward is worth a chance here."""
        return None


@dataclass(frozen=True, slots=True, init=False)
class AtMost:
    """
    How likely a cost is not exceeded, for problems of least cost.

    Parameters
    ----------
    cost
        What the cost of finishing is to stay within.
    """

    cost: Fraction

    def __init__(self, cost: Number) -> None:
        object.__setattr__(self, "cost", exact(cost))

    is_concave = False
    is_exact = True
    is_probability = True

    @property
    def title(self) -> str:
        """What it is called."""
        return f"P(cost <= {number_text(self.cost)})"

    def utilities(self, levels: Sequence[Fraction]) -> Iterable[Utility]:  # noqa: ARG002
        """Return the one utility: all or nothing, of costs that count below zero."""
        return (lambda reward: Fraction(-reward <= self.cost),)

    def worth(self, rewards: Distribution) -> Real:
        """Return the probability."""
        return rewards.at_least(-self.cost)

    def certainty_equivalent(self, rewards: Distribution) -> Real | None:  # noqa: ARG002
        """No sure cost is worth a chance here."""
        return None


def check_aim_fits(aim: Aim, *, is_least_cost: bool) -> None:
    """Refuse an aim at rewards where costs count, or the other way around."""
    if isinstance(aim, AtLeast) and is_least_cost:
        what = "there is no reward to reach where the least cost is wanted"
        raise _misfit(what, f"write `at-most={number_text(abs(aim.reward))}`, a cost")
    if isinstance(aim, AtMost) and not is_least_cost:
        what = "`at-most` is for problems with `objective: least-cost`"
        raise _misfit(what, "write `at-least=NUMBER`, a reward less weighted cost")


@dataclass(frozen=True, slots=True, init=False)
class CVaR:
    """
    Conditional value at risk: the mean of the worst share of cases.

    The best CVaR at level a is the best, over thresholds t and over plans, of
    E[t - (t - X)+ / a] for the final reward X: a utility problem for each t, and the
    quantile of the best plan, a reward it can end with, is the best t.

    Parameters
    ----------
    level
        The share, above 0 and up to 1: 0.1 looks at the worst tenth of all cases.
    """

    level: Fraction

    def __init__(self, level: Number) -> None:
        object.__setattr__(self, "level", exact(level))
        if not 0 < self.level <= 1:
            raise ValueError(f"a level is above 0 and at most 1, not {level}")

    is_concave = True
    is_exact = True
    is_probability = False

    @property
    def title(self) -> str:
        """What it is called."""
        return f"CVaR at {number_text(100 * self.level)} %"

    def utilities(self, levels: Sequence[Fraction]) -> Iterable[Utility]:
        """Return one utility for each reward that could be the quantile."""
        return [self._utility_below(threshold) for threshold in levels]

    def _utility_below(self, threshold: Fraction) -> Utility:
        return lambda reward: threshold - max(threshold - reward, 0) / self.level

    def worth(self, rewards: Distribution) -> Real:
        """Return the mean of the worst share."""
        return rewards.cvar(self.level)

    def certainty_equivalent(self, rewards: Distribution) -> Real | None:
        """Return the same: the worst share of a sure reward is that reward."""
        return self.worth(rewards)


def _misfit(what: str, fix: str) -> AimError:
    return AimError([Issue("aim", what, fix)])


def parse_aim(text: str) -> Aim:
    """
    Read an aim.

    Parameters
    ----------
    text
        ``cvar=LEVEL``, ``at-least=REWARD``, ``at-most=COST``,
        ``exponential=TOLERANCE``, or ``table=REWARD:UTILITY,REWARD:UTILITY,...``.

    Examples
    --------
    >>> parse_aim("cvar=10%")
    CVaR(level=Fraction(1, 10))
    >>> [(str(x), str(u)) for x, u in parse_aim("table=0:0, 100:0.5").points]
    [('0', '0'), ('100', '1/2')]
    """
    kind, equals, number = (part.strip() for part in text.partition("="))
    if kind not in _KINDS:
        known = ", ".join(f"`{each}`" for each in _KINDS)
        hint = did_you_mean(kind, list(_KINDS))
        raise ValueError(f"there is no aim `{kind}`; there are {known}{hint}")
    make, sample = _KINDS[kind]
    if not equals or not number:
        raise ValueError(f"`{text}` lacks a number; write `{kind}={sample}`, say")
    return make(number)


def _table(text: str) -> UtilityTable:
    points = []
    for point in text.split(","):
        reward, colon, utility = point.partition(":")
        if not colon:
            raise ValueError(
                f"`{point.strip()}` is no point of a utility table; write "
                "`reward:utility`, such as `50:0.8`"
            )
        points.append((reward.strip(), utility.strip()))
    return UtilityTable(points)


_KINDS: Final[dict[str, tuple[Callable[[str], Aim], str]]] = {
    "cvar": (CVaR, "10%"),
    "at-least": (AtLeast, "50"),
    "at-most": (AtMost, "50"),
    "exponential": (ExponentialUtility, "100"),
    "table": (_table, "0:0,50:0.8,100:1"),
}
"""What makes each kind of aim, and what one may look like."""
