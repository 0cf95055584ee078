"""Lifting: problems without one of their prerequisites or preclusions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from branchwise.model.action import Action
from branchwise.model.condition import (
    ALWAYS,
    NEVER,
    AllOf,
    AnyOf,
    Attempted,
    Condition,
    Happened,
    Not,
    all_of,
    any_of,
    negation,
)
from branchwise.model.problem import Problem

__all__ = ["Kind", "Lift", "lifts"]

Kind = Literal["requires", "precluded_by"]


class Lift(NamedTuple):
    """
    Something that stands in the way of an action, and the problem without it.

    Parameters
    ----------
    action
        What it stands in the way of.
    kind
        Whether it is a prerequisite or a preclusion.
    condition
        What is lifted: all of the condition, or one fact in it, as it stands there:
        `not a` where it must not hold.
    is_whole
        Whether it is all of it.
    problem
        The problem without it.
    """

    action: str
    kind: Kind
    condition: Condition
    is_whole: bool
    problem: Problem


def lifts(problem: Problem) -> Iterator[Lift]:
    """
    Give all that can be lifted, one at a time: whole conditions, and each fact.

    A fact without which nothing is left of its condition is not told apart from it: of
    `a or b` each is enough.
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
    facts = list(dict.fromkeys(condition.mentions()))

    def lift(lifted: Condition, left: Condition, *, is_whole: bool) -> Lift:
        freed = (
            replace(action, requires=left)
            if kind == "requires"
            else replace(action, precluded_by=left)
        )
        changed = problem.with_action(freed)
        return Lift(action.name, kind, lifted, is_whole, changed)

    yield lift(condition, nothing, is_whole=True)
    for fact in facts:
        left = _granted(condition, fact, is_to_hold=kind == "requires")
        if left != nothing:
            is_against = _signs(condition, fact) == {False}
            lifted = negation(fact) if is_against else fact
            yield lift(lifted, left, is_whole=False)


def _signs(
    condition: Condition, fact: Happened | Attempted, *, sign: bool = True
) -> set[bool]:
    """Tell how a condition names a fact: as what holds, as what does not, or both."""
    match condition:
        case Not(inner):
            return _signs(inner, fact, sign=not sign)
        case AllOf(parts) | AnyOf(parts):
            return {found for p in parts for found in _signs(p, fact, sign=sign)}
    return {sign} if condition == fact else set()


def _granted(
    condition: Condition, fact: Happened | Attempted, *, is_to_hold: bool
) -> Condition:
    """Let a fact count, wherever it is named, as what helps the condition's purpose."""
    match condition:
        case Not(inner):
            return negation(_granted(inner, fact, is_to_hold=not is_to_hold))
        case AllOf(parts):
            return all_of(*(_granted(p, fact, is_to_hold=is_to_hold) for p in parts))
        case AnyOf(parts):
            return any_of(*(_granted(p, fact, is_to_hold=is_to_hold) for p in parts))
    if condition == fact:
        return ALWAYS if is_to_hold else NEVER
    return condition
