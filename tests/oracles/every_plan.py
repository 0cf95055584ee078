"""Every plan of a tiny document, as what it may end with: a brute force by the oracle.

A plan is told by its distribution: a tuple of (net reward, probability), by rising net
reward. Plans with the same distribution are one here.
"""

import itertools
from fractions import Fraction
from functools import cache

from oracles.oracle import Oracle


class TooManyPlansError(Exception):
    """There are more plans than anybody would try."""


def every_plan(document, most=500):
    """The distributions of the net reward that some plan has."""
    oracle = Oracle(document)

    @cache
    def plans(state, charged):
        found = {((Fraction(oracle.reward(state)) - charged, Fraction(1)),)}
        for step in oracle.steps(state):
            paid = zip(oracle.weights, step.cost, strict=True)
            total = charged + sum(weight * cost for weight, cost in paid)
            probabilities = [p for p, _ in step.children.values()]
            below = [plans(child, total) for _, child in step.children.values()]
            for choice in itertools.product(*below):
                found.add(joined(probabilities, choice))
                if len(found) > most:
                    raise TooManyPlansError
        return found

    return plans(oracle.root, Fraction(0))


def joined(probabilities, distributions):
    """What follows an action whose outcomes have these probabilities and children."""
    total = {}
    for weight, distribution in zip(probabilities, distributions, strict=True):
        for reward, probability in distribution:
            total[reward] = total.get(reward, 0) + weight * probability
    return tuple(sorted(total.items()))


def mean(plan):
    return sum(reward * probability for reward, probability in plan)


def at_least(plan, wanted):
    return sum(probability for reward, probability in plan if reward >= wanted)


def cvar(plan, level):
    """The mean of the worst share: each case counts as far as the share reaches."""
    left, total = Fraction(level), Fraction(0)
    for reward, probability in plan:
        part = min(left, probability)
        total, left = total + part * reward, left - part
    return total / Fraction(level)


def expected(plan, utility):
    return sum(utility(reward) * probability for reward, probability in plan)
