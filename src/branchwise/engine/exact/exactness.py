"""Exactness: when canonical states, found with floats, hold for exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

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
            _check("a cost", [cost.total(), problem.cost_weight.times(cost)])
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
