"""What separates plans: the numbers of those who get a plan, and of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

__all__ = ["NumberRange", "PlanRule", "best_rule", "number_ranges"]

Side = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class NumberRange:
    """
    One number among those who get a plan.

    Parameters
    ----------
    parameter
        Its name.
    low, mean, high
        The least, the mean and the most of it.
    """

    parameter: str
    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class PlanRule:
    """
    The single question that best separates those who get a plan.

    Parameters
    ----------
    parameter, side, threshold
        Is this number above, or below, this threshold?
    hits
        For which share of those who get the plan the answer is yes.
    false_alarms
        For which share of the others it is yes, too.
    """

    parameter: str
    side: Side
    threshold: float
    hits: float
    false_alarms: float

    @property
    def is_exact(self) -> bool:
        """Whether the question separates all of them."""
        return self.hits == 1 and self.false_alarms == 0


def number_ranges(
    parameters: Sequence[str], members: Sequence[Sequence[float]]
) -> tuple[NumberRange, ...]:
    """Return the range of every number among some individuals, each given by a row."""
    return tuple(
        NumberRange(name, min(column), sum(column) / len(column), max(column))
        for name, column in zip(parameters, zip(*members, strict=True), strict=True)
    )


def best_rule(
    parameters: Sequence[str],
    rows: Sequence[Sequence[float]],
    is_member: Sequence[bool],
) -> PlanRule | None:
    """
    Find the threshold of one number that best separates members from others.

    It is the one with the most hits less false alarms; None where nothing separates
    them at all, or there are no others.

    Examples
    --------
    >>> rule = best_rule(["P(a=ok)"], [[0.2], [0.4], [0.6]], [False, False, True])
    >>> rule.side, rule.threshold, rule.is_exact
    ('above', 0.5, True)
    """
    if all(is_member):
        return None
    best: PlanRule | None = None
    for place, name in enumerate(parameters):
        found = _cut(name, [row[place] for row in rows], is_member)
        if found and (best is None or _merit(found) > _merit(best)):
            best = found
    return best


def _merit(rule: PlanRule) -> float:
    return rule.hits - rule.false_alarms


def _cut(name: str, values: Sequence[float], member: Sequence[bool]) -> PlanRule | None:
    """Find the best threshold of one number."""
    order = sorted(range(len(values)), key=values.__getitem__)
    num_members = sum(member)
    num_others = len(values) - num_members
    best: PlanRule | None = None
    below = others_below = 0
    for before, after in pairwise(order):
        below += member[before]
        others_below += not member[before]
        if values[before] == values[after]:
            continue
        hits, alarms = below / num_members, others_below / num_others
        side: Side = "below" if hits >= alarms else "above"
        if side == "above":
            hits, alarms = 1 - hits, 1 - alarms
        if best is None or hits - alarms > _merit(best):
            threshold = _between(values[before], values[after])
            best = PlanRule(name, side, threshold, hits, alarms)
    return best


def _between(low: float, high: float) -> float:
    """Return the shortest number in the middle part of a gap."""
    if math.isinf(high):
        high = low + max(1.0, abs(low))  # Some have no limit: any number above will do.
    quarter = (high - low) / 4
    for digits in range(1, 17):
        rounded = float(f"{(low + high) / 2:.{digits}g}")
        if low + quarter <= rounded <= high - quarter:
            return rounded
    return (low + high) / 2
