"""Reward levels: what there is to reach, each with sets of its own."""

from dataclasses import dataclass
from fractions import Fraction

from branchwise.model.conditions.condition import Condition, any_of, negation
from branchwise.model.problem import Problem, Reward


@dataclass(frozen=True, slots=True)
class Level:
    """Something to reach."""

    value: Fraction  # What reaching it is worth
    when: Condition  # What must hold
    # The positions of the rewards that make it up, in the problem.
    rewards: tuple[int, ...]


def goal_of(reward: Reward) -> Condition:
    """Return what is to hold: a reward's condition, or the opposite of a penalty's."""
    return reward.when if reward.value > 0 else negation(reward.when)


def levels(problem: Problem) -> tuple[Level, ...]:
    """List the levels of a problem, the most valuable first."""
    # Where the best reward counts (``max``), a level is reached by any reward of its
    # value or more: a set that pays more is never cut off by a cheaper one that pays
    # less. Where rewards add up (``sum``), every reward is a level, and a penalty is
    # the level of making its condition false.
    rewards = [(i, r) for i, r in enumerate(problem.rewards) if r.value]
    if problem.combine == "sum":
        found = [Level(abs(r.value), goal_of(r), (i,)) for i, r in rewards]
        return tuple(sorted(found, key=lambda level: -level.value))
    found = []
    for value in sorted({r.value for _, r in rewards}, reverse=True):
        reached = [(i, r) for i, r in rewards if r.value >= value]
        when = any_of(*(r.when for _, r in reached))
        found.append(Level(value, when, tuple(i for i, _ in reached)))
    return tuple(found)
