"""
Each rule by which the checker forgets something, at every state of small problems.

What a state of the checker is worth must be what the brute force finds at every
history that leads there. `MUTANTS` makes each rule a little too strong, and these
comparisons must notice.
"""

import json
import types
from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest

import branchwise
from branchwise.certificate import checker
from branchwise.certificate.problem_document import problem_document
from oracles.oracle import Oracle
from problems.gadgets import gadget_documents
from problems.strategies import seeded_documents

SOURCE = Path(checker.__file__).read_text(encoding="utf-8")

MUTANTS = {
    "1: any part of `any` will do, so all are demanded": (
        'operator.or_ if condition.kind == "all" else operator.and_',
        "operator.or_",
    ),
    "1: what costs all that is left is too dear": (
        "any(all(map(operator.le, cost, left)) for cost in ways)",
        "any(all(map(operator.lt, cost, left)) for cost in ways)",
    ),
    "1: an action costs the most it ever may": (
        "prices = [m.least for m in modes if m.facts & mask]",
        "prices = [m.most for m in modes if m.facts & mask]",
    ),
    "1: all rewards must be paid for, not one": (
        "return any(all(map(operator.le, cost, left)) for cost in ways)",
        "return all(all(map(operator.le, cost, left)) for cost in ways)",
    ),
    "1: only rewards are open, no penalty": (
        "for g, c in pairs if c not in (TRUE, FALSE)",
        "for g, c in pairs if c not in (TRUE, FALSE) and g",
    ),
    "2: every action is taken once only": (
        "m.attempts * most if most else 0",
        "most",
    ),
    "2: every action is taken at its least price": (
        "m.attempts * most if most else 0 for most in m.most",
        "m.attempts * most if most else 0 for most in m.least",
    ),
    "3: a reward that holds by now holds for good": (
        "            if TRUE in rewards:\n                at = rewards.index(TRUE)",
        "            now = [c.now for c in rewards]\n"
        "            if any(now):\n                at = now.index(True)",
    ),
    "3: a reward for good makes the greater ones idle": (
        "first, rest = rewards[:at], rewards[at + 1 :]",
        "first, rest = (FALSE,) * at, rewards[at + 1 :]",
    ),
    "3: of a sum, too, the lesser rewards are idle": (
        "later = (FALSE, *rest) if self.is_sum else",
        "later = (FALSE, *[FALSE] * len(rest)) if self.is_sum else",
    ),
    "4: a gate that is shut by now is shut for good": (
        "if m.gate is not FALSE and m.facts & wanted",
        "if m.gate.now and m.facts & wanted",
    ),
    "5: only what rewards name is wanted": (
        "wanted |= mode.asks if mode.facts & wanted else 0",
        "wanted |= 0",
    ),
    "5: what a `when` asks is not wanted": (
        "self.asks = gate.needs | union(when.names for when, _ in rest)",
        "self.asks = gate.needs",
    ),
    "5: what makes a `when` false is not wanted": (
        "self.asks = gate.needs | union(when.names for when, _ in rest)",
        "self.asks = gate.needs | union(when.needs for when, _ in rest)",
    ),
    "5: what a gate asks is not wanted": (
        "self.asks = gate.needs | union(when.names for when, _ in rest)",
        "self.asks = union(when.names for when, _ in rest)",
    ),
    "5: what ends a penalty is not wanted": (
        "union(c.needs if g else c.avoids for g, c in worth)",
        "union(c.needs if g else 0 for g, c in worth)",
    ),
    "5: of what opens a gate only that is wanted which is wanted anyhow": (
        "wanted |= mode.asks if mode.facts & wanted else 0",
        "wanted |= (0 if mode.gate.needs & wanted else mode.asks)"
        " if mode.facts & wanted else 0",
    ),
    "6: what cannot come about by now never will": (
        "false = ~union(mode.possible for mode in modes)",
        "false = ~union(mode.terms.possible for mode in modes)",
    ),
    "6: what has to wait never comes about": (
        "false = ~union(mode.possible for mode in modes)",
        "false = ~union(mode.possible for mode in modes if mode.gate.now)",
    ),
    "close: a sum is no more than its greatest reward": (
        "return sum(some, ZERO) if self.is_sum else max(some, default=ZERO)",
        "return sum(some, ZERO) if self.is_sum and now else max(some, default=ZERO)",
    ),
    "close: what holds for now is all there is": (
        "c.now if now else c is not FALSE and v > 0",
        "c.now",
    ),
    "close: penalties are certain": (
        "c.now if now else c is not FALSE and v > 0",
        "c.now if now else c is not FALSE",
    ),
    "reveal: one number tells all attempts": (
        "self.is_unknown = attempts == 1 and is_open",
        "self.is_unknown = is_open",
    ),
    "reveal: what was revealed is a sure price as well": (
        "sure = self.the_terms(terms.price, terms.charge, ((bit, ONE),))",
        "sure = self.the_terms(terms.price, terms.charge + 1, ((bit, ONE),))",
    ),
    "reveal: every variant comes out as the last one does": (
        "bit, _ = terms.probabilities[sum(end <= low for end in upto)]",
        "bit, _ = mode.variants[-1][1].probabilities[sum(e <= low for e in ends[-1])]",
    ),
    "expand: an attempt is not used up": (
        "if (n := m.attempts - (m is mode))",
        "if (n := m.attempts)",
    ),
    "expand: what takes all that is left is not available": (
        "all(map(operator.le, m.terms.price, state[0]))",
        "all(map(operator.lt, m.terms.price, state[0]))",
    ),
    "states: conditions of the same facts are one": (
        "key = kind, frozenset(found)",
        "key = frozenset(found)",
    ),
    "states: a negated fact is one with the fact": (
        "return self.known.setdefault((bit, is_wanted), new)",
        "return self.known.setdefault(bit, new)",
    ),
}


class Histories:
    """Every history of a problem, with what the checker makes of the state after it."""

    def __init__(self, document, judge):
        problem = branchwise.read_text(json.dumps(document), "json")
        written = problem_document(problem)
        self.oracle, self.read = Oracle(document), judge.Problem(written)
        self.space = self.read.space
        self.modes = [self.read.mode(action) for action in written["actions"]]
        whens = [reward["when"] for reward in written["rewards"]]
        self.rewards = [self.read.condition(when, is_wanted=True) for when in whens]
        self.values = {}

    def states(self):
        """Every raw state once, and what is left of the checker's budget there."""
        root = self.oracle.root
        found = {root: self.read.left}
        for state in (pending := [root]):
            raw = self.raw(state, found[state])
            modes = {mode.name: mode for mode in self.space.available(raw)}
            steps = self.oracle.steps(state)
            assert set(modes) == {step.action for step in steps}
            yield state, raw
            for step in steps:
                price = modes[step.action].terms.price
                left = tuple(h - p for h, p in zip(found[state], price, strict=True))
                for _, child in step.children.values():
                    if child not in found:
                        found[child] = left
                        pending.append(child)

    def raw(self, state, left):
        """A state of the checker that has forgotten nothing but what is settled."""
        true = checker.union({self.read.bits[event] for event in state.happened})
        taken = [action for action, _ in state.happened]
        rest = [(mode, mode.attempts - taken.count(mode.name)) for mode in self.modes]
        modes = [
            self.space.mode(m, attempts, true, 0) for m, attempts in rest if attempts
        ]
        rewards = [self.space.settled(reward, true, 0) for reward in self.rewards]
        return left, tuple(modes), tuple(rewards)

    def value(self, state):
        """What a state of the checker is worth, by stopping and by every action."""
        if state not in self.values:
            acts = [
                self.mean(self.space.children(state, mode)) - mode.terms.charge
                for mode in self.space.available(state)
            ]
            self.values[state] = max([self.space.worth(state, now=True), *acts])
        return self.values[state]

    def mean(self, branches):
        return sum((p * (g + self.value(s)) for p, g, s in branches), Fraction(0))


def compare(document, judge):
    """At every history: the same value, and no bound below it."""
    histories = Histories(document, judge)
    for state, raw in histories.states():
        gained, normal = histories.space.normal(*raw)
        value = histories.oracle.value(state)
        assert gained + histories.value(normal) == value, (document, state)
        assert gained + histories.space.worth(normal, now=False) >= value, document
        for mode in normal[1]:
            if mode.is_unknown:
                revealed = histories.space.revealed(normal, mode)
                assert gained + histories.mean(revealed) >= value, (document, mode.name)


def small_documents(count, seed):
    """Problems of every kind, and those in which openers matter."""
    return chain(
        seeded_documents(count, seed, max_actions=5, max_states=60),
        gadget_documents(count, seed),
    )


@pytest.mark.parametrize("portion", range(10))
def test_a_state_is_worth_what_every_history_to_it_is(portion):
    for document in small_documents(10, f"rules/{portion}"):
        compare(document, checker)


def mutated(old, new):
    """The checker with one of its rules too strong."""
    assert SOURCE.count(old) == 1, old
    module = types.ModuleType("mutated")
    exec(compile(SOURCE.replace(old, new), "mutated", "exec"), module.__dict__)
    return module


@pytest.mark.parametrize("name", MUTANTS)
def test_a_rule_that_is_too_strong_is_noticed(name):
    judge = mutated(*MUTANTS[name])
    documents = small_documents(400, "mutants")

    assert any(is_noticed(document, judge) for document in documents)


def is_noticed(document, judge):
    """Whether the comparison fails, or cannot even be made."""
    try:
        compare(document, judge)
    except (AssertionError, ArithmeticError, LookupError, RecursionError):
        return True
    return False
