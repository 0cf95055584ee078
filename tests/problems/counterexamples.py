"""Problems that a pruning rule once got wrong, each with its right value and nodes.

All of them are about an action that no minimal rewarding set needs, and that an optimal
plan takes nevertheless, because it opens a gate earlier or for less.
"""

from collections import namedtuple
from fractions import Fraction

from branchwise import read_text

# The problem, its value and its fewest nodes; the action that was dropped; and the
# value that was said, or None where only the nodes were wrong.
Counterexample = namedtuple("Counterexample", "text value nodes opener said")

COUNTEREXAMPLES = {
    "a cheap opener saves the budget": Counterexample(
        """
        budget: 5
        actions:
          x: {cost: 3, outcomes: {fail: 0.1, ok: 0.9}}
          y: {cost: 1, outcomes: {fail: 0.01, ok: 0.99}}
          g: {cost: 1, requires: x=ok or y=ok, outcomes: {fail: 0.5, ok: 0.5}}
          z: {cost: 3, outcomes: {fail: 0.5, ok: 0.5}}
        rewards: [{when: x=ok and g=ok, value: 100}, {when: z=ok, value: 100}]
        """,
        Fraction(349, 5),
        11,
        "y",
        Fraction("50"),
    ),
    "all actions cost one": Counterexample(
        """
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
        """,
        Fraction(1071729, 16000),
        23,
        "y",
        Fraction("52.8869"),
    ),
    "the opener is free and pays a little": Counterexample(
        """
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
        """,
        Fraction(77, 6),
        11,
        "b",
        Fraction("10.1667"),
    ),
    "spending counts and the budget does not bind": Counterexample(
        """
        actions:
          b: {cost: 0, outcomes: {x: 1/3, y: 2/3}}
          c: {cost: 200, outcomes: {p: 0.5, r: 0.5}}
          a: {cost: 1, requires: b=y or c=p, outcomes: {hit: 0.5, miss: 0.5}}
        rewards: [{when: a=hit and c=p, value: 1000}, {when: b=x, value: 1}]
        cost_weight: 1
        """,
        Fraction(1393, 12),
        11,
        "b",
        Fraction("49.75"),
    ),
    "the opener is free": Counterexample(
        """
        budget: 4
        actions:
          b: {cost: 0, outcomes: {x: 1/3, y: 2/3}}
          c: {cost: 2, outcomes: {p: 0.5, r: 0.5}}
          a: {cost: 1, requires: b=y or c=p, outcomes: {hit: 0.1, miss: 0.9}}
          d: {cost: 3, outcomes: {win: 0.5, lose: 0.5}}
        rewards: [{when: a=hit and c=p, value: 100}, {when: d=win, value: 20}]
        """,
        Fraction(38, 3),
        11,
        "b",
        Fraction("10"),
    ),
    "attempts and spending": Counterexample(
        """
        budget: 5
        actions:
          d: {cost: 3, outcomes: {x: 0.1, y: 0.9}}
          c: {requires: a=x or b=x, outcomes: {x: 0.99, y: 0.01}}
          b: {cost: 0, outcomes: {x: 0.7, y: 0.3}}
          a: {cost: 3, attempts: 2, outcomes: {x: 0.99, y: 0.01}}
        rewards: [{when: a=x and c=x, value: 100}, {when: d=x, value: 20}]
        cost_weight: 5
        """,
        Fraction(7813, 100),
        11,
        "b",
        Fraction("78.06"),
    ),
    "rewards on top of each other": Counterexample(
        """
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
        """,
        Fraction(57857, 4000),
        21,
        "b",
        Fraction("14.2675"),
    ),
    "the opener saves nodes": Counterexample(
        """
        actions:
          a0: {outcomes: {x: 1/3, y: 2/3}}
          a1: {outcomes: {p: 0.3, q: 0.3, r: 0.4}}
          a2: {requires: a0 or a1=p or a1=q or a0=x, outcomes: {hit: 0.1, miss: 0.9}}
        rewards:
          - {when: a2=hit and (a1=p or a1=q), value: 1}
          - {when: a0=x and a2=hit, value: 100}
        """,
        Fraction(253, 75),
        10,
        "a0",
        None,
    ),
    "spending counts, and all actions cost one": Counterexample(
        """
        actions:
          a0: {outcomes: {x: 1/3, y: 2/3}}
          a1: {outcomes: {p: 0.3, q: 0.3, r: 0.4}}
          a2: {requires: a0 or a1=p or a1=q or a0=x, outcomes: {hit: 0.1, miss: 0.9}}
        rewards:
          - {when: a2=hit and (a1=p or a1=q), value: 1}
          - {when: a0=x and a2=hit, value: 100}
        cost_weight: 0.01
        """,
        Fraction(5029, 1500),
        10,
        "a0",
        Fraction("3.3514"),
    ),
}


WRONG_VALUES = [name for name, case in COUNTEREXAMPLES.items() if case.said is not None]


def counterexample(name):
    """The problem of that name, its value and its fewest nodes."""
    case = COUNTEREXAMPLES[name]
    return read_text(case.text, format="yaml"), case.value, case.nodes
