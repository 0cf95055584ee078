"""Random problem documents whose states hold more than outcomes and what is left.

A small document of `strategies.py` gets hidden facts, counters, comparisons, endings,
costs of outcomes, rewards per counter, and somewhere to finish. Besides there are parts
that are each built to break one rule (`GADGETS`).
"""

import copy
from random import Random

from oracles.oracle import Oracle
from problems.strategies import random_document

__all__ = ["GADGETS", "WIDE", "wide_document", "wide_oracles"]

# What `only` may name; otherwise each document has some of them.
WIDE = ("hidden", "counters", "comparisons", "endings", "outcome_costs", "finish")

FACTS = {"f1": ["ill", "well"], "f2": ["low", "mid", "high"]}
SIGNS = (">=", ">=", "<", "<=", ">", "==")


def wide_oracles(count, seed, *, first=0, max_states=300, only=None, cost=None):
    """Brute force over the same `count` documents for the same seed."""
    for index in range(first, first + count):
        random, oracle = Random(f"{seed}/{index}"), None
        while oracle is None or len(oracle.reachable(max_states)) > max_states:
            oracle = Oracle(wide_document(random, only, cost))
        oracle.doc["name"] = f"Wide({seed}/{index})"
        yield oracle


def wide_document(random, only=None, cost=None):
    """
    Draw a document.

    With `only` it has these features alone; `cost` says whether it is one of least
    cost, which is otherwise drawn.
    """
    if only is None and random.random() < 0.3:
        gadget = random.choice(tuple(GADGETS.values()))
        return _Draft(random, ("counters",), gadget(random)).document(cost)
    without = {"cycles", "many_outcomes"}
    base = random_document(random, max_actions=4, max_states=100, without=without)
    some = [each for each in WIDE[:-1] if random.random() < 0.5]
    if random.random() < 0.25:
        some.append("finish")
    return _Draft(random, only or some or ["hidden"], base).document(cost)


class _Draft:
    """One document in the making."""

    def __init__(self, random, features, base):
        self.random, self.features, self.doc = random, features, copy.deepcopy(base)
        self.actions = self.doc["actions"]
        self.is_sum = self.doc.get("combine") == "sum"
        budget = self.doc["budget"]
        self.resources = list(budget) if isinstance(budget, dict) else ["budget"]

    def chance(self, probability):
        return self.random.random() < probability

    def document(self, cost):
        for feature in WIDE:
            if feature in self.features:
                getattr(self, f"add_{feature}")()
        if cost or (cost is None and "finish" in self.doc and self.chance(0.5)):
            self.count_costs()
        return self.doc

    def outcomes(self, labels):
        """Probabilities of these labels; seldom one that is certain."""
        if self.chance(0.12):
            return {self.random.choice(labels): 1}
        cuts = sorted(self.random.sample(range(1, 10), len(labels) - 1))
        parts = zip([0, *cuts], [*cuts, 10], strict=True)
        return {o: f"{b - a}/10" for o, (a, b) in zip(labels, parts, strict=True)}

    def add_hidden(self):
        facts = self.doc.setdefault("hidden", {})
        for name in list(FACTS)[: self.random.choice([1, 1, 2])]:
            labels = FACTS[name][: self.random.choice([2, 2, 3])]
            facts[name] = dict.fromkeys(labels, 0) | self.outcomes(labels)
            if name == "f2" and self.chance(0.6):
                clause = {"when": f"f1={self.random.choice(list(facts['f1']))}"}
                clause["outcomes"] = self.outcomes(labels)
                facts[name] = {"outcomes": facts[name], "given": [clause]}
        clauses = 0
        for body in self.actions.values():
            if len(body["outcomes"]) > 1 and (not clauses or self.chance(0.6)):
                for _ in range(self.random.choice([1, 1, 2])):
                    clauses += 1
                    body.setdefault("given", []).append(self.hidden_clause(body))
        for reward in self.doc["rewards"]:
            if self.chance(0.4):
                reward["when"] = self.joined(reward["when"], self.fact(), "all")

    def fact(self):
        """A condition about hidden facts alone."""
        name = self.random.choice(list(self.doc["hidden"]))
        body = self.doc["hidden"][name]
        labels = list(body.get("outcomes", body))
        condition = f"{name}={self.random.choice(labels)}"
        if self.chance(0.15):
            condition = {"not": condition}
        return {"any": [condition, self.fact()]} if self.chance(0.1) else condition

    def hidden_clause(self, body):
        when = self.fact()
        if self.chance(0.2):
            when = self.joined(when, self.event(), "all" if self.chance(0.7) else "any")
        return {"when": when, "outcomes": self.outcomes(list(body["outcomes"]))}

    def event(self):
        """That some action came out in some way, or was taken."""
        name = self.random.choice(list(self.actions))
        label = self.random.choice(list(self.actions[name]["outcomes"]))
        return name if self.chance(0.2) else f"{name}={label}"

    def joined(self, one, other, kind):
        return {kind: [one, other] if self.chance(0.5) else [other, one]}

    def long(self, body, label):
        """An outcome in its long form."""
        written = body["outcomes"][label]
        if not isinstance(written, dict):
            written = body["outcomes"][label] = {"probability": written}
        return written

    def some_outcome(self):
        body = self.actions[self.random.choice(list(self.actions))]
        return self.long(body, self.random.choice(list(body["outcomes"])))

    def add_counters(self):
        ranges = ["0..2", "0..3", "-1..1", "0..1", "1..3"]
        for name in ["c1", "c2"][: self.random.choice([1, 1, 2])]:
            counter = {"range": self.random.choice(ranges)}
            low, high = map(int, counter["range"].split(".."))
            if self.chance(0.4):
                counter["start"] = self.random.randint(low, high)
            if name not in self.doc.setdefault("counters", {}):
                self.doc["counters"][name] = counter
        for _ in range(self.random.choice([1, 2, 3])):
            body = self.actions[self.random.choice(list(self.actions))]
            holder = body if self.chance(0.4) else self.some_outcome()
            change = self.random.choice([1, 1, "+2", -1, -1, -2])
            # Nothing may raise what ends attempts without end.
            names = [name for name in self.doc["counters"] if name != "doses"]
            holder.setdefault("effects", {})[self.random.choice(names)] = change
        for _ in range(self.random.choice([1, 2])):
            self.ask(self.counter_compared())
        if self.is_sum and self.chance(0.7):
            name = self.random.choice(list(self.doc["counters"]))
            value = self.random.choice([-3, 4, "1/2", -10, 12])
            self.doc["rewards"].append({"per": name, "value": value})

    def counter_compared(self):
        name = self.random.choice(list(self.doc["counters"]))
        low, high = map(int, self.doc["counters"][name]["range"].split(".."))
        number = self.random.randint(low, high)
        return f"{name} {self.random.choice(SIGNS)} {number}"

    def add_comparisons(self):
        for _ in range(self.random.choice([1, 2])):
            sign = self.random.choice(SIGNS)
            if self.chance(0.5):
                compared = f"count({self.event()}) {sign} {self.random.choice([1, 2])}"
            else:
                resource = self.random.choice(self.resources)
                number = self.random.choice([1, 2, 3, "3/2"])
                compared = f"left({resource}) {sign} {number}"
            self.ask(compared)

    def ask(self, compared):
        """Let some condition ask for this, too."""
        bodies = list(self.actions.values())
        slots = [(body, "requires", {"all": []}) for body in bodies]
        slots += [(body, "precluded_by", {"any": []}) for body in bodies]
        slots += [(r, "when", {"all": []}) for r in self.doc["rewards"] if "when" in r]
        slots += [(c, "when", {}) for body in bodies for c in body.get("given", [])]
        holder, key, otherwise = self.random.choice(slots)
        kind = "any" if key == "precluded_by" else self.random.choice(["all", "any"])
        if self.chance(0.15):
            compared = {"not": compared}
        if key == "requires" and holder.get("attempts") == "unlimited":
            kind = "all"  # What ends them must stay.
        if key in holder:
            holder[key] = self.joined(holder[key], compared, kind)
        else:
            assert otherwise
            holder[key] = compared

    def add_endings(self):
        for _ in range(self.random.choice([1, 1, 2])):
            self.some_outcome()["ends"] = self.random.choice(["keep", "lose"])

    def add_outcome_costs(self):
        for _ in range(self.random.choice([1, 2])):
            amount = self.random.choice([1, 1, 2, "1/2", 3])
            if self.resources != ["budget"]:
                amount = {self.random.choice(self.resources): amount}
            self.some_outcome()["cost"] = amount

    def add_finish(self):
        finish = self.event()
        if self.chance(0.4):
            kind = "any" if self.chance(0.6) else "all"
            finish = self.joined(finish, self.event(), kind)
        if self.doc.get("counters") and self.chance(0.4):
            finish = {"any": [finish, self.counter_compared()]}
        self.doc["finish"] = finish

    def count_costs(self):
        """Make the cost of finishing what counts."""
        if "finish" not in self.doc:
            self.add_finish()
        self.doc["rewards"] = []
        self.doc["objective"] = "least-cost"
        if self.doc.get("cost_weight") == 0:
            del self.doc["cost_weight"]
        if len(self.resources) > 1 and "cost_weight" not in self.doc:
            self.doc["cost_weight"] = dict.fromkeys(self.resources, 1)
        if self.chance(0.85):
            self.doc["unfinished"] = self.random.choice([2, 10, "25/2", 100])


def _doses(random):
    """Attempts without end and for nothing, which a counter that falls ends."""
    start = random.choice([2, 3, 4])
    treat = {
        "cost": 0,
        "attempts": "unlimited",
        "requires": "doses >= 1",
        "effects": {"doses": -1},
        "outcomes": {
            "better": {"probability": "0.3", "effects": {"gain": "+2"}},
            "worse": {"probability": "0.2", "effects": {"harm": 1}},
            "same": "rest",
        },
    }
    return {
        "budget": "unlimited",
        "counters": {
            "doses": {"range": f"0..{start}", "start": start},
            "gain": {"range": "0..3"},
            "harm": {"range": "0..2"},
        },
        "actions": {"treat": treat, "rest": {"outcomes": {"done": {"probability": 1}}}},
        "rewards": [
            {"per": "gain", "value": random.choice([5, 10])},
            {"per": "harm", "value": random.choice([-3, -12])},
        ],
        "combine": "sum",
        "cost_weight": random.choice([0, 1]),
    }


def _capped(random):
    """A counter that stays at its end: what lies beyond it is forgotten."""
    pump = {
        "attempts": 3,
        "outcomes": {"two": {"probability": "1/2", "effects": {"c": 2}}, "none": "1/2"},
    }
    leak = {
        "attempts": 2,
        "effects": {"c": -1},
        "outcomes": {"done": 1}
        if random.random() < 0.5
        else {"ok": "2/3", "no": "1/3"},
    }
    goal = {"requires": f"c == {random.choice([1, 2])}", "outcomes": {"won": 1}}
    return {
        "budget": random.choice([3, 4, 5]),
        "counters": {"c": {"range": "0..2"}},
        "actions": {"pump": pump, "leak": leak, "goal": goal},
        "rewards": [{"when": "goal=won", "value": 10}, {"when": "c >= 2", "value": 6}],
    }


def _repeated_test(random):
    """A test that is worth repeating: what is known depends on how often, not when."""
    sure = random.choice(["0.7", "0.9"])
    given = [{"when": "f=yes", "outcomes": {"plus": sure, "minus": "rest"}}]
    test = {
        "attempts": 3,
        "cost": random.choice([1, "1/2"]),
        "outcomes": {"plus": "0.3", "minus": "rest"},
        "given": given,
    }
    other = {
        "outcomes": {"plus": "0.5", "minus": "0.5"},
        "given": [{"when": "f=yes", "outcomes": {"plus": 1}}],
    }
    return {
        "budget": random.choice([3, 4]),
        "hidden": {"f": {"yes": random.choice(["0.5", "0.2", "0.02"]), "no": "rest"}},
        "actions": {"test": test, "other": other, "go": {"outcomes": {"done": 1}}},
        "rewards": [
            {"when": {"all": ["go", "f=yes"]}, "value": 20},
            {"when": {"all": ["go", "f=no"]}, "value": random.choice([-10, -30])},
        ],
        "combine": "sum",
    }


def _losing(random):
    """An outcome that ends everything and loses what was earned, or keeps it."""
    caught = {"probability": "0.3", "ends": random.choice(["lose", "lose", "keep"])}
    enter = {"outcomes": {"in": "0.7", "seen": copy.deepcopy(caught)}}
    take = {
        "attempts": 2,
        "requires": "enter=in",
        "outcomes": {
            "loot": {"probability": "0.6", "effects": {"bag": 1}},
            "seen": caught,
        }
        | {"none": "rest"},
    }
    return {
        "budget": random.choice([2, 3, 4]),
        "counters": {"bag": {"range": "0..2"}},
        "actions": {"enter": enter, "take": take, "wait": {"outcomes": {"done": 1}}},
        "rewards": [{"per": "bag", "value": 10}, {"when": "wait", "value": 3}],
        "combine": "sum",
        "cost_weight": random.choice([0, 1]),
    }


def _dear_outcome(random):
    """An action that can be paid for, but not with the dearest of its outcomes."""
    dear = {"probability": random.choice(["0.1", 0]), "cost": random.choice([1, 2, 3])}
    try_it = {"attempts": 2, "outcomes": {"dear": dear, "cheap": "rest"}}
    sure = {"cost": random.choice([1, 2]), "outcomes": {"done": 1}}
    return {
        "budget": random.choice([2, 3, 4, 5]),
        "actions": {"try": try_it, "sure": sure},
        "rewards": [
            {"when": "try=cheap", "value": 10},
            {"when": {"all": ["try=dear", "sure"]}, "value": 50},
            {"when": "left(budget) >= 1", "value": 2},
        ],
        "combine": random.choice(["sum", "max"]),
    }


def _counted(random):
    """Something that must happen so often, or not too often, of so many attempts."""
    sign = random.choice([">=", "==", "<=", "<"])
    toss = {"attempts": random.choice([3, 4]), "outcomes": {"yes": "0.6", "no": "0.4"}}
    claim = {
        "requires": f"count(toss=yes) {sign} {random.choice([1, 2])}",
        "precluded_by": f"count(toss) {random.choice(['<', '>='])} 3",
        "outcomes": {"done": 1},
    }
    return {
        "budget": random.choice([3, 4, 5]),
        "actions": {"toss": toss, "claim": claim},
        "rewards": [
            {"when": "claim", "value": 10},
            {"when": "count(toss=no) == 2", "value": random.choice([3, 12])},
        ],
        "combine": random.choice(["sum", "max"]),
    }


GADGETS = {
    "counted": _counted,
    "doses": _doses,
    "capped": _capped,
    "repeated test": _repeated_test,
    "losing": _losing,
    "dear outcome": _dear_outcome,
}
