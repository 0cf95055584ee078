"""
Problems whose best plan takes an action that belongs to no smallest rewarding set.

The canonical engine once called lesser plans of them proven optimal. Each says what is
right, as the reference engine and the brute force find, and what was said instead.
"""

from fractions import Fraction
from typing import NamedTuple

__all__ = ["OPENED_SOONER", "OpenedSooner"]


class OpenedSooner(NamedTuple):
    """A problem, the action that was dropped, what is right and what was said."""

    text: str
    opener: str
    right: Fraction
    wrong: Fraction


# Taking y first, for 1, lets g be tried before the dear x. Where g fails, 3 are left
# for z: 0.99 (0.5 * 90 + 0.5 * 50) + 0.01 * 50 = 69.8, and z alone is worth 50.
UNEQUAL_COSTS = """
budget: 5
actions:
  x: {cost: 3, outcomes: {fail: 0.1, ok: 0.9}}
  y: {cost: 1, outcomes: {fail: 0.01, ok: 0.99}}
  g: {cost: 1, requires: x=ok or y=ok, outcomes: {fail: 0.5, ok: 0.5}}
  z: {cost: 3, outcomes: {fail: 0.5, ok: 0.5}}
rewards: [{when: x=ok and g=ok, value: 100}, {when: z=ok, value: 100}]
"""

UNIT_COSTS = """
budget: 5
actions:
  x1: {outcomes: {fail: 0.05, ok: 0.95}}
  x2: {requires: x1=ok, outcomes: {fail: 0.05, ok: 0.95}}
  x: {requires: x2=ok, outcomes: {fail: 0.05, ok: 0.95}}
  y: {outcomes: {fail: 0.01, ok: 0.99}}
  g: {requires: x=ok or y=ok, outcomes: {fail: 0.5, ok: 0.5}}
  z1: {outcomes: {fail: 0.1, ok: 0.9}}
  z2: {requires: z1=ok, outcomes: {fail: 0.1, ok: 0.9}}
  z: {requires: z2=ok, outcomes: {fail: 0.4, ok: 0.6}}
rewards: [{when: x=ok and g=ok, value: 100}, {when: z=ok, value: 100}]
"""

A_REWARD_OF_ITS_OWN = """
budget: 4
actions:
  b: {cost: 0, outcomes: {x: 1/3, y: 2/3}}
  c: {cost: 2, outcomes: {p: 0.5, r: 0.5}}
  a: {cost: 1, requires: b=y or c=p, outcomes: {hit: 0.1, miss: 0.9}}
  d: {cost: 3, outcomes: {win: 0.5, lose: 0.5}}
rewards:
  - {when: a=hit and c=p, value: 100}
  - {when: b=x, value: 1}
  - {when: d=win, value: 20}
"""

A_COST_WEIGHT = """
actions:
  b: {cost: 0, outcomes: {x: 1/3, y: 2/3}}
  c: {cost: 200, outcomes: {p: 0.5, r: 0.5}}
  a: {cost: 1, requires: b=y or c=p, outcomes: {hit: 0.5, miss: 0.5}}
rewards: [{when: a=hit and c=p, value: 1000}, {when: b=x, value: 1}]
cost_weight: 1
"""

A_FREE_OPENER = """
budget: 4
actions:
  b: {cost: 0, outcomes: {x: 1/3, y: 2/3}}
  c: {cost: 2, outcomes: {p: 0.5, r: 0.5}}
  a: {cost: 1, requires: b=y or c=p, outcomes: {hit: 0.1, miss: 0.9}}
  d: {cost: 3, outcomes: {win: 0.5, lose: 0.5}}
rewards: [{when: a=hit and c=p, value: 100}, {when: d=win, value: 20}]
"""

REPEATS = """
budget: 5
actions:
  d: {cost: 3, outcomes: {x: 0.1, y: 0.9}}
  c: {requires: a=x or b=x, outcomes: {x: 0.99, y: 0.01}}
  b: {cost: 0, outcomes: {x: 0.7, y: 0.3}}
  a: {cost: 3, attempts: 2, outcomes: {x: 0.99, y: 0.01}}
rewards: [{when: a=x and c=x, value: 100}, {when: d=x, value: 20}]
cost_weight: 5
"""

REWARDS_ON_TOP = """
budget: 2
actions:
  b: {cost: 0, outcomes: {x: 0.1, y: 0.9}}
  e: {outcomes: {x: 0.95, y: 0.05}}
  c: {cost: 0, requires: a=x or b=x, outcomes: {x: 0.05, y: 0.95}}
  d: {requires: c=x and a=x, outcomes: {x: 0.5, y: 0.5}}
  a: {outcomes: {x: 0.9, y: 0.1}}
rewards:
  - {when: a=x, value: 10}
  - {when: a=x and c=x, value: 40}
  - {when: c=x and d=x, value: 100}
  - {when: e=x, value: 20}
cost_weight: 5
"""

# Here a0 opens a2 whatever comes of it, before a1 is taken.
OPENED_ANYHOW = """
actions:
  a0: {outcomes: {x: 1/3, y: 2/3}}
  a1: {outcomes: {p: 0.3, q: 0.3, r: 0.4}}
  a2: {requires: a0 or a1=p or a1=q or a0=x, outcomes: {hit: 0.1, miss: 0.9}}
rewards:
  - {when: a2=hit and (a1=p or a1=q), value: 1}
  - {when: a0=x and a2=hit, value: 100}
cost_weight: 0.01
"""

OPENED_SOONER = {
    "unequal costs": OpenedSooner(UNEQUAL_COSTS, "y", Fraction("69.8"), Fraction("50")),
    "unit costs": OpenedSooner(
        UNIT_COSTS, "y", Fraction("66.9830625"), Fraction("52.8869")
    ),
    "a reward of its own": OpenedSooner(
        A_REWARD_OF_ITS_OWN, "b", Fraction(77, 6), Fraction("10.1667")
    ),
    "a cost weight": OpenedSooner(
        A_COST_WEIGHT, "b", Fraction(1393, 12), Fraction("49.75")
    ),
    "a free opener": OpenedSooner(A_FREE_OPENER, "b", Fraction(38, 3), Fraction("10")),
    "repeats": OpenedSooner(REPEATS, "b", Fraction("78.13"), Fraction("78.06")),
    "opened anyhow": OpenedSooner(
        OPENED_ANYHOW, "a0", Fraction(5029, 1500), Fraction("3.3514")
    ),
    "rewards on top": OpenedSooner(
        REWARDS_ON_TOP, "b", Fraction("14.46425"), Fraction("14.2675")
    ),
}
