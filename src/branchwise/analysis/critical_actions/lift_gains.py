"""What lifting conditions gains: proven where that can be had, between bounds else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from branchwise.analysis.critical_actions.lifting import Lift
from branchwise.analysis.what_if import WhatIfs
from branchwise.engine.canonical_run import Bounds
from branchwise.model.problem import Problem

__all__ = ["lift_gains"]

# Answers must not depend on the number of threads, so states are counted after as many.
_AT_A_TIME: Final = 16

# No lift may take more than this part of all states.
_LARGEST_PART: Final = 8


def lift_gains(
    what_ifs: WhatIfs,
    lifts: Sequence[Lift],
    weights: Mapping[str, float],
    most_states: int | None,
) -> list[Bounds]:
    """
    Tell what each lift gains at least and at most.

    A lifted condition makes new states, so these what-ifs are solved afresh. The whole
    of a condition gains no less than one fact in it: where that is nothing, so are
    the facts.

    Parameters
    ----------
    what_ifs
        The problem, and how long it may take.
    lifts
        What is lifted.
    weights
        How much each action matters: conditions of the weightiest come first.
    most_states
        How many states all of them may take; None for as many as there are.
    """
    found: dict[int, Bounds] = {}
    wholes = {(e.action, e.kind): n for n, e in enumerate(lifts) if e.is_whole}
    ceiling = Bounds(0.0, _ceiling(what_ifs))
    order = sorted(
        range(len(lifts)),
        key=lambda n: (not lifts[n].is_whole, -weights.get(lifts[n].action, 0.0)),
    )
    left = most_states
    for some in _portions(order):
        above = {n: wholes[lifts[n].action, lifts[n].kind] for n in some}
        limits = {n: found.get(above[n], ceiling) for n in some}
        found |= {n: Bounds(0.0, limits[n].upper) for n in some}
        # One fact of several that would do is as good as all of the condition.
        alike = [
            n
            for n in some
            if n != above[n] and lifts[n].problem == lifts[above[n]].problem
        ]
        asked = [n for n in some if limits[n].upper > 0 and n not in alike]
        if (left is not None and left <= 0) or what_ifs.is_out_of_time:
            asked = []
        most = most_states and max(1, most_states // _LARGEST_PART)
        told = what_ifs.bounds([lifts[n].problem for n in asked], most)
        for n, (bounds, num_states) in zip(asked, told, strict=True):
            gain = what_ifs.gain_between(bounds)
            found[n] = Bounds(gain.lower, min(gain.upper, limits[n].upper))
            left = None if left is None else left - num_states
        found |= {n: found[above[n]] for n in alike}
    return [found[n] for n in range(len(lifts))]


def _portions(order: Sequence[int]) -> Iterable[Sequence[int]]:
    """Cut the order into parts; what is whole comes in parts before its facts."""
    for first in range(0, len(order), _AT_A_TIME):
        yield order[first : first + _AT_A_TIME]


def _ceiling(what_ifs: WhatIfs) -> float:
    """Give what no change of the rules can gain more than."""
    problem: Problem = what_ifs.problem
    values = [max(0.0, float(reward.value)) for reward in problem.rewards]
    most = sum(values) if problem.combine == "sum" else max(values, default=0.0)
    return max(0.0, most - float(what_ifs.solution.expected_reward))
