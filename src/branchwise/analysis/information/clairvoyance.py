"""Clairvoyance: what problems are worth if some outcomes are known before."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from random import Random
from typing import Final

from branchwise.analysis.information.lots import Lot, lots_of
from branchwise.model.action import Action
from branchwise.model.problem import Problem
from branchwise.tree.evaluate import evaluate
from branchwise.tree.solution import Solution

__all__ = ["Estimate", "foreknown"]

_SEED: Final = "what would be known"

Values = Callable[[Iterable[Problem]], list[float]]
"""Returns what problems are worth."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """
    A mean over what may come to be known.

    Parameters
    ----------
    value
        The mean.
    standard_error
        How far it is likely to be off: 0 where every case was looked at, and never less
        than what one case more could change.
    num_cases
        How many cases were looked at.
    """

    value: float
    standard_error: float
    num_cases: int


def foreknown(
    problem: Problem,
    actions: Sequence[str],
    values: Values,
    *,
    plan: Solution,
    most_cases: int,
    num_samples: int,
) -> Estimate:
    """
    Return what a problem is worth if the lots of some actions are known before.

    Parameters
    ----------
    problem
        A problem whose actions are taken at most once.
    actions
        Whose lots are known.
    values
        Returns what problems are worth.
    plan
        The best plan without that knowledge.
    most_cases
        Where there are more cases, some are drawn by chance instead, always the same.
    num_samples
        How many of them.
    """
    lots = [lots_of(problem.action(name)) for name in actions]
    if math.prod(map(len, lots)) > most_cases:
        draws = _draws(problem, lots, num_samples)
        return _sampled(draws, values(draws), plan)
    cases = list(product(*lots))
    found = values([_known(problem, (lot.action for lot in case)) for case in cases])
    weights = [float(math.prod(lot.probability for lot in case)) for case in cases]
    mean = math.fsum(w * v for w, v in zip(weights, found, strict=True))
    return Estimate(mean, 0.0, len(cases))


def _sampled(
    draws: Sequence[Problem], values: Sequence[float], plan: Solution
) -> Estimate:
    """
    Estimate from some cases what knowing adds to what the plan earns in each of them.

    What the plan earns on average is known exactly, and much of what one case differs
    from another is chance that both share.
    """
    earned = (float(evaluate(plan.tree, draw)) for draw in draws)
    gains = [value - own for value, own in zip(values, earned, strict=True)]
    mean = math.fsum(gains) / len(gains)
    squares = math.fsum((gain - mean) ** 2 for gain in gains)
    error = math.sqrt(squares / (len(gains) - 1) / len(gains))
    # A gain so rare that no case has it must not make the error look like nothing.
    error = max(error, _spread(draws[0]) / len(gains))
    return Estimate(float(plan.expected_reward) + mean, error, len(gains))


def _spread(problem: Problem) -> float:
    """Return how far two final rewards can lie apart, at most."""
    sizes = [abs(float(reward.value)) for reward in problem.rewards]
    return sum(sizes) if problem.combine == "sum" else max(sizes, default=0.0)


def _draws(
    problem: Problem, lots: Sequence[Sequence[Lot]], number: int
) -> list[Problem]:
    random = Random(_SEED)
    return [_known(problem, _drawn(lots, random)) for _ in range(number)]


def _drawn(lots: Sequence[Sequence[Lot]], random: Random) -> Iterator[Action]:
    for some in lots:
        ends = list(accumulate(float(lot.probability) for lot in some))
        yield some[min(bisect(ends, random.random()), len(some) - 1)].action


def _known(problem: Problem, drawn: Iterable[Action]) -> Problem:
    for action in drawn:
        problem = problem.with_action(action)
    return problem
