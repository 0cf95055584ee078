"""The answer to a problem document by brute force again, quick enough for millions.

It visits every raw state as `oracle.py` does, but computes with floats, and a state is
two whole numbers: how often each outcome has come up, and what is left. It shares no
code with the package; `test_quick_oracle.py` compares it with the exact oracle.
"""

import math
from collections import namedtuple
from contextlib import suppress
from functools import cache

from oracles.oracle import literal, number, possible

WIDTH = 8  # bits for how often something that can be repeated has come up
# Of the largest reward: values that differ by less are tied. What differs by about as
# much may or may not be, and what by far less only by rounding.
TIE = 1e-12
NEAR_TIE = (1e-14, 1e-10)

# What an action is while `when` holds; by outcome that can happen its probability,
# what to add to the state, and its place among all outcomes.
Offer = namedtuple("Offer", "when price charge cost probabilities")
Measures = namedtuple("Measures", "nodes depth cost actions")


class TooManyStatesError(Exception):
    """There are more states than were allowed."""


def attempts(body):
    written = body.get("attempts", 1)
    return math.inf if written == "unlimited" else int(number(written))


@cache
def chances_of(outcomes):
    return {o: float(p) for o, p in possible(dict(outcomes)).items()}


class QuickOracle:
    """
    Brute force over the raw states of a document.

    `worked_out(state)` is the value and the fewest nodes of an optimal tree; a state
    is a pair of whole numbers, and `root` the first one. Where `has_near_ties`, two
    values that were met are so close that floats cannot tell whether they are tied.
    """

    def __init__(self, doc, most_states=math.inf):
        self.doc, self.most_states = doc, most_states
        budget = doc["budget"]
        self.budget = budget if isinstance(budget, dict) else {"": budget}
        self.weights = self._per_resource(doc.get("cost_weight", 0))
        self._lay_out()
        self._scale()
        self._read_rewards()
        self.rules = [self._rule(i, a) for i, a in enumerate(doc["actions"].items())]
        self.known, self.measured = {}, {}
        self.least_near, self.most_near = (self.scale * near for near in NEAR_TIE)
        self.has_near_ties = False

    def _lay_out(self):
        """Give every outcome its bits: one, or a count where it can come up again."""
        self.fields, self.tries, place = {}, {}, 0
        for name, body in self.doc["actions"].items():
            is_single = attempts(body) == 1
            whole, width = 0, 1 if is_single else WIDTH
            for label in body["outcomes"]:
                mask = (1 << width) - 1 << place
                self.fields[name, label] = mask
                whole |= mask
                place += width
            self.fields[(name,)] = whole
            self.tries[name] = place
            place += 0 if is_single else WIDTH

    def _scale(self):
        """Count finite resources in whole units, packed in one number with guards."""
        written = [self.doc["budget"], *self._costs()]
        self.finite = [r for r, b in self.budget.items() if b != "unlimited"]
        self.units, self.shifts, self.guards, shift, full = {}, {}, 0, 0, 0
        for resource in self.finite:
            amounts = [self._of(each, resource) for each in written]
            unit = math.lcm(*(a.denominator for a in amounts))
            limit = int(amounts[0] * unit)
            self.units[resource], self.shifts[resource] = (unit, limit), shift
            full |= limit << shift
            shift += (limit + 1).bit_length()
            self.guards |= 1 << shift
            shift += 1
        self.root = (0, full | self.guards)

    def _costs(self):
        for body in self.doc["actions"].values():
            yield body.get("cost", 1)
            yield from (c["cost"] for c in body.get("given", ()) if "cost" in c)

    def _of(self, written, resource):
        if isinstance(written, dict):
            written = written.get(resource, 0)
        return number(written)

    def _per_resource(self, written):
        return {r: self._of(written, r) for r in self.budget}

    def _read_rewards(self):
        self.is_sum = self.doc.get("combine", "max") == "sum"
        self.rewards = [
            (self._test(r["when"]), float(number(r["value"])))
            for r in self.doc["rewards"]
        ]
        largest = max((abs(value) for _, value in self.rewards), default=1)
        self.scale = max(largest, 1e-300)
        self.tie = TIE * self.scale
        self.paid = {}

    def _rule(self, index, item):
        name, body = item
        whole, most = self.fields[(name,)], attempts(body)
        requires = self._test(body["requires"]) if "requires" in body else None
        precluded = self._test(body["precluded_by"]) if "precluded_by" in body else None
        offers = [
            self._offer(name, body | clause, self._test(clause["when"]))
            for clause in body.get("given", ())
        ]
        offers.append(self._offer(name, body, None))
        return (
            *(index, whole, self.tries[name], most),
            *(requires, precluded, offers),
        )

    def _offer(self, name, body, when):
        written, price = body.get("cost", 1), 0
        for resource, (unit, limit) in self.units.items():
            amount = int(self._of(written, resource) * unit)
            price += min(amount, limit + 1) << self.shifts[resource]
        costs = self._per_resource(written)
        charge = sum(self.weights[r] * cost for r, cost in costs.items() if cost)
        attempt = 0 if attempts(body) == 1 else 1 << self.tries[name]
        chances, probabilities = chances_of(tuple(body["outcomes"].items())), []
        for place, label in enumerate(self.doc["actions"][name]["outcomes"]):
            if label in chances:
                mask = self.fields[name, label]
                probabilities.append((chances[label], (mask & -mask) + attempt, place))
        return Offer(
            when, price, float(charge), float(sum(costs.values())), probabilities
        )

    def _test(self, condition):
        """Whether a condition holds, as a function of what has happened."""
        if isinstance(condition, str):
            mask = self.fields[tuple(literal(condition))]
            return lambda happened: happened & mask
        [(kind, inner)] = condition.items()
        if kind == "not":
            test = self._test(inner)
            return lambda happened: not test(happened)
        if kind == "at_least":
            [(count, inner)] = inner.items()
            least, some = int(count), [self._test(each) for each in inner]
            return lambda happened: sum(bool(t(happened)) for t in some) >= least
        if kind == "any" and all(isinstance(each, str) for each in inner):
            mask = 0
            for each in inner:
                mask |= self.fields[tuple(literal(each))]
            return lambda happened: happened & mask
        tests = [self._test(each) for each in inner]
        if len(tests) == 2:
            one, other = tests
            if kind == "all":
                return lambda happened: one(happened) and other(happened)
            return lambda happened: one(happened) or other(happened)
        if kind == "all":
            return lambda happened: all(test(happened) for test in tests)
        return lambda happened: any(test(happened) for test in tests)

    def reward(self, happened):
        """What stopping pays."""
        held = [value for test, value in self.rewards if test(happened)]
        return sum(held) if self.is_sum else max([0.0, *held])

    def available(self, state):
        """What can be done: the action's number, what it is now, and what is left."""
        happened, left = state
        for index, whole, place, most, requires, precluded, offers in self.rules:
            if happened & whole and (most == 1 or happened >> place & 255 >= most):
                continue
            if requires is not None and not requires(happened):
                continue
            if precluded is not None and precluded(happened):
                continue
            offer = offers[-1]
            if len(offers) > 1:
                offer = next(o for o in offers if o.when is None or o.when(happened))
            rest = left - offer.price
            if rest & self.guards == self.guards:
                yield index, offer, rest

    def worked_out(self, state):
        """The value of a state, and the fewest nodes of an optimal tree from there."""
        known = self.known.get(state)
        if known is not None:
            return known
        happened = state[0]
        best = reward = self.reward(happened)
        steps = []
        for _, offer, rest in self.available(state):
            total, nodes = -offer.charge, 1
            for chance, unit, _ in offer.probabilities:
                child = (happened + unit, rest)
                value, more = self.known.get(child) or self.worked_out(child)
                total += chance * value
                nodes += more
            steps.append((total, nodes))
            best = max(best, total)
        fewest = 1
        if best - reward > self.tie:
            fewest = min([nodes for total, nodes in steps if best - total <= self.tie])
        for total in (reward, *[total for total, _ in steps]):
            if self.least_near < best - total < self.most_near:
                self.has_near_ties = True
        if len(self.known) >= self.most_states:
            raise TooManyStatesError
        self.known[state] = best, fewest
        return best, fewest

    def reachable(self, most_states=math.inf):
        """The states any steps lead to from the root; gives up once over the most."""
        self.most_states = most_states + 1
        with suppress(TooManyStatesError):
            self.worked_out(self.root)
        return self.known

    def value(self, state):
        return self.worked_out(state)[0]

    def optimal(self, state):
        """The optimal options; none where stopping is as good."""
        best = self.value(state)
        if best - self.reward(state[0]) <= self.tie:
            return
        for _, offer, rest in self.available(state):
            children = [
                (p, (state[0] + unit, rest)) for p, unit, _ in offer.probabilities
            ]
            total = sum(p * self.value(child) for p, child in children) - offer.charge
            if best - total <= self.tie:
                yield offer, children

    def measures(self, state):
        """The least that an optimal tree has of each secondary objective."""
        known = self.measured.get(state)
        if known is None:
            found = [
                self._measured(offer, children)
                for offer, children in self.optimal(state)
            ]
            known = Measures(*map(min, zip(*found, strict=True))) if found else None
            known = known or Measures(1, 0, 0.0, 0.0)
            self.measured[state] = known
        return known

    def _measured(self, offer, children):
        below = [(p, self.measures(child)) for p, child in children]
        return Measures(
            1 + sum(m.nodes for _, m in below),
            1 + max(m.depth for _, m in below),
            offer.cost + sum(p * m.cost for p, m in below),
            1 + sum(p * m.actions for p, m in below),
        )

    def without(self, action):
        """The same brute force for one who may not take an action any more."""
        other = object.__new__(QuickOracle)
        other.__dict__.update(self.__dict__)
        other.rules = [rule for rule in self.rules if rule[0] != action]
        other.known, other.measured = {}, {}
        other.most_states = math.inf
        return other
