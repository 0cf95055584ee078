"""The answer to a problem document by brute force, sharing no code with the package.

A document is the plain tree of a problem file. Its conditions are "action=outcome" or
"action" (names may stand in double quotes), {"all": [...]}, {"any": [...]}, {"not": c},
{"at_least": {"2": [...]}}, or compare: "counter >= 1", "count(action=outcome) < 2",
"left(resource) == 3". Where there are hidden facts, a state has how likely each way is
that they may be. With "objective": "least-cost" values are costs below zero.
Numbers are exact; the only float is infinity, for what is unlimited, or must not be.
The functions at the end answer for a whole document; `Oracle(doc).value(state)` does
for any state.
"""

import math
import operator
import re
from bisect import bisect
from collections import Counter, namedtuple
from fractions import Fraction
from functools import cache, lru_cache, partial
from operator import sub

# Sorted (action, outcome)s; what is left per resource; where each counter stands; how
# likely each way is that the hidden facts may be; None, "keep" or "lose".
State = namedtuple(
    "State", "happened left counters belief ended", defaults=((), (1,), None)
)
Step = namedtuple("Step", "action cost children")  # outcome -> (probability, State)
Offer = namedtuple(
    "Offer", "when cost probabilities"
)  # what an action is while `when` holds

GATES = {"all": all, "any": any}

SIGNS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
NAME = r'(?:"(?:[^"\\]|\\.)+"|[^"=<>()\s]+)'
COMPARISON = re.compile(
    rf"(?:(count|left)\(\s*({NAME}(?:={NAME})?)\s*\)|({NAME}))"
    r"\s*(>=|<=|==|>|<)\s*([-+\d./%]+)"
)

# Worth of a leaf; of a decision with its cost and each child's (probability, worth).
OBJECTIVES = {
    "fewest-nodes": (1, lambda cost, kids: 1 + sum(f for _, f in kids)),
    "least-depth": (0, lambda cost, kids: 1 + max(f for _, f in kids)),
    "least-expected-cost": (0, lambda cost, kids: cost + sum(p * f for p, f in kids)),
    "fewest-expected-actions": (0, lambda cost, kids: 1 + sum(p * f for p, f in kids)),
}


@lru_cache(maxsize=None, typed=True)
def number(written):
    """Read 3, "3", "0.25", "1/3", "30%" exactly, and "unlimited" as infinity."""
    assert not isinstance(written, float), f"{written!r} is a float; write text"
    if written == "unlimited":
        return math.inf
    text = str(written)
    return Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)


def computed(doc):
    """The document with every expression worked out, by Python's own arithmetic."""
    known = {"min": min, "max": max, "__builtins__": {}}
    stated = doc.get("parameters", {})
    plain = {name: "p" + name.encode().hex() for name in stated}

    def worked_out(written):
        if not isinstance(written, str) or written in ("rest", "unlimited"):
            return written
        try:
            return str(number(written))
        except ValueError:
            pass
        text = re.sub(r'"([^"]*)"', lambda m: plain[m[1]], written)
        text = re.sub(r"[^\W\d][\w.]*", lambda m: plain.get(m[0], m[0]), text)
        text = re.sub(r"(?<![\w.])[\d.]+%?", lambda m: f"exact('{m[0]}')", text)
        return str(eval(text, known))

    known["exact"] = number
    waiting = list(stated)
    while waiting:  # One may be computed from others that stand below it.
        name = waiting.pop(0)
        try:
            known[plain[name]] = Fraction(worked_out(stated[name]))
        except NameError:
            waiting.append(name)

    def each(tree, key=""):
        if isinstance(tree, dict):
            kept = ("requires", "precluded_by", "when", "name", "parameters", "finish")
            kept += ("objective", "ends", "per", "range")
            return {k: v if k in kept else each(v, k) for k, v in tree.items()}
        if isinstance(tree, list):
            return [each(item) for item in tree]
        return tree if key == "combine" else worked_out(tree)

    return each(doc) if stated else doc


def possible(outcomes):
    """The probability of each outcome that can happen, with "rest" worked out."""
    long = {o: p.get("probability") for o, p in outcomes.items() if isinstance(p, dict)}
    outcomes = {**outcomes, **long}
    known = {o: number(p) for o, p in outcomes.items() if p != "rest"}
    everything = dict.fromkeys(outcomes, 1 - sum(known.values())) | known
    return {outcome: p for outcome, p in everything.items() if p > 0}


@cache
def literal(text):
    """Split "action=outcome" or "action" into one or two names, undoing quotes."""
    names = re.findall(r'"((?:[^"\\]|\\.)+)"|([^"=]+)', text)
    return [re.sub(r"\\(.)", r"\1", quoted) or plain for quoted, plain in names]


@cache
def comparison(text):
    """What a comparison is made of; None if the text is none."""
    found = COMPARISON.fullmatch(text)
    return found and found.groups()


def amount(written):
    """A number to spend; a whole one as an int, which is quicker to take away from."""
    exact = number(written)
    return int(exact) if exact != math.inf and exact.denominator == 1 else exact


def after(state, action, outcome, left):
    """The state once the action has come out so, with this much left."""
    place = bisect(state.happened, (action, outcome))
    before, later = state.happened[:place], state.happened[place:]
    return state._replace(happened=(*before, (action, outcome), *later), left=left)


def joint(hidden):
    """Every way the hidden facts may be that is possible, and how likely it is."""
    ways = [({}, 1)]
    for fact, written in hidden.items():
        body = written if "outcomes" in written else {"outcomes": written}
        wider = []
        for known, likely in ways:
            now = body["outcomes"]
            for clause in reversed(body.get("given", [])):
                if hidden_holds(clause["when"], known):
                    now = clause["outcomes"]
            for label, p in possible(now).items():
                wider.append(({**known, fact: label}, likely * p))
        ways = wider
    return ways


def hidden_holds(condition, known):
    """Whether a condition holds that is about hidden facts alone."""
    if isinstance(condition, str):
        fact, label = literal(condition)
        return known[fact] == label
    [(kind, inner)] = condition.items()
    if kind == "not":
        return not hidden_holds(inner, known)
    return GATES[kind](hidden_holds(c, known) for c in inner)


class Oracle:
    def __init__(self, doc):
        self.doc, doc = doc, computed(doc)
        self.actions, budget = doc["actions"], doc["budget"]
        self.budget = budget if isinstance(budget, dict) else {"": budget}
        self.ways = joint(doc.get("hidden", {}))
        self.counters = {
            name: (int(low), int(high))
            for name, body in doc.get("counters", {}).items()
            for low, high in [str(body["range"]).split("..")]
        }
        self.root = State(
            (),
            tuple(map(amount, self.budget.values())),
            tuple(
                int(body.get("start", min(max(low, 0), high)))
                for body, (low, high) in zip(
                    doc.get("counters", {}).values(),
                    self.counters.values(),
                    strict=True,
                )
            ),
            tuple(likely for _, likely in self.ways),
        )
        self.is_cost = doc.get("objective", "most-reward") == "least-cost"
        # With "least-cost" and one resource, its cost is what counts.
        self.weights = self.per_resource(doc.get("cost_weight", int(self.is_cost)))
        self.attempts = {
            n: amount(b.get("attempts", 1)) for n, b in self.actions.items()
        }
        self.offers = {name: self.offered(body) for name, body in self.actions.items()}
        always, never = {"all": []}, {"any": []}
        self.paid = [(r, self.test(r.get("when", always))) for r in doc["rewards"]]
        self.required = {
            name: self.test(body.get("requires", always))
            for name, body in self.actions.items()
        }
        self.precluded = {
            name: self.test(body.get("precluded_by", never))
            for name, body in self.actions.items()
        }
        # These do nothing but come out.
        self.plain = {
            name
            for name, body in self.actions.items()
            if "hidden" not in doc
            and "effects" not in body
            and not any(isinstance(o, dict) for o in body["outcomes"].values())
        }
        # These remember what they return.
        for name in ("steps", "reward", "value", "worth", "outcome_costs", "dearest"):
            setattr(self, name, cache(getattr(self, name)))

    def per_resource(self, written):
        """One number per resource: absent ones are 0, a bare number goes for each."""
        if not isinstance(written, dict):
            written = dict.fromkeys(self.budget, written)
        if "" in self.budget and set(written) == {"budget"}:
            written = {"": written["budget"]}
        assert set(written) <= set(self.budget), f"unknown resource in {written}"
        return tuple(amount(written.get(resource, 0)) for resource in self.budget)

    def offered(self, body):
        """What the action may be: the first whose condition holds counts."""
        clauses = [*body.get("given", []), {"when": {"all": []}}]
        bodies = [body | clause for clause in clauses]
        return [
            Offer(
                self.test(now["when"]),
                self.per_resource(now.get("cost", 1)),
                self.probabilities(now),
            )
            for now in bodies
        ]

    def probabilities(self, body):
        return possible(body["outcomes"])

    def count(self, state, action, outcome=None):
        """How often the action came out so, or was attempted at all."""
        if outcome is None:
            return [a for a, _ in state.happened].count(action)
        assert outcome in self.actions[action]["outcomes"], (action, outcome)
        return state.happened.count((action, outcome))

    def holds(self, condition, state, way=None):
        """Whether a condition holds at a state, if the hidden facts are this way."""
        return self.test(condition)(state, way)

    def test(self, condition):
        """The condition as a function of a state and of how the hidden facts are."""
        if isinstance(condition, str):
            return self.test_of_text(condition)
        [(kind, inner)] = condition.items()
        if kind == "not":
            opposite = self.test(inner)
            return lambda state, way: not opposite(state, way)
        least = None
        if kind == "at_least":
            [(least, inner)] = inner.items()
        parts = [self.test(each) for each in inner]
        if least is not None:
            return lambda state, way: sum(p(state, way) for p in parts) >= int(least)
        gate = GATES[kind]
        return lambda state, way: gate(part(state, way) for part in parts)

    def test_of_text(self, condition):
        if compared := comparison(condition):
            return lambda state, _: self.compares(state, *compared)
        name, *outcome = literal(condition)
        if name in self.doc.get("hidden", {}):
            return lambda _, way: way[name] == outcome[0]
        if not outcome:
            return lambda state, _: self.count(state, name) > 0
        assert outcome[0] in self.actions[name]["outcomes"], condition
        happening = (name, outcome[0])
        return lambda state, _: happening in state.happened

    def compares(self, state, kind, measured, counter, sign, written):
        if kind == "count":
            has = self.count(state, *literal(measured))
        elif kind == "left":
            names = ["budget" if name == "" else name for name in self.budget]
            has = state.left[names.index(*literal(measured))]
        else:
            has = state.counters[list(self.counters).index(*literal(counter))]
        return SIGNS[sign](has, number(written))

    def reward(self, state):
        """What stopping pays: on average, where it depends on hidden facts."""
        if self.is_cost:
            if self.may_finish(state):
                return 0
            return -number(self.doc.get("unfinished", "unlimited"))
        if state.ended == "lose":
            return 0
        if len(self.ways) == 1:
            return self.reward_if(state, self.ways[0][0])
        pairs = zip(state.belief, self.ways, strict=True)
        return sum(p * self.reward_if(state, way) for p, (way, _) in pairs if p)

    def reward_if(self, state, way):
        rewards = [r for r, pays in self.paid if pays(state, way)]
        held = [
            number(reward["value"]) * self.times(reward, state) for reward in rewards
        ]
        return (sum if self.doc.get("combine", "max") == "sum" else max)([0, *held])

    def times(self, reward, state):
        if "per" not in reward:
            return 1
        return state.counters[list(self.counters).index(*literal(reward["per"]))]

    def may_finish(self, state):
        return self.holds(self.doc.get("finish", {"all": []}), state)

    def may_stop(self, state):
        """One may stop where it is finished, or where nothing can be done."""
        if "finish" not in self.doc:
            return True
        return self.may_finish(state) or not self.steps(state)

    def available(self, state):
        """
        Every action that can be taken and paid for, what it is, what is left.

        What it is depends on hidden facts, perhaps; what it costs does not.
        """
        attempted = Counter(action for action, _ in state.happened)
        for action in self.actions:
            if (
                state.ended is None
                and attempted[action] < self.attempts[action]
                and self.required[action](state, None)
                and not self.precluded[action](state, None)
            ):
                [now, *others] = filter(None, self.now(action, state))
                assert all(other.cost == now.cost for other in others)
                paid = zip(state.left, now.cost, strict=True)
                left = tuple(have - cost for have, cost in paid)
                if min(map(sub, left, self.dearest(action))) >= 0:
                    yield action, now, left

    def dearest(self, action):
        """The most that an outcome of the action costs of each resource."""
        costs = self.outcome_costs(action).values()
        return [max(each) for each in zip(*costs, strict=True)]

    def now(self, action, state):
        """What an action is under each way the hidden facts may be, if possible."""
        if len(self.ways) == 1:
            way = self.ways[0][0]
            return [next(o for o in self.offers[action] if o.when(state, way))]
        return [
            next(o for o in self.offers[action] if o.when(state, way)) if p else None
            for p, (way, _) in zip(state.belief, self.ways, strict=True)
        ]

    def long(self, action, outcome):
        written = self.actions[action]["outcomes"][outcome]
        return written if isinstance(written, dict) else {}

    def outcome_costs(self, action):
        return {
            outcome: self.per_resource(self.long(action, outcome).get("cost", 0))
            for outcome in self.actions[action]["outcomes"]
        }

    def steps(self, state):
        """Every action that is available, with its children."""
        steps = []
        for action, now, left in self.available(state):
            if action in self.plain:
                children = {
                    outcome: (p, after(state, action, outcome, left))
                    for outcome, p in now.probabilities.items()
                }
                steps.append(Step(action, now.cost, children))
                continue
            offers, children, cost = self.now(action, state), {}, now.cost
            for outcome in self.actions[action]["outcomes"]:
                # Bayes' rule: how likely with each way, all together, and afterwards.
                together = [
                    p * offer.probabilities.get(outcome, 0) if offer else Fraction(0)
                    for p, offer in zip(state.belief, offers, strict=True)
                ]
                if not (p := sum(together)):
                    continue
                extra = self.outcome_costs(action)[outcome]
                rest = tuple(have - c for have, c in zip(left, extra, strict=True))
                child = after(state, action, outcome, rest)._replace(
                    belief=tuple(Fraction(each) / p for each in together),
                    counters=self.counted(state, action, outcome),
                    ended=self.long(action, outcome).get("ends"),
                )
                children[outcome] = p, child
                cost = [c + p * more for c, more in zip(cost, extra, strict=True)]
            steps.append(Step(action, tuple(cost), children))
        return steps

    def counted(self, state, action, outcome):
        """Where the counters stand once an action has come out so."""
        bodies = (self.actions[action], self.long(action, outcome))
        changes = [body.get("effects", {}) for body in bodies]
        found = []
        for (name, (low, high)), stood in zip(
            self.counters.items(), state.counters, strict=True
        ):
            change = sum(int(number(each.get(name, 0))) for each in changes)
            found.append(max(low, min(high, stood + change)))
        return tuple(found)

    def value(self, state):
        """Phi(s): stopping, or the best step with everything that may follow it."""
        stopping = [self.reward(state)] if self.may_stop(state) else []
        return max([*stopping, *map(self.gain, self.steps(state))])

    def gain(self, step):
        paid = sum(w * c for w, c in zip(self.weights, step.cost, strict=True))
        return sum(p * self.value(s) for p, s in step.children.values()) - paid

    def optimal(self, state):
        """The optimal steps; none if stopping is optimal, as stopping beats acting."""
        if self.may_stop(state) and self.reward(state) == self.value(state):
            return []
        steps = self.steps(state)
        return [step for step in steps if self.gain(step) == self.value(state)]

    def worth(self, objective, state):
        """The least worth under the objective that an optimal tree from here has."""
        (leaf, decision), worths = OBJECTIVES[objective], []
        for _, cost, children in self.optimal(state):
            kids = [(p, self.worth(objective, child)) for p, child in children.values()]
            worths.append(decision(sum(cost), kids))
        return min(worths, default=leaf)

    def reachable(self, cap=math.inf):
        """The states any steps lead to from the root; gives up once over `cap`."""
        found, waiting = {self.root}, [self.root]
        while waiting and len(found) <= cap:
            for step in self.steps(waiting.pop()):
                waiting += (new := {s for _, s in step.children.values()} - found)
                found |= new
        return found


def value(doc):
    """What the best plan is worth, or, where that is the objective, what it costs."""
    oracle = Oracle(doc)
    found = oracle.value(oracle.root)
    assert found > -math.inf, "every plan may get stuck"
    return -Fraction(found) if oracle.is_cost else Fraction(found)


def least(objective, doc):
    return (oracle := Oracle(doc)).worth(objective, oracle.root)


def num_reachable_states(doc, cap=math.inf):
    return len(Oracle(doc).reachable(cap))


fewest_nodes = partial(least, "fewest-nodes")
least_depth = partial(least, "least-depth")  # in actions
least_expected_cost = partial(least, "least-expected-cost")  # of all resources
fewest_expected_actions = partial(least, "fewest-expected-actions")
