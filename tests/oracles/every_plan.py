"""Every plan of a tiny document, as what it may end with: a brute force by the oracle.

A plan is told by its distribution: a tuple of (net reward, probability), by rising net
reward. Plans with the same distribution are one here.
"""

import itertools
import math
from fractions import Fraction
from functools import cache

from oracles.oracle import Oracle


class TooManyPlansError(Exception):
    """There are more plans than anybody would try."""


def every_plan(document, most=500):
    """The distributions of the net reward that some plan has."""
    oracle = Oracle(document)

    def weighed(costs):
        return sum(w * cost for w, cost in zip(oracle.weights, costs, strict=True))

    @cache
    def plans(state, charged):
        found = {stopped(oracle, state, charged)} if oracle.may_stop(state) else set()
        for step in oracle.steps(state):
            extras = oracle.outcome_costs(step.action)
            extra = {outcome: weighed(extras[outcome]) for outcome in step.children}
            # What the step costs on average, less what its outcomes do.
            own = weighed(step.cost)
            own -= sum(p * extra[o] for o, (p, _) in step.children.items())
            probabilities = [p for p, _ in step.children.values()]
            below = [
                plans(child, charged + own + extra[outcome])
                for outcome, (_, child) in step.children.items()
            ]
            for choice in itertools.product(*below):
                found.add(joined(probabilities, choice))
                if len(found) > most:
                    raise TooManyPlansError
        return found

    allowed = plans(oracle.root, Fraction(0))
    # What must not be left unfinished is no plan.
    return {plan for plan in allowed if plan[0][0] > -math.inf}


def stopped(oracle, state, charged):
    """What stopping may pay: with hidden facts, something for each way they may be."""
    ways = [p for p in state.belief if p]
    if len(ways) == 1 or oracle.is_cost or state.ended == "lose":
        return ((oracle.reward(state) - charged, Fraction(1)),)
    paid = {}
    for p, (way, _) in zip(state.belief, oracle.ways, strict=True):
        net = oracle.reward_if(state, way) - charged
        paid[net] = paid.get(net, 0) + p
    return tuple(sorted((net, p) for net, p in paid.items() if p))


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
