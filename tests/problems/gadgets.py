"""Random problem documents put together from small parts, each built to break a rule.

Uniform documents (`strategies.py`) meet what is rare too rarely. A part is what would
be answered wrongly if one rule of an engine were a little too strong: a gate with two
openers, costs that are shared, a reward that can be lost. Parts share actions, and the
budget just fits some of them, or just does not.
"""

from fractions import Fraction
from random import Random

from oracles.quick_oracle import QuickOracle

__all__ = ["PARTS", "RARE", "gadget_documents", "gadget_oracles"]

CHANCES = ("0.01", "0.05", "0.1", "0.5", "0.5", "0.9", "0.95", "0.99")
COSTS = (0, 1, 1, 1, 2, 2, 3)
VALUES = (1, 8, 10, 20, 50, 100, 100)
MOST_ACTIONS = 7
MOST_STATES = 300


def gadget_documents(count, seed, **knobs):
    """The documents of `gadget_oracles`."""
    return (oracle.doc for oracle in gadget_oracles(count, seed, **knobs))


def gadget_oracles(count, seed, *, first=0, part=None, max_states=MOST_STATES):
    """
    Brute force over the same `count` documents for the same seed, already worked out.

    Each has at most `max_states` states; its name says how to make it anew. With
    `part` every document has that one; "rare" stands for any of the rare ones.
    """
    for index in range(first, first + count):
        random, oracle = Random(f"{seed}/{index}"), None
        while oracle is None or len(oracle.reachable(max_states)) > max_states:
            oracle = QuickOracle(_Draft(random).document(part))
        oracle.doc["name"] = f"Gadgets({seed}/{index})"
        yield oracle


class _Draft:
    """One document in the making."""

    def __init__(self, random):
        self.random = random
        self.actions, self.rewards = {}, []
        self.is_sum = self.chance(0.25)

    def chance(self, probability):
        return self.random.random() < probability

    def document(self, part):
        pick = self.random.choice
        if part == "rare":
            part = pick(tuple(RARE))
        first = (PARTS | RARE)[part] if part else pick(tuple(PARTS.values()))
        first(self)
        if self.chance(0.4):
            pick(tuple(PARTS.values()))(self)
        if self.chance(0.6) and len(self.actions) < MOST_ACTIONS:
            self.reward(self.chain(pick((1, 1, 2))))
        self.add_extras()
        if self.chance(0.15):
            self.even_out()
        names = list(self.actions)
        self.random.shuffle(names)
        self.random.shuffle(self.rewards)
        doc = {
            "name": "Gadgets",
            "budget": self.budget(),
            "actions": {name: self.actions[name] for name in names},
            "rewards": self.rewards,
        }
        if self.is_sum:
            doc["combine"] = "sum"
        if self.chance(0.25):
            doc["cost_weight"] = pick((1, 2, 5, "0.5"))
        if self.chance(0.1):
            self.split_costs(doc)
        return doc

    # What parts are made of.

    def action(self, requires=None, *, cost=None, **body):
        """A new action; now and then one that is there already, if anything will do."""
        is_any = requires is None and cost is None and not body and self.actions
        if is_any and (len(self.actions) >= MOST_ACTIONS or self.chance(0.25)):
            return self.random.choice(list(self.actions))
        name = f"a{len(self.actions)}"
        if requires is not None:
            body["requires"] = requires
        cost = self.random.choice(COSTS) if cost is None else cost
        body.setdefault("outcomes", self.outcomes())
        self.actions[name] = ({} if cost == 1 else {"cost": cost}) | body
        return name

    def outcomes(self):
        if self.chance(0.1):
            return {"fail": "0.4", "ok": "0.5", "odd": "0.1"}
        chance = self.random.choice(CHANCES)
        return {"fail": str(1 - Fraction(chance)), "ok": chance}

    def chain(self, length=None, requires=None):
        """Actions that need each other in a row; the last one's success."""
        for _ in range(length or self.random.choice((1, 1, 1, 1, 2, 3))):
            requires = self.won(self.action(requires))
        return requires

    def fact(self):
        """That some action came out well, or that it was attempted at all."""
        name = self.action()
        return name if self.chance(0.1) else self.won(name)

    def won(self, name):
        return f"{name}={list(self.actions[name]['outcomes'])[1]}"

    def lost(self, name):
        return f"{name}={next(iter(self.actions[name]['outcomes']))}"

    def some(self):
        """A fact about an action that is there."""
        name = self.random.choice(list(self.actions))
        if self.chance(0.15):
            return name
        return self.won(name) if self.chance(0.75) else self.lost(name)

    def reward(self, when, value=None):
        value = self.random.choice(VALUES) if value is None else value
        self.rewards.append({"when": when, "value": value})

    # The parts.

    def opener(self):
        """A gate with two openers, of which the reward wants one."""
        x = self.chain()
        y = self.chain(self.random.choice((1, 1, 2)))
        ways = [x, y]
        if self.chance(0.15):
            ways = [x, {"all": [y, self.fact()]}]
        elif self.chance(0.15):
            ways = [x, y.partition("=")[0]]
        self.random.shuffle(ways)
        gate = self.won(self.action({"any": ways}))
        wish = [x, gate]
        if self.chance(0.25):
            more = self.action({self.random.choice(("any", "all")): [gate, y]})
            wish = [x, self.won(more)] + ([gate] if self.chance(0.5) else [])
        self.reward({"all": wish}, 100)
        if self.chance(0.25):
            self.reward(self.random.choice((x, y, gate)))

    def shared_cost(self):
        """Two ways that share what they need: it is paid for once."""
        base = self.chain(self.random.choice((1, 1, 2)))
        one, other = self.chain(1, base), self.chain(1, base)
        wish = [one, other] + ([base] if self.chance(0.3) else [])
        if self.chance(0.3):
            self.reward(self.won(self.action({"all": wish})))
        else:
            self.reward({"all": wish})
        if self.chance(0.3):
            self.reward(self.random.choice((one, other)))

    def two_times(self):
        """A gate that holds for one reason first, and for another one later."""
        early, spoiler, late = self.fact(), self.fact(), self.fact()
        gate = {"any": [{"all": [early, {"not": spoiler}]}, late]}
        one, other = self.chain(1, gate), self.chain(1, gate)
        if self.chance(0.5):
            wish = [one, other, spoiler]
            self.reward({"all": wish[: self.random.choice((2, 3, 3))]})
        else:
            self.reward(one)
            self.reward(other)
            self.reward(spoiler)
            self.is_sum = self.is_sum or self.chance(0.6)

    def exclusive(self):
        """Outcomes of one action that are of use in different ways."""
        labels = ["no", "red", "blue"]
        parts = self.random.choice(
            (("0.5", "0.4", "0.1"), ("0.1", "0.5", "0.4"), ("0", "0.5", "0.5"))
        )
        name = self.action(
            cost=self.random.choice(COSTS[1:]),
            outcomes=dict(zip(labels, parts, strict=True)),
        )
        if self.chance(0.5):
            self.actions[name]["attempts"] = self.random.choice((2, 2, 3))
        red, blue, none = (f"{name}={each}" for each in ("red", "blue", "no"))
        kind = self.random.randrange(4)
        if kind == 0:
            self.reward({"all": [red, blue]}, 100)
            self.reward(self.random.choice((red, blue, none)))
        elif kind == 1:
            self.reward(self.chain(1, red))
            self.reward(self.chain(1, blue))
        elif kind == 2:
            more = self.fact()
            self.reward({"any": [{"all": [red, more]}, blue]})
        else:
            gate = self.action({"any": [red, blue, none][: self.random.choice((2, 3))]})
            self.reward({"all": [self.won(gate), self.random.choice((red, blue))]})
            self.reward(none)

    def caps(self):
        """Attempts and a budget that just go round, or just do not."""
        name = self.action(
            cost=self.random.choice((1, 1, 2, 3)),
            attempts=self.random.choice((2, 2, 3, "unlimited")),
        )
        wish = self.won(name)
        if self.chance(0.5):
            when = self.some() if self.chance(0.5) else self.fact()
            when = {"not": when} if self.chance(0.2) else when
            self.actions[name]["given"] = [
                {"when": when, "cost": self.random.choice((1, 2, 3))}
            ]
        if self.chance(0.4):
            wish = {"all": [wish, self.fact()]}
        if self.chance(0.3):
            wish = {"all": [wish, self.lost(name)]} if self.chance(0.5) else wish
            self.actions[name]["precluded_by"] = self.won(name)
        self.reward(wish)

    def held(self):
        """A reward that can be lost again; what is worth less then matters again."""
        one = self.chain(1)
        loss = self.action(one if self.chance(0.6) else None)
        value = self.random.choice((8, 10, 20))
        self.reward({"all": [one, {"not": loss}]}, value)
        self.reward(self.chain(1, loss), self.random.choice((50, 100)))
        if self.chance(0.7):
            lesser = self.random.choice((value, value - 2, value - 7))
            self.reward(self.chain(1, loss if self.chance(0.6) else None), lesser)

    def on_top(self):
        """Rewards on top of each other, some of them equal."""
        one = self.chain(1)
        value = self.random.choice((8, 10, 20))
        self.reward(one, value)
        two = self.chain(1, self.random.choice((None, one)))
        self.reward({"all": [one, two]}, value * self.random.choice((1, 2, 3)))
        if self.chance(0.6):
            more = self.chain(1, self.random.choice((None, two)))
            self.reward({"any": [more, two]}, self.random.choice((value, value * 2)))

    def penalty(self):
        """What should not hold at the end, or should."""
        self.is_sum = True
        bad = self.chain(self.random.choice((1, 2)))
        good = self.chain(1, self.random.choice((None, bad)))
        kind = self.random.randrange(4)
        if kind == 0:
            self.reward(bad, 100)
            self.reward({"all": [bad, {"not": good}]}, -60)
        elif kind == 1:
            self.reward(bad)
            self.reward({"not": good}, -20)
        elif kind == 2:
            self.reward(good)
            self.reward({"any": [bad, {"not": self.fact()}]}, -20)
        else:
            name = bad.partition("=")[0]
            self.reward({"all": [good, self.fact()]}, 50)
            self.reward(self.lost(name), -20)

    def negation(self):
        """Not twice, and what is precluded by something that is precluded."""
        one, other = self.fact(), self.fact()
        kind = self.random.randrange(4)
        if kind == 0:
            gate = {"not": {"all": [one, {"not": other}]}}
            self.reward({"all": [self.won(self.action(gate)), one]})
            self.reward(other, 10)
        elif kind == 1:
            spoiler = self.action(precluded_by=one)
            goal = self.action(other, precluded_by=self.won(spoiler))
            self.reward({"all": [self.won(goal), self.lost(spoiler)]})
            self.reward(self.won(spoiler), 10)
        elif kind == 2:
            self.reward({"all": [one, {"not": {"any": [other, self.fact()]}}]})
            self.reward(other)
        else:
            goal = self.action({"any": [one, {"not": other}]})
            self.reward({"all": [self.won(goal), other]}, 100)
            self.reward({"all": [self.won(goal), {"not": one}]}, 10)

    def conditioning(self):
        """What no reward needs changes probabilities or costs."""
        goal = self.action()
        clauses = []
        for _ in range(self.random.choice((1, 1, 2))):
            when = self.fact()
            while when.partition("=")[0] == goal:
                when = self.won(self.action(cost=self.random.choice(COSTS)))
            when = {"not": when} if self.chance(0.25) else when
            if self.chance(0.2):
                when = {self.random.choice(("any", "all")): [when, self.some()]}
            clauses.append(self.clause(goal, when))
        self.actions[goal]["given"] = clauses
        self.reward(
            self.won(goal) if self.chance(0.7) else self.chain(1, self.won(goal))
        )

    def clause(self, name, when):
        clause = {"when": when}
        labels = list(self.actions[name]["outcomes"])
        is_endless = self.actions[name].get("attempts") == "unlimited"
        kind = self.random.randrange(4)
        if kind != 0:
            chance = self.random.choice(CHANCES)
            clause["outcomes"] = dict.fromkeys(labels, "0") | {
                labels[0]: str(1 - Fraction(chance)),
                labels[1]: chance,
            }
        if kind == 3:
            clause["outcomes"] = {self.random.choice(labels[:2]): 1}
        if kind in (0, 2):
            clause["cost"] = self.random.choice(COSTS[1:] if is_endless else COSTS)
        return clause

    def cycle(self):
        """Prerequisites in a circle with two entries."""
        one, other = self.fact(), self.fact()
        a, b = (f"a{len(self.actions) + i}" for i in range(2))
        self.action({"any": [one, f"{b}=ok"]})
        self.action({"any": [other, f"{a}=ok"]})
        wish = {self.random.choice(("all", "all", "any")): [f"{a}=ok", f"{b}=ok"]}
        self.reward(wish)
        if self.chance(0.3):
            self.reward(self.random.choice((one, other, f"{a}=ok")))

    # Rare ones: they need so much to come together that chance hardly ever does it.

    def cheap(self, requires=None, chances=("0.9", "0.95", "0.99")):
        return self.won(self.priced(requires, (0, 1), chances))

    def dear(self, requires=None, chances=("0.5", "0.9")):
        return self.won(self.priced(requires, (2, 3), chances))

    def priced(self, requires, costs, chances):
        chance = self.random.choice(chances)
        probabilities = {"fail": str(1 - Fraction(chance)), "ok": chance}
        return self.action(
            requires, cost=self.random.choice(costs), outcomes=probabilities
        )

    def alternative(self):
        """What the budget is better spent on once a gate has failed."""
        self.reward(self.dear(), self.random.choice((50, 100)))

    def opener_of_two(self):
        """Two cheap ones open a gate together, of which the reward wants either."""
        x, y, z = self.dear(), self.cheap(), self.cheap()
        gate = self.cheap({"any": [x, {"all": [y, z]}]}, ("0.1", "0.5"))
        self.reward({"any": [{"all": [x, gate, y]}, {"all": [x, gate, z]}]}, 100)
        self.alternative()

    def opener_unless(self):
        """A cheap one opens a gate as long as something has not been done."""
        x, y, n = self.dear(), self.cheap(), self.action(cost=1)
        gate = self.cheap({"any": [x, {"all": [y, {"not": n}]}]}, ("0.1", "0.5"))
        self.reward({"all": [x, y, gate]}, 100)
        self.reward(self.won(n), self.random.choice((1, 8, 50)))
        if self.chance(0.5):
            self.alternative()

    def attempted(self):
        """That something was attempted comes with what came of it."""
        x = self.action(cost=self.random.choice((1, 2, 3)))
        gate = self.won(self.action(x, cost=self.random.choice((0, 1))))
        wish = [self.won(x), gate] + ([x] if self.chance(0.3) else [])
        self.reward({"all": wish}, 100)
        if self.chance(0.5):
            self.alternative()

    def enough(self):
        """So many of some facts: dear, cheap, and ones that exclude each other."""
        pick = self.random.choice
        name = self.action(outcomes={"fail": "0.2", "ok": "0.5", "odd": "0.3"})
        facts = [self.cheap(), self.dear(), self.fact(), f"{name}=ok", f"{name}=odd"]
        some = self.random.sample(facts, pick((3, 3, 4)))
        wish = {"at_least": {str(pick((2, 2, len(some) - 1))): some}}
        kind = self.random.randrange(4)
        if kind == 0:
            self.reward(wish, 100)
        elif kind == 1:
            gate = self.cheap(wish, ("0.1", "0.5"))
            self.reward({"all": [gate, pick(facts)]}, 100)
        elif kind == 2:
            self.reward({"all": [pick(facts), {"not": wish}]}, pick((50, 100)))
            self.reward(wish, pick((8, 50)))
        else:
            goal = self.action(cost=1, precluded_by=wish)
            self.reward({"all": [self.won(goal), pick(facts)]}, 100)
        if self.chance(0.5):
            self.alternative()

    # What may be added to any part.

    def add_extras(self):
        names = list(self.actions)
        pick = self.random.choice
        if self.chance(0.2):
            body = self.actions[pick(names)]
            body.setdefault("attempts", 2)
            if body.get("cost", 1) == 0 and body["attempts"] == "unlimited":
                body["attempts"] = 2
        if self.chance(0.2):
            name = pick(names)
            ban = self.some()
            if ban.partition("=")[0] != name:
                self.actions[name].setdefault("precluded_by", ban)
        if self.chance(0.1):
            reward = pick(self.rewards)
            reward["when"] = {"all": [reward["when"], {"not": self.some()}]}
        if self.chance(0.1):
            name, when = pick(names), self.some()
            if when.partition("=")[0] != name:
                self.actions[name].setdefault("given", [self.clause(name, when)])
        if self.chance(0.1):
            self.reward(self.some(), -10 if self.is_sum and self.chance(0.5) else None)
        if self.chance(0.1) and len(self.rewards) > 1:
            self.rewards[0]["value"] = self.rewards[1]["value"]

    def even_out(self):
        """All cost the same, as in the paper."""
        if not any("given" in body for body in self.actions.values()):
            for body in self.actions.values():
                body.pop("cost", None)

    def budget(self):
        """What some of the actions cost, or one more or less."""
        if self.chance(0.08) and all(
            body.get("attempts") != "unlimited" for body in self.actions.values()
        ):
            return "unlimited"
        bodies = list(self.actions.values())
        count = self.random.randint(min(2, len(bodies)), len(bodies))
        if self.chance(0.15):
            count = len(bodies)
        total = sum(body.get("cost", 1) for body in self.random.sample(bodies, count))
        total += self.random.choice((0, 0, 0, -1, 1))
        return max(1, min(total, 9))

    def split_costs(self, doc):
        """Two resources for one."""
        if doc["budget"] == "unlimited":
            return
        money = doc["budget"]
        doc["budget"] = {"money": money, "days": self.random.choice((2, 3, 4))}
        doc["cost_weight"] = {"money": doc.get("cost_weight", 0)}
        for body in doc["actions"].values():
            for each in (body, *body.get("given", ())):
                if "cost" in each or each is body:
                    cost = {"money": each.get("cost", 1)}
                    if self.chance(0.5):
                        cost["days"] = self.random.choice((1, 1, 2))
                    each["cost"] = cost


PARTS = {
    "opener": _Draft.opener,
    "shared cost": _Draft.shared_cost,
    "two times": _Draft.two_times,
    "exclusive": _Draft.exclusive,
    "caps": _Draft.caps,
    "held": _Draft.held,
    "on top": _Draft.on_top,
    "penalty": _Draft.penalty,
    "negation": _Draft.negation,
    "conditioning": _Draft.conditioning,
    "cycle": _Draft.cycle,
}

RARE = {
    "opener of two": _Draft.opener_of_two,
    "opener unless": _Draft.opener_unless,
    "attempted": _Draft.attempted,
    "enough": _Draft.enough,
}
