"""The answer to a problem document by brute force, sharing no code with the package.

A document is the plain tree of a problem file. Its conditions are "action=outcome" or
"action" (names may stand in double quotes), {"all": [...]}, {"any": [...]}, {"not": c},
{"at_least": {"2": [...]}}.
Numbers are exact; the only float is infinity, for what is unlimited. The functions at
the end answer for a whole document; `Oracle(doc).value(state)` does for any state.
"""

import math
import re
from bisect import bisect
from collections import namedtuple
from fractions import Fraction
from functools import cache, lru_cache, partial

State = namedtuple("State", "happened left")  # sorted (action, outcome)s; per resource
Step = namedtuple("Step", "action cost children")  # outcome -> (probability, State)
Offer = namedtuple(
    "Offer", "when cost probabilities"
)  # what an action is while `when` holds

GATES = {"all": all, "any": any}

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
            kept = ("requires", "precluded_by", "when", "name", "parameters")
            return {k: v if k in kept else each(v, k) for k, v in tree.items()}
        if isinstance(tree, list):
            return [each(item) for item in tree]
        return tree if key == "combine" else worked_out(tree)

    return each(doc) if stated else doc


def possible(outcomes):
    """The probability of each outcome that can happen, with "rest" worked out."""
    known = {o: number(p) for o, p in outcomes.items() if p != "rest"}
    everything = dict.fromkeys(outcomes, 1 - sum(known.values())) | known
    return {outcome: p for outcome, p in everything.items() if p > 0}


@cache
def literal(text):
    """Split "action=outcome" or "action" into one or two names, undoing quotes."""
    names = re.findall(r'"((?:[^"\\]|\\.)+)"|([^"=]+)', text)
    return [re.sub(r"\\(.)", r"\1", quoted) or plain for quoted, plain in names]


def amount(written):
    """A number to spend; a whole one as an int, which is quicker to take away from."""
    exact = number(written)
    return int(exact) if exact != math.inf and exact.denominator == 1 else exact


def after(state, action, outcome, left):
    """The state once the action has come out so, with this much left."""
    place = bisect(state.happened, (action, outcome))
    before, later = state.happened[:place], state.happened[place:]
    return State((*before, (action, outcome), *later), left)


class Oracle:
    def __init__(self, doc):
        self.doc, doc = doc, computed(doc)
        self.actions, budget = doc["actions"], doc["budget"]
        self.paid = doc["rewards"]
        self.budget = budget if isinstance(budget, dict) else {"": budget}
        self.root = State((), tuple(map(amount, self.budget.values())))
        self.weights = self.per_resource(doc.get("cost_weight", 0))
        self.attempts = {
            n: amount(b.get("attempts", 1)) for n, b in self.actions.items()
        }
        self.offers = {name: self.offered(body) for name, body in self.actions.items()}
        for name in ("steps", "reward", "value", "worth"):  # remember what they return
            setattr(self, name, cache(getattr(self, name)))

    def per_resource(self, written):
        """One number per resource: absent ones are 0, a bare number goes for each."""
        if not isinstance(written, dict):
            written = dict.fromkeys(self.budget, written)
        assert set(written) <= set(self.budget), f"unknown resource in {written}"
        return tuple(amount(written.get(resource, 0)) for resource in self.budget)

    def offered(self, body):
        """What the action may be: the first whose condition holds counts."""
        clauses = [*body.get("given", []), {"when": {"all": []}}]
        bodies = [body | clause for clause in clauses]
        return [
            Offer(
                now["when"],
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

    def holds(self, condition, state):
        if isinstance(condition, str):
            return self.count(state, *literal(condition)) > 0
        [(kind, inner)] = condition.items()
        if kind == "not":
            return not self.holds(inner, state)
        if kind == "at_least":
            [(count, inner)] = inner.items()
            return sum(self.holds(c, state) for c in inner) >= int(count)
        return GATES[kind](self.holds(c, state) for c in inner)

    def reward(self, state):
        rewards = [r for r in self.paid if self.holds(r["when"], state)]
        held = [number(reward["value"]) for reward in rewards]
        return (sum if self.doc.get("combine", "max") == "sum" else max)([0, *held])

    def available(self, state):
        """Every action that can be taken and paid for, what it is, what is left."""
        for action, body in self.actions.items():
            if (
                self.count(state, action) < self.attempts[action]
                and self.holds(body.get("requires", {"all": []}), state)
                and not self.holds(body.get("precluded_by", {"any": []}), state)
            ):
                now = next(o for o in self.offers[action] if self.holds(o.when, state))
                paid = zip(state.left, now.cost, strict=True)
                left = tuple(have - cost for have, cost in paid)
                if min(left) >= 0:
                    yield action, now, left

    def steps(self, state):
        """Every action that is available, with its children."""
        steps = []
        for action, now, left in self.available(state):
            children = {
                outcome: (p, after(state, action, outcome, left))
                for outcome, p in now.probabilities.items()
            }
            steps.append(Step(action, now.cost, children))
        return steps

    def value(self, state):
        """Phi(s): stopping, or the best step with everything that may follow it."""
        return max([self.reward(state), *map(self.gain, self.steps(state))])

    def gain(self, step):
        paid = sum(w * c for w, c in zip(self.weights, step.cost, strict=True))
        return sum(p * self.value(s) for p, s in step.children.values()) - paid

    def optimal(self, state):
        """The optimal steps; none if stopping is optimal, as stopping beats acting."""
        steps = self.steps(state) if self.reward(state) < self.value(state) else []
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
    return Fraction((oracle := Oracle(doc)).value(oracle.root))


def least(objective, doc):
    return (oracle := Oracle(doc)).worth(objective, oracle.root)


def num_reachable_states(doc, cap=math.inf):
    return len(Oracle(doc).reachable(cap))


fewest_nodes = partial(least, "fewest-nodes")
least_depth = partial(least, "least-depth")  # in actions
least_expected_cost = partial(least, "least-expected-cost")  # of all resources
fewest_expected_actions = partial(least, "fewest-expected-actions")
