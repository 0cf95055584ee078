"""
A brute force over problems whose states hold more than outcomes.

It goes by the meaning alone: every raw state, every available action, exact fractions.
Of the package it uses the problem and how a single condition is evaluated.
"""

import math
from fractions import Fraction
from functools import cache
from itertools import product

from branchwise.model.conditions.facts import Facts


class PlainForce:
    """The value of every raw state, and the fewest nodes of an optimal tree there."""

    def __init__(self, problem):
        self.problem = problem
        self.worlds = list(self._worlds())
        left = tuple(problem.budget.values())
        counters = tuple(counter.start for counter in problem.counters)
        weights = self._normal([likely for _, likely in self.worlds])
        self.root = ((), left, counters, weights, None)
        self.solved = cache(self._solved)

    def _worlds(self):
        """Every way the hidden facts may be, with its probability."""
        hidden = self.problem.hidden
        for labels in product(*(fact.labels for fact in hidden)):
            seen = dict(zip((fact.name for fact in hidden), labels, strict=True))
            likely = Fraction(1)
            for fact in hidden:
                had = {name: (label,) for name, label in seen.items()}
                outcomes = fact.outcomes
                for clause in fact.given:
                    if clause.when.holds(had):
                        outcomes = clause.outcomes or outcomes
                        break
                chances = {o.label: o.probability for o in outcomes}
                likely *= chances.get(seen[fact.name], 0)
            if likely:
                yield seen, likely

    @staticmethod
    def _normal(weights):
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    def facts(self, state, world=None):
        had = {}
        for (action, label), count in state[0]:
            had.setdefault(action, {})[label] = count
        for name, label in (world or {}).items():
            had[name] = {label: 1}
        names = [counter.name for counter in self.problem.counters]
        left = dict(zip(self.problem.budget, state[1], strict=True))
        counters = dict(zip(names, state[2], strict=True))
        return Facts(had, counters=counters, left=left)

    def reward(self, state):
        """What stopping pays, on average over what is not known."""
        if self.problem.is_least_cost:
            stuck = self.problem.unfinished
            worst = -math.inf if stuck is None else -stuck
            return Fraction(0) if self.is_finished(state) else worst
        if state[4] == "lose":
            return Fraction(0)
        total = Fraction(0)
        for (world, _), weight in zip(self.worlds, state[3], strict=True):
            facts = self.facts(state, world)
            paid = (reward.paid(facts) for reward in self.problem.rewards)
            values = [value for value in paid if value is not None]
            if self.problem.combine == "sum":
                total += weight * sum(values)
            else:
                total += weight * max([Fraction(0), *values])
        return total

    def is_finished(self, state):
        finish = self.problem.finish
        return finish is None or finish.holds(self.facts(state))

    def available(self, state):
        """Each action that can be taken, with its cost and (outcome, p, child)."""
        if state[4] is not None:
            return
        for action in self.problem.actions:
            facts = self.facts(state)
            taken = sum(facts.get(action.name, {}).values())
            if taken >= action.attempts or not action.requires.holds(facts):
                continue
            if action.precluded_by.holds(facts):
                continue
            terms = [action.as_of(self.facts(state, world)) for world, _ in self.worlds]
            cost = terms[0][0]
            most = [
                cost.of(r) + max(o.cost.of(r) for o in action.outcomes)
                for r in self.problem.budget
            ]
            if any(had < needs for had, needs in zip(state[1], most, strict=True)):
                continue
            yield action, cost, list(self._branches(state, action, cost, terms))

    def _branches(self, state, action, cost, terms):
        for outcome in action.outcomes:
            chances = [
                sum(o.probability for o in outcomes if o.label == outcome.label)
                for _, outcomes in terms
            ]
            joint = [w * p for w, p in zip(state[3], chances, strict=True)]
            if sum(joint) == 0:
                continue
            counts = dict(state[0])
            event = (action.name, outcome.label)
            counts[event] = counts.get(event, 0) + 1
            left = tuple(
                had - cost.of(r) - outcome.cost.of(r)
                for r, had in zip(self.problem.budget, state[1], strict=True)
            )
            counters = tuple(
                min(
                    max(
                        value
                        + action.effects.get(counter.name, 0)
                        + outcome.effects.get(counter.name, 0),
                        counter.low,
                    ),
                    counter.high,
                )
                for counter, value in zip(self.problem.counters, state[2], strict=True)
            )
            child = (
                tuple(sorted(counts.items())),
                left,
                counters,
                self._normal(joint),
                outcome.ends,
            )
            yield outcome, sum(joint), child

    def charge(self, cost):
        return self.problem.charge_weight.times(cost)

    def _solved(self, state):
        """The score, the fewest nodes, and the least expected cost of a best tree."""
        best = (self.reward(state), 1)
        options = []
        for _, cost, branches in self.available(state):
            score = -self.charge(cost)
            nodes = 1
            for outcome, likely, child in branches:
                worth, below = self.solved(child)
                score += likely * (worth - self.charge(outcome.cost))
                nodes += below
            options.append((score, nodes))
        may_stop = not options or self.is_finished(state)
        ways = [best, *options] if may_stop else options
        top = max(score for score, _ in ways)
        if may_stop and best[0] == top:
            return best
        return top, min(nodes for score, nodes in options if score == top)

    @property
    def value(self):
        return self.solved(self.root)[0]

    @property
    def num_nodes(self):
        return self.solved(self.root)[1]

    def num_states(self, most):
        """How many raw states there are, or more than `most`."""
        met, pending = {self.root}, [self.root]
        while pending and len(met) <= most:
            state = pending.pop()
            for _, _, branches in self.available(state):
                for _, _, child in branches:
                    if child not in met:
                        met.add(child)
                        pending.append(child)
        return len(met)
