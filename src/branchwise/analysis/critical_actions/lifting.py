"""Lifting: what problems gain without one of their prerequisites or preclusions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

from branchwise.analysis.what_if import WhatIfs
from branchwise.engine.canonical_run import Bounds
from branchwise.model.action import Action
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Condition,
    Leaf,
    negation,
    rebuilt,
)
from branchwise.model.problem import Problem

# Answers must not depend on the number of threads, so states are counted after as many.
_AT_A_TIME: Final = 16

# No lift may take more than this part of all states.
_LARGEST_PART: Final = 8

Kind = Literal["requires", "precluded_by"]


class Lift(NamedTuple):
    """Something that stands in the way of an action, and the problem without it."""

    action: str  # what it stands in the way of
    kind: Kind  # whether it is a prerequisite or a preclusion
    # What is lifted: all of the condition, or one fact in it, as it stands there: `not
    # a` where it must not hold.
    condition: Condition
    is_whole: bool  # whether it is all of it
    problem: Problem  # the problem without it


def lifts(problem: Problem) -> Iterator[Lift]:
    """
    Return all that can be lifted, one at a time: whole conditions, and each fact.

    A fact without which nothing is left of its condition is not listed apart from it:
    of `a or b` each is enough.
    """
    for action in problem.actions:
        yield from _lifts(problem, action, "requires", action.requires)
        yield from _lifts(problem, action, "precluded_by", action.precluded_by)


def _lifts(
    problem: Problem, action: Action, kind: Kind, condition: Condition
) -> Iterator[Lift]:
    nothing = ALWAYS if kind == "requires" else NEVER
    if condition == nothing:
        return

    def lift(lifted: Condition, left: Condition, *, is_whole: bool) -> Lift:
        change: dict[str, Any] = {kind: left}
        changed = problem.with_action(replace(action, **change))
        return Lift(action.name, kind, lifted, is_whole, changed)

    yield lift(condition, nothing, is_whole=True)
    for fact in dict.fromkeys(condition.leaves()):
        left, signs = _granted(condition, fact, 1 if kind == "requires" else -1)
        if left != nothing:
            lifted = negation(fact) if signs == {-1} else fact
            yield lift(lifted, left, is_whole=False)


def _granted(condition: Condition, fact: Leaf, wish: int) -> tuple[Condition, set[int]]:
    """
    Return the condition with a fact counted, wherever it is named, as it helps.

    And how it is named: as what holds (1), as what does not (-1), or both.
    """
    signs: set[int] = set()

    def counted(each: Leaf, sign: int) -> Condition:
        if each != fact:
            return each
        signs.add(sign)
        return ALWAYS if sign == wish else NEVER

    return rebuilt(condition, counted), signs


def lift_gains(
    what_ifs: WhatIfs,
    lifts: Sequence[Lift],
    weights: Mapping[str, float],
    most_states: int | None,
) -> list[Bounds]:
    """
    Return what each lift gains at least and at most.

    A lifted condition makes new states, so these what-ifs are solved afresh, those of
    the weightiest actions first, within so many states for all of them. The whole of a
    condition gains no less than a fact in it: where that is nothing, so are the facts.
    """
    found: dict[int, Bounds] = {}
    wholes = {(e.action, e.kind): n for n, e in enumerate(lifts) if e.is_whole}
    ceiling = Bounds(0.0, _ceiling(what_ifs))
    order = sorted(
        range(len(lifts)),
        key=lambda n: (not lifts[n].is_whole, -weights.get(lifts[n].action, 0.0)),
    )
    left = most_states
    # What is whole comes in parts before its facts.
    for first in range(0, len(order), _AT_A_TIME):
        some = order[first : first + _AT_A_TIME]
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
        if (left is not None and left <= 0) or what_ifs.deadline.is_over:
            asked = []
        most = most_states and max(1, most_states // _LARGEST_PART)
        bounded = what_ifs.bounds([lifts[n].problem for n in asked], most)
        for n, (bounds, num_states) in zip(asked, bounded, strict=True):
            gain = what_ifs.gain_between(bounds)
            found[n] = Bounds(gain.lower, min(gain.upper, limits[n].upper))
            left = None if left is None else left - num_states
        found |= {n: found[above[n]] for n in alike}
    return [found[n] for n in range(len(lifts))]


def _ceiling(what_ifs: WhatIfs) -> float:
    """Return what no change of the rules can gain more than."""
    values = [max(0.0, float(reward.value)) for reward in what_ifs.problem.rewards]
    is_sum = what_ifs.problem.combine == "sum"
    most = sum(values) if is_sum else max(values, default=0.0)
    return max(0.0, most - what_ifs.expected_reward)
