"""Random problem documents for tests: small, awkward, and using the whole format.

A chance of p is `random() > 1 - p` and simple choices come first, so that a failing
document shrinks towards one without the feature.
"""

import copy
import itertools
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from oracles.oracle import Oracle
from problems.rewording import awkward_names, conditions_as_text

__all__ = [
    "FEATURES",
    "awkward_names",
    "conditions_as_text",
    "documents",
    "random_document",
    "seeded_documents",
    "seeded_oracles",
]

# What `without` may name, to leave it out of the documents.
FEATURES = frozenset(
    "repeats given negation bare self_mention resources fractional_costs zero_costs "
    "sum cost_weight preclusion cycles impossible certain many_outcomes "
    "at_least".split()
)
LABELS = (["1", "2", "3", "4"], ["fail", "ok", "odd", "wild"])


def documents(**knobs):
    """Hypothesis strategy of documents; the knobs are those of `random_document`."""
    randoms = st.randoms(use_true_random=False)
    return randoms.map(lambda random: random_document(random, **knobs))


def seeded_documents(count, seed, **knobs):
    """The same `count` documents for the same seed; each name says how to redo it."""
    return (oracle.doc for oracle in seeded_oracles(count, seed, **knobs))


def seeded_oracles(count, seed, *, first=0, **knobs):
    """Oracles of the same documents, which know all states already."""
    for number in range(first, first + count):
        oracle = random_oracle(Random(f"{seed}/{number}"), **knobs)
        oracle.doc["name"] = f"Random({seed}/{number})"
        yield oracle


def random_document(random, **knobs):
    """Draw a document; the knobs are those of `random_oracle`."""
    return random_oracle(random, **knobs).doc


def random_oracle(
    random, *, max_actions=7, max_states=3000, without=frozenset(), brute_force=Oracle
):
    """
    Draw a document of 2 to `max_actions` actions and at most `max_states` states.

    What is returned is `brute_force` of the document.

    Too large ones are drawn again, with less and less room, so that this ends for any
    source of random numbers, even one that always says the same.
    """
    assert set(without) <= FEATURES, f"unknown: {set(without) - FEATURES}"
    oracle, attempt = None, 0
    while oracle is None or len(oracle.reachable(max_states)) > max_states:
        room = max(2, max_actions - attempt // 3)
        small = {"repeats", "many_outcomes"} if room < 4 and attempt > 3 else set()
        oracle = brute_force(_Draft(random, room, {*without, *small}).document())
        attempt += 1
    return oracle


class _Draft:
    """One document in the making."""

    def __init__(self, random, max_actions, without):
        self.random, self.without = random, without
        counts = [n for n in (3, 4, 4, 5, 5, 6, 6, 7, 2) if n <= max_actions]
        count = random.choice(counts)
        labels = random.choice(LABELS)
        self.labels = {f"a{i + 1}": self.some_labels(labels) for i in range(count)}
        self.names = list(self.labels)
        self.budget = self.draw_budget()
        amounts = self.budget if isinstance(self.budget, dict) else {"": self.budget}
        self.resources = list(amounts)
        self.finite = [r for r, amount in amounts.items() if amount != "unlimited"]

    def chance(self, probability, feature=None):
        return feature not in self.without and self.random.random() > 1 - probability

    def some_labels(self, labels):
        if self.chance(0.1, "certain"):
            return labels[:1]
        more = self.chance(0.25, "many_outcomes")
        return labels[: self.random.choice([3, 3, 3, 4]) if more else 2]

    def draw_budget(self):
        """Mostly too little for everything, so that the choice of action matters."""
        if not self.chance(0.3, "resources"):
            choices = [3, 4, 5, 6, "4.5", "11/3", "unlimited"]
            return self.random.choice(choices[: 4 if self.plain_costs() else 7])
        names = ["money", "days", "risk"][: self.random.choice([2, 2, 3, 1])]
        budget = {name: self.random.choice([3, 4, 5, 6, "3.5"]) for name in names}
        if len(names) > 1 and self.chance(0.3):
            budget[self.random.choice(names)] = "unlimited"
        return budget

    def plain_costs(self):
        return "fractional_costs" in self.without

    def document(self):
        document = {"name": "Random", "budget": self.budget}
        document["actions"] = {name: self.action(name) for name in self.names}
        if len(self.names) > 2 and self.chance(0.05, "cycles"):
            one, other = self.random.sample(self.names, 2)
            document["actions"][one]["requires"] = self.literal([other])
            document["actions"][other]["requires"] = self.literal([one])
        combine = "sum" if self.chance(0.35, "sum") else "max"
        document["rewards"] = self.rewards(combine)
        if combine == "sum" or self.chance(0.3):
            document["combine"] = combine
        if self.chance(0.25, "cost_weight"):
            document["cost_weight"] = self.cost_weight()
        # Last of all, so that documents without it stay what they were.
        if self.chance(0.2, "at_least"):
            self.count_some(document)
        return document

    def count_some(self, document):
        """Let some conditions ask for so many of several things."""
        slots = [(reward, "when", self.names) for reward in document["rewards"]]
        for name, body in document["actions"].items():
            earlier = self.names[: self.names.index(name)]
            others = [other for other in self.names if other != name]
            slots += [(body, "requires", earlier)] * ("requires" in body)
            slots += [(body, "precluded_by", others)] * ("precluded_by" in body)
            slots += [(clause, "when", others) for clause in body.get("given", ())]
        slots = [slot for slot in slots if len(slot[2]) > 1]
        first = self.random.choice(slots)
        for slot in slots:
            if slot is first or self.chance(0.4):
                holder, key, pool = slot
                holder[key] = self.at_least(holder[key], pool)

    def at_least(self, first, pool):
        """So many of a condition and of some others; seldom one of them twice."""
        size = self.random.choice([3, 3, 4, 2])
        parts = [first, *(self.condition(pool, 1) for _ in range(size - 1))]
        if not self.chance(0.1):
            drawn = self.random.sample(pool, min(len(pool), size - 1))
            parts = [first, *(self.literal([one]) for one in drawn)]
        counts = [2, 2, len(parts) - 1, len(parts), 1]
        count = max(1, min(len(parts), self.random.choice(counts)))
        return {"at_least": {str(count): parts}}

    def action(self, name):
        body = {}
        earlier = self.names[: self.names.index(name)]
        others = [other for other in self.names if other != name]
        repeats = self.chance(0.22, "repeats")
        endless = repeats and bool(self.finite) and self.chance(0.4)
        body["outcomes"] = self.outcomes(self.labels[name])
        if self.resources != [""] or endless or self.chance(0.5):
            body["cost"] = self.cost(endless)
        if earlier and self.chance(0.6):
            pool = others if self.chance(0.08, "cycles") else earlier
            body["requires"] = self.wish(pool)
        if self.chance(0.25, "preclusion"):
            body["precluded_by"] = self.condition(
                others, self.random.choice([0, 0, 0, 1, 2])
            )
        elif (
            repeats
            and self.chance(0.4, "self_mention")
            and self.chance(1, "preclusion")
        ):
            body["precluded_by"] = f"{name}={self.random.choice(self.labels[name])}"
        if repeats:
            body["attempts"] = "unlimited" if endless else self.random.choice([2, 2, 3])
        if self.chance(0.3, "given"):
            clauses = self.random.choice([1, 1, 2])
            body["given"] = [
                self.clause(name, repeats, endless) for _ in range(clauses)
            ]
        return body

    def clause(self, name, repeats, endless):
        own = repeats and self.chance(0.4, "self_mention")
        pool = [name] if own else [other for other in self.names if other != name]
        clause = {"when": self.condition(pool, self.random.choice([0, 0, 1, 2]))}
        sets = self.random.choice([{"outcomes"}, {"cost"}, {"outcomes", "cost"}])
        if "outcomes" in sets:
            labels = self.labels[name]
            few = self.may_lose_one(labels) and self.chance(0.15, "impossible")
            clause["outcomes"] = self.outcomes(labels[1:] if few else labels)
        if "cost" in sets:
            clause["cost"] = self.cost(endless)
        return clause

    def may_lose_one(self, labels):
        """Does the label that is left, if only one is, have leave to be certain?"""
        return len(labels) > (2 if "certain" in self.without else 1)

    def outcomes(self, labels):
        """Random probabilities of the labels, one of them perhaps `rest`, or zero."""
        whole = self.random.choice([10, 10, 4, 5, 20, 6, 7])
        cuts = sorted(self.random.sample(range(1, whole), len(labels) - 1))
        parts = [b - a for a, b in itertools.pairwise([0, *cuts, whole])]
        if self.may_lose_one(labels) and self.chance(0.04, "impossible"):
            parts[:2] = [0, parts[0] + parts[1]]
            self.random.shuffle(parts)
        outcomes = {
            label: self.written(Fraction(part, whole), percent=True)
            for label, part in zip(labels, parts, strict=True)
        }
        if self.chance(0.25):
            outcomes[self.random.choice(labels)] = "rest"
        return outcomes

    def written(self, number, percent=False):
        """The number in one of the ways a file may write it."""
        hundredths = number * 100
        ways = [str(number)]
        if hundredths.denominator == 1:
            ways = [f"{float(number):.2f}".rstrip("0").rstrip("."), *ways]
            ways += [f"{hundredths}%"] if percent else []
        if number.denominator == 1:
            ways = [int(number), *ways]
        return self.random.choice(ways)

    def cost(self, positive):
        """A cost; a positive one costs something of a finite resource."""
        costs = {r: self.amount(positive) for r in self.resources if self.chance(0.7)}
        if positive and not set(costs) & set(self.finite):
            costs[self.random.choice(self.finite)] = self.amount(positive)
        if not costs and "zero_costs" in self.without:
            costs = {self.resources[0]: self.amount(positive)}
        if self.resources == [""]:
            return costs.get("", 1)
        return costs or 0

    def amount(self, positive):
        if not positive and self.chance(0.1, "zero_costs"):
            return 0
        fraction = self.chance(0.25, "fractional_costs")
        choices = ["1/2", "3/2", "5/4", "1/3"] if fraction else [1, 1, 1, 2]
        return self.written(Fraction(self.random.choice(choices)))

    def cost_weight(self):
        weights = [1, "0.5", 2, "1/3", "2.5", 5]
        if self.resources == [""] or self.chance(0.4):
            return self.random.choice(weights)
        some = [r for r in self.resources if self.chance(0.7)] or self.resources[:1]
        return {resource: self.random.choice(weights) for resource in some}

    def rewards(self, combine):
        """Rewards for late actions, some of them a step on the way to a larger one."""
        rewards = []
        for _ in range(self.random.choice([1, 2, 2, 3])):
            when = self.wish(self.names[-3:])
            value = Fraction(self.random.choice([10, 20, 50, 100, "12.5", "100/3"]))
            if rewards and combine == "sum" and self.chance(0.4):
                when, value = self.condition(self.names, 2), -value / 2
            elif rewards and self.chance(0.05):
                value = Fraction(0)
            rewards.append({"when": when, "value": self.written(value)})
            if self.chance(0.35):
                more = {"all": [copy.deepcopy(when), self.wish(self.names)]}
                rewards.append(
                    {"when": more, "value": self.written(abs(value) * 3 + 5)}
                )
        return rewards

    def wish(self, pool):
        """A condition that can mostly be met: few literals, seldom a `not`."""
        if self.chance(0.12):
            return self.condition(pool, 2)
        kind = self.random.choice([None, None, None, "any", "all"])
        if kind is None or len(pool) < 2:
            return self.literal(pool)
        return {kind: [self.literal([one]) for one in self.random.sample(pool, 2)]}

    def condition(self, pool, depth):
        """Any condition, nested at most `depth` deep."""
        kind = self.random.choice(["literal", "any", "all", "not", "not"])
        if kind == "literal" or (depth == 0 and not self.chance(0.15, "negation")):
            return self.literal(pool)
        if kind == "not" and "negation" not in self.without:
            return {"not": self.condition(pool, max(depth - 1, 0))}
        kind = "all" if kind == "all" else "any"
        count = self.random.choice([2, 2, 3, 1, 0] if self.chance(0.2) else [2])
        return {kind: [self.condition(pool, max(depth - 1, 0)) for _ in range(count)]}

    def literal(self, pool):
        action = self.random.choice(pool)
        if self.chance(0.12, "bare"):
            return action
        labels = self.labels[action]
        label = labels[min(1, len(labels) - 1)]
        return f"{action}={self.random.choice(labels) if self.chance(0.3) else label}"
