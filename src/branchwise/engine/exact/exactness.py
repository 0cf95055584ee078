"""Exactness: when canonical states, found with floats, hold for exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from branchwise.engine.hidden_groups import Signals
from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.space.problem_space import clauses

# Floats between these are as fine as floats can be, and so are their products.
_LEAST: Final = Fraction(1, 10**250)
_MOST: Final = Fraction(10**250)


def check_exactness(problem: Problem) -> None:
    """Raise a `LimitError` where floats cannot tell what may happen or pays more."""
    # Which states there are depends on what is possible at all and on which reward is
    # worth more than which: there each fraction needs a float of its own. Elsewhere
    # rounding is allowed for.
    for action in problem.actions:
        for _, cost, outcomes in clauses(action):
            _check("a probability", (o.probability for o in outcomes))
            _check("a cost", [cost.total(), problem.charge_weight.times(cost)])
    if problem.hidden:
        _check_knowledge(problem)
    values = {reward.value for reward in problem.rewards}
    _check("a reward", values)
    if problem.combine != "sum" and len({float(value) for value in values}) < len(
        values
    ):
        raise LimitError(
            "two rewards are so close that floats cannot tell them apart, which only "
            "the engine `reference` can"
        )


def _check(what: str, numbers: Iterable[Fraction]) -> None:
    for number in numbers:
        if number and not _LEAST < abs(number) < _MOST:
            raise LimitError(
                f"{what} is too large or too small for a float, without which only the "
                "engine `reference` computes"
            )


def _check_knowledge(problem: Problem) -> None:
    """Do the same where hidden facts decide what may happen."""
    signals = Signals(problem, 0)
    smallest = dict[int, float]()  # By group, the logarithm of the least there may be
    for number, group in enumerate(signals.groups.groups):
        weights = [each.probability for each in group.assignments]
        _check("a probability", weights)
        smallest[number] = math.log10(min(filter(None, weights)))
    for (about, signal), times in signals.sizes.items():
        _check("a probability", signal)
        smallest[about] += times * math.log10(min(filter(None, signal)))
    if any(each < math.log10(_LEAST) for each in smallest.values()):
        raise LimitError(
            "what is known of hidden facts may become too unlikely for a float, "
            "without which only the engine `reference` computes"
        )
