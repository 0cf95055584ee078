"""
The worth of foresight by brute force: the oracle, with an idea of what will happen.

Every attempt has a number from 0 to 1, drawn beforehand. Whatever counts when it is
made lay their outcomes side by side, in the order of the action, and the number says
which one happens.
"""

import itertools
from fractions import Fraction
from functools import cache

from oracles.oracle import Oracle, possible

__all__ = ["Foresight", "outcome_at", "ranges_of"]


class Foresight:
    """
    The best that can be expected with an idea of how some attempts would come out.

    Parameters
    ----------
    document
        The problem.
    action
        The action of which something is known.
    beliefs
        For each of its attempts, the numbers from 0 to 1 that it may have: for each
        range, by its lower end, how likely it is.
    """

    def __init__(self, document, action, beliefs):
        self.oracle = Oracle(document)
        self.action = action
        self.beliefs = beliefs

        self.best = cache(self.best)

    def value(self):
        return self.best(self.oracle.root)

    def best(self, state):
        gains = (self.gain(state, step) for step in self.oracle.steps(state))
        return max([self.oracle.reward(state), *gains])

    def gain(self, state, step):
        attempt = self.oracle.count(state, step.action)
        children = step.children
        if step.action == self.action and attempt < len(self.beliefs):
            probabilities = self.probabilities(step, self.beliefs[attempt])
            children = {o: (p, children[o][1]) for o, p in probabilities.items()}
        paid = zip(self.oracle.weights, step.cost, strict=True)
        return sum(p * self.best(child) for p, child in children.values()) - sum(
            weight * cost for weight, cost in paid
        )

    def probabilities(self, step, belief):
        probabilities = dict.fromkeys(step.children, Fraction(0))
        table = {o: p for o, (p, _) in step.children.items()}
        for low, weight in belief.items():
            probabilities[outcome_at(self.oracle.actions[step.action], table, low)] += (
                weight
            )
        return probabilities


def outcome_at(body, probabilities, place):
    """Lay outcomes side by side, in the order of the action; say which is there."""
    reached = Fraction(0)
    for label in body["outcomes"]:
        reached += probabilities.get(label, 0)
        if place < reached:
            return label
    raise AssertionError("probabilities sum to one")


def ranges_of(body):
    """Cut 0 to 1 wherever an outcome ends in any variant: low ends and widths."""
    tables = [body, *(g for g in body.get("given", ()) if "outcomes" in g)]
    ends = {Fraction(0)}
    for table in tables:
        probabilities, total = possible(table["outcomes"]), Fraction(0)
        for label in body["outcomes"]:
            total += probabilities.get(label, 0)
            ends.add(total)
    return {low: high - low for low, high in itertools.pairwise(sorted(ends))}
