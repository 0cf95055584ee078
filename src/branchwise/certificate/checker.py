"""
Accepts or rejects a certificate of branchwise, in exact arithmetic.

It stands alone and shares no code with what solved the problem: copy this file
anywhere and run `python checker.py CERTIFICATE`. A certificate holds a problem, a claim
(the best plan is worth at least L and at most U) and two lists of rows, each about one
state. Row 0 is about the root; the others follow as rows before them lead to them.

* `policy` proves L. `[v, action]`: taking it here, then what the rows of its outcomes
  say, is worth v or more. `[v, null]`: stopping is.
* `bounds` proves U. No plan is worth more than v from here, because
  `[v, "close"]`: all that can still be earned is no more;
  `[v, "expand"]`: neither stopping nor any available action is worth more, by the rows
  of their outcomes;
  `[v, "reveal", action]`: even knowing beforehand how this action would come out, which
  can only help, no plan gets more on average, by the rows of what could be revealed.

Rows lead only to states with fewer attempts, less budget or less unknown, or, where a
problem has its states written out, to later ones, or, where it has counters or hidden
facts, to states in which more has happened, so that by induction every row is
true. Nothing is searched: the work is bounded by the number of
rows times a power (the third) of the size of the problem.
"""

import json
import math
import operator
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

FORMAT = "branchwise certificate 2"
LARGEST = 2**28
ZERO, ONE = Fraction(0), Fraction(1)
MALFORMED = ArithmeticError, AttributeError, LookupError, TypeError, ValueError


class RejectedError(Exception):
    """The certificate proves nothing: where, and why."""


def demand(truth: object, where: object, why: str) -> None:
    """Reject the certificate unless this is so."""
    if not truth:
        raise RejectedError(f"{where}: {why}")


def union(masks: Iterable[int]) -> int:
    """All bits of some masks."""
    return reduce(operator.or_, masks, 0)


class Condition:
    """All or any of some; or, without parts, that a fact has or has not come true."""

    def __init__(
        self, kind: str, parts: Any, needs: int, avoids: int, now: Any
    ) -> None:
        self.kind, self.parts, self.now = kind, parts, now  # now: as no open fact holds
        self.needs, self.avoids = needs, avoids  # the open facts it names, as bits
        self.names = needs | avoids


TRUE = Condition("all", (), 0, 0, now=True)
FALSE = Condition("any", (), 0, 0, now=False)


class Terms:
    """Prices in the finite resources, a charge, and the probabilities of facts."""

    def __init__(self, price: Any, charge: Fraction, probabilities: Any) -> None:
        self.price, self.charge = price, charge
        self.probabilities = probabilities  # of those that are not zero, by bit
        self.possible = union(bit for bit, _ in probabilities)


class Mode:
    """An action as it is now. Of its variants, the first `when` that holds counts."""

    def __init__(self, action: Any, attempts: Any, gate: Condition, rest: Any) -> None:
        self.name, self.facts = self.action = action
        self.attempts, self.gate = attempts, gate
        self.variants = rest  # pairs: when a variant counts, and its terms
        self.terms = next(terms for when, terms in rest if when.now)
        prices = list(zip(*[terms.price for _, terms in rest], strict=True))
        self.least, self.most = list(map(min, prices)), list(map(max, prices))
        self.possible = union(terms.possible for _, terms in rest)
        self.asks = gate.needs | union(when.names for when, _ in rest)
        self.names = self.asks | gate.avoids
        is_open = any(len(terms.probabilities) > 1 for _, terms in rest)
        self.is_unknown = attempts == 1 and is_open


State = tuple[tuple[int, ...], tuple[Mode, ...], tuple[Condition, ...]]
Branch = tuple[Fraction, Fraction, State]  # probability, what is gained, where it leads


class Space:
    """The states of a problem: what is left, the actions, conditions of the rewards."""

    def __init__(self, values: list[Fraction], *, is_sum: bool) -> None:
        self.values, self.is_sum = values, is_sum  # of the rewards, falling
        self.are_gains = [value > 0 for value in values]
        self.known: dict[Any, Condition] = {}  # equal conditions are one object,
        self.the_terms, self.the_mode = cache(Terms), cache(Mode)  # so are the others
        self.simple, self.costs = cache(self._simple), cache(self._costs)
        self.children = lru_cache(4096)(self._children)

    def fact(self, bit: int, *, is_wanted: bool) -> Condition:
        """The condition that a fact has come true, or that it has not."""
        new = Condition("", (), bit * is_wanted, bit * (not is_wanted), not is_wanted)
        return self.known.setdefault((bit, is_wanted), new)

    def join(self, kind: str, parts: Iterable[Condition]) -> Condition:
        """All or any of some conditions, less what is decided."""
        decided, neutral = (FALSE, TRUE) if kind == "all" else (TRUE, FALSE)
        found: dict[Condition, None] = {}
        for part in parts:
            found.update(dict.fromkeys(part.parts if part.kind == kind else [part]))
        if decided in found or len(found) < 2:
            return decided if decided in found else next(iter(found), neutral)
        key = kind, frozenset(found)
        if key not in self.known:
            needs = union(part.needs for part in found)
            avoids = union(part.avoids for part in found)
            now = (all if kind == "all" else any)(part.now for part in found)
            self.known[key] = Condition(kind, tuple(found), needs, avoids, now)
        return self.known[key]

    def settled(self, condition: Condition, true: int, false: int) -> Condition:
        """What is left of a condition once some facts are true or false for good."""
        if not condition.names & (true | false):
            return condition
        if not condition.parts:
            return TRUE if condition.needs & true or condition.avoids & false else FALSE
        key = condition, true & condition.names, false & condition.names
        if key not in self.known:
            parts = [self.settled(part, true, false) for part in condition.parts]
            self.known[key] = self.join(condition.kind, parts)
        return self.known[key]

    def mode(self, mode: Mode, attempts: Any, true: int, false: int) -> Mode:
        """What is left of an action, with so many attempts left."""
        if attempts == mode.attempts and not mode.names & (true | false):
            return mode
        rest: list[Any] = []
        for when, terms in mode.variants:
            settled = self.settled(when, true, false)
            if settled is not FALSE and (not rest or rest[-1][0] is not TRUE):
                rest.append((settled, terms))
        gate = self.settled(mode.gate, true, false)
        return self.the_mode(mode.action, attempts, gate, tuple(rest))

    # A state is a problem of its own, the rest of the given one, and forgets all that
    # makes no difference. A plan in this normal form can be carried out in the problem,
    # for the same worth; and no plan of the problem is worth more than the best one
    # here, because of rules (1) to (6).

    def normal(self, left: Any, modes: Any, rewards: Any) -> tuple[Fraction, State]:
        """What is gained for good, and the state of what is left."""
        gained, before = ZERO, None
        while modes != before:
            more, modes, rewards = self.simple(modes, rewards)
            gained, before = gained + more if more else gained, modes
            # (1) Stopping is as good as an action after which, with all that has to be
            # taken for it and for a reward, nothing more can be paid for and earned.
            least = map(sum, zip(*[mode.least for mode in modes], strict=True))
            if any(map(operator.gt, least, left)):
                pairs = zip(modes, self.costs(modes, rewards), strict=True)
                modes = tuple([m for m, ways in pairs if can_pay(left, ways)])
        # (2) Nobody spends more than all attempts there are can cost.
        costs = [[m.attempts * most if most else 0 for most in m.most] for m in modes]
        most = map(sum, zip([0] * len(left), *costs, strict=True))
        return gained, (tuple(map(min, left, most)), modes, rewards)

    def _simple(self, modes: Any, rewards: Any) -> Any:
        """Forget what makes no difference, whatever is left of the budget."""
        gained, before = ZERO, None
        while (modes, rewards) != before:
            before = modes, rewards
            # (3) A reward that holds for good is gained, or makes all lesser ones idle.
            if TRUE in rewards:
                at = rewards.index(TRUE)
                first, rest = rewards[:at], rewards[at + 1 :]
                gained += self.values[at] * self.is_sum
                later = (FALSE, *rest) if self.is_sum else (TRUE, *[FALSE] * len(rest))
                rewards = first + later
            # (4) An action whose gate is shut for good is never taken. (5) One whose
            # facts help nobody need not be: who takes it can as well imagine how it
            # came out, and nothing wanted gets less likely, dearer or ruled out so.
            wanted = self.wanted(modes, rewards)
            modes = [m for m in modes if m.gate is not FALSE and m.facts & wanted]
            # (6) A fact is false for good if no action that is left comes out so.
            false = ~union(mode.possible for mode in modes)
            modes = tuple([self.mode(mode, mode.attempts, 0, false) for mode in modes])
            rewards = tuple([self.settled(reward, 0, false) for reward in rewards])
        return gained, modes, rewards

    def wanted(self, modes: Any, rewards: Any) -> int:
        """The facts that may help: rewards, wanted actions, or their probabilities."""
        worth = zip(self.are_gains, rewards, strict=True)
        wanted, before = union(c.needs if g else c.avoids for g, c in worth), -1
        while wanted != before:
            before = wanted
            for mode in modes:
                wanted |= mode.asks if mode.facts & wanted else 0
        return wanted

    def _costs(self, modes: Any, rewards: Any) -> list[list[list[int]]]:
        """The least it takes to take each action and to come to each open reward."""
        taken = dict.fromkeys([m.facts for m in modes], union(m.facts for m in modes))

        @cache
        def must(condition: Condition) -> int:  # the actions that have to be taken
            if condition.now:
                return 0
            if not condition.parts:
                return next(t for facts, t in taken.items() if facts & condition.needs)
            combine = operator.or_ if condition.kind == "all" else operator.and_
            return reduce(combine, map(must, condition.parts))

        @cache
        def price(mask: int) -> list[int]:
            prices = [m.least for m in modes if m.facts & mask]
            return list(map(sum, zip(*prices, strict=True)))

        before = None
        while taken != before:
            before = dict(taken)
            must.cache_clear()
            for mode in modes:
                taken[mode.facts] = mode.facts | must(mode.gate)
        pairs = zip(self.are_gains, rewards, strict=True)
        ways = [must(c) if g else 0 for g, c in pairs if c not in (TRUE, FALSE)]
        return [[price(taken[m.facts] | way) for way in ways] for m in modes]

    def worth(self, state: State, *, now: bool) -> Fraction:
        """What stopping pays; or, if not now, what nobody can ever earn more than."""
        pairs = zip(self.values, state[2], strict=True)
        some = [v for v, c in pairs if (c.now if now else c is not FALSE and v > 0)]
        return sum(some, ZERO) if self.is_sum else max(some, default=ZERO)

    def available(self, state: State) -> list[Mode]:
        """The actions that can be taken."""
        able = [mode for mode in state[1] if mode.gate.now]
        return [m for m in able if all(map(operator.le, m.terms.price, state[0]))]

    def _children(self, state: State, mode: Mode) -> tuple[Branch, ...]:
        """Where the outcomes of an available action lead."""
        left = tuple(map(operator.sub, state[0], mode.terms.price))
        rest = [(m, n) for m in state[1] if (n := m.attempts - (m is mode))]
        branches: list[Branch] = []
        for bit, probability in mode.terms.probabilities:
            modes = tuple([self.mode(m, attempts, bit, 0) for m, attempts in rest])
            rewards = tuple([self.settled(reward, bit, 0) for reward in state[2]])
            branches.append((probability, *self.normal(left, modes, rewards)))
        return tuple(branches)

    def revealed(self, state: State, mode: Mode) -> Iterator[Branch]:
        """What may be revealed: a number, by which each variant has its outcome."""
        chances = [[p for _, p in t.probabilities] for _, t in mode.variants]
        ends = [list(accumulate(each)) for each in chances]
        for low, high in pairwise(sorted({ZERO}.union(*ends))):
            rest = []
            for (when, terms), upto in zip(mode.variants, ends, strict=True):
                bit, _ = terms.probabilities[sum(end <= low for end in upto)]
                sure = self.the_terms(terms.price, terms.charge, ((bit, ONE),))
                rest.append((when, sure))
            known = self.the_mode(mode.action, 1, mode.gate, tuple(rest))
            modes = tuple([known if m is mode else m for m in state[1]])
            yield high - low, *self.normal(state[0], modes, state[2])


def can_pay(left: Any, ways: list[list[int]]) -> bool:
    """Whether there is enough left for one of several costs."""
    return any(all(map(operator.le, cost, left)) for cost in ways)


@lru_cache(4096)
def number(text: str, least: float = -math.inf) -> Fraction:
    """Read an exact number."""
    is_number = re.fullmatch("-?[0-9]{1,4000}(/[0-9]{1,4000})?", text)
    demand(is_number, text[:40], "is not a number, written as 3 or 3/5")
    top, _, below = text.partition("/")
    value = Fraction(int(top), int(below or 1))
    demand(value >= least, text[:40], f"is less than {least}")
    return value


def limit(text: str) -> Any:
    """Read what a row says; no plan is worth anything where none may end."""
    return -math.inf if text == "-inf" else number(text)


def whole(value: Any, least: int) -> int:
    """Read a whole number."""
    is_whole = type(value) is int and value >= least
    demand(is_whole, value, f"is not a whole number from {least} up")
    return int(value)


def take(document: Any, *keys: str) -> list[Any]:
    """The entries of an object that has these keys and no others."""
    demand(set(document) == set(keys), [*document], f"should be {[*keys]}")
    return [document[key] for key in keys]


class Problem:
    """The problem of a certificate: a space, and its root."""

    def __init__(self, document: Any) -> None:
        keys = "left", "combine", "actions", "rewards"
        left, combine, actions, rewards = take(document, *keys)
        demand(combine in ("max", "sum"), combine, "should be max or sum")
        names = {action["name"] for action in actions}
        events = [(a["name"], label) for a in actions for label in a["outcomes"]]
        are_different = len(names) == len(actions) and len(set(events)) == len(events)
        demand(are_different, "actions", "one of them, or an outcome, comes twice")
        self.bits = {event: 1 << place for place, event in enumerate(events)}
        lowest = -math.inf if combine == "sum" else 0
        values = [number(reward["value"], lowest) for reward in rewards]
        demand(values == sorted(values, reverse=True), "rewards", "should fall")
        self.space = Space(values, is_sum=combine == "sum")
        self.left = tuple([whole(amount, 0) for amount in left])
        modes = tuple([self.mode(action) for action in actions])
        whens = [take(reward, "value", "when")[1] for reward in rewards]
        conditions = tuple([self.condition(when, is_wanted=True) for when in whens])
        self.root = self.space.normal(self.left, modes, conditions)

    def mode(self, document: Any) -> Mode:
        """An action at the beginning."""
        keys = "name", "attempts", "outcomes", "gate", "variants"
        name, attempts, labels, gate, variants = take(document, *keys)
        rest = tuple([self.variant(name, document) for document in variants])
        demand(rest[-1][0] is TRUE, name, "its last variant should always hold")
        can_end = attempts is not None or all(any(terms.price) for _, terms in rest)
        demand(can_end, name, "can be taken for ever")
        facts = union(self.bits[name, label] for label in labels)
        most = math.inf if attempts is None else whole(attempts, 1)
        open_ = self.condition(gate, is_wanted=True)
        return self.space.the_mode((name, facts), most, open_, rest)

    def variant(self, name: str, document: Any) -> Any:
        """When a variant counts, what it costs, and its probabilities."""
        keys = "when", "price", "charge", "probabilities"
        when, price, charge, probabilities = take(document, *keys)
        demand(len(price) == len(self.left), name, "has a price for other resources")
        chances = [
            (self.bits[name, label], number(probability, 0))
            for label, probability in probabilities.items()
        ]
        is_whole = sum(p for _, p in chances) == 1
        demand(is_whole, name, "has probabilities that do not sum to 1")
        possible = tuple([(bit, p) for bit, p in chances if p])
        prices = tuple([whole(amount, 0) for amount in price])
        terms = self.space.the_terms(prices, number(charge, 0), possible)
        return self.condition(when, is_wanted=True), terms

    def condition(self, document: Any, *, is_wanted: bool) -> Condition:
        """A condition, or its opposite."""
        if isinstance(document, list):
            return self.space.fact(self.bits[tuple(document)], is_wanted=is_wanted)
        [(kind, inner)] = document.items()
        if kind == "not":
            return self.condition(inner, is_wanted=not is_wanted)
        if kind == "at_least":
            return self.at_least(*inner, is_wanted=is_wanted)
        demand(kind in ("all", "any"), kind, "should be all, any, at_least or not")
        parts = [self.condition(part, is_wanted=is_wanted) for part in inner]
        return self.space.join("all" if (kind == "all") is is_wanted else "any", parts)

    def at_least(self, count: Any, documents: Any, *, is_wanted: bool) -> Condition:
        """That so many conditions hold; its opposite is that too many do not."""
        join, missing = self.space.join, len(documents) - whole(count, 0)
        held = [TRUE] + [FALSE] * (count if is_wanted else missing + 1)
        for document in documents:  # held[n]: n of those before, and now this one, hold
            part = self.condition(document, is_wanted=is_wanted)
            for n in range(len(held) - 1, 0, -1):
                held[n] = join("any", [held[n], join("all", [part, held[n - 1]])])
        return held[-1]


class Step:
    """An action at a state that is written out."""

    is_unknown = False

    def __init__(self, document: Any, place: int, num_states: int) -> None:
        self.name, charge, branches = document
        self.terms = Terms((), number(charge), ())
        labels = [label for label, _, _ in branches]
        demand(len(set(labels)) == len(labels), self.name, "an outcome comes twice")
        chances = [number(chance, 0) for _, chance, _ in branches]
        demand(sum(chances) == 1, self.name, "has probabilities that do not sum to 1")
        children = [whole(child, place + 1) for _, _, child in branches]
        demand(max(children) < num_states, self.name, "leads to a state that is not")
        pairs = zip(chances, children, strict=True)
        self.branches = [(chance, ZERO, child) for chance, child in pairs if chance]


class Listed:
    """A problem whose states are written out: what stopping pays, and all actions."""

    def __init__(self, document: Any) -> None:
        [states] = take(document, "states")
        self.root, self.space = (ZERO, 0), self
        self.values = [number(reward) for reward, _ in states]
        count = len(states)
        self.steps = [
            [Step(step, place, count) for step in steps]
            for place, (_, steps) in enumerate(states)
        ]
        for steps in self.steps:
            names = [step.name for step in steps]
            demand(len(set(names)) == len(names), names, "an action comes twice")

    def worth(self, state: int, *, now: bool) -> Fraction:
        """What stopping pays; if not now, only where there is nothing else to do."""
        demand(now or not self.steps[state], state, "can go on, so it is not closed")
        return self.values[state]

    def available(self, state: int) -> list[Step]:
        """The actions that can be taken."""
        return self.steps[state]

    def children(self, _state: int, step: Step) -> list[tuple[Fraction, Fraction, int]]:
        """Where the outcomes of an action lead."""
        return step.branches


class Offer:
    """An action at a state with counters or hidden facts."""

    is_unknown = False

    def __init__(self, name: str, charge: Fraction, branches: Any) -> None:
        self.name, self.terms, self.branches = name, Terms((), charge, ()), branches


SIGNS: Any = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}


class Raw:
    """
    A problem with counters, hidden facts, endings or a condition for finishing.

    Nothing is forgotten of its states: what is left, how often each action was taken
    and came out as some condition asks, counters, how likely each assignment of the
    hidden facts is (whole numbers without a common divisor), and how it has ended.
    Every action is taken once more than before, so that rows never lead back.
    """

    def __init__(self, document: Any) -> None:
        keys = "left", "combine", "hidden", "counters", "actions", "rewards"
        left, combine, hidden, counters, actions, rewards, finish, unfinished = take(
            document, *keys, "finish", "unfinished"
        )
        demand(combine in ("max", "sum"), combine, "should be max or sum")
        self.space, self.is_sum = self, combine == "sum"
        self.actions = actions
        self.unfinished = math.inf if unfinished == "inf" else number(unfinished)
        self.ways = [labels for _, labels in hidden]
        self.ranges = {name: (low, high) for name, (low, high, _) in counters.items()}
        self.counter_places = {name: place for place, name in enumerate(self.ranges)}
        paid = [take(reward, "value", "when", "per") for reward in rewards]
        self.values = [number(value) * self.most(per) for value, _, per in paid]
        self.places = {a["name"]: place for place, a in enumerate(actions)}
        demand(len(self.places) == len(actions), "actions", "one of them comes twice")
        for action in actions:
            self.look_at(action, len(left))
        events = [(a["name"], label) for a in actions for label in a["outcomes"]]
        self.events = {event: place for place, event in enumerate(events)}
        self.finish = None if finish is None else self.meaning(finish)
        self.rewards = [(number(v), self.meaning(when), per) for v, when, per in paid]
        self.choices = [
            (a, self.meaning(a["gate"]), self.clauses(a["variants"])) for a in actions
        ]
        chances = [number(chance, 0) for chance, _ in hidden]
        demand(sum(chances) == 1, "hidden", "has probabilities that do not sum to 1")
        amounts = tuple([whole(amount, 0) for amount in left])
        begun = tuple([whole(start, low) for low, _, start in counters.values()])
        counts = (0,) * len(events)
        self.root = ZERO, (amounts, counts, begun, coprime(chances), "")
        self.available = lru_cache(4096)(self._available)

    def look_at(self, action: Any, num_resources: int) -> None:
        """Reject an action that is not what it should be."""
        keys = "name", "attempts", "outcomes", "gate", "variants"
        name, attempts, outcomes, _, variants = take(action, *keys)
        demand(attempts is None or whole(attempts, 1), name, "should have attempts")
        for label, outcome in outcomes.items():
            price, charge, effects, ends = take(
                outcome, "price", "charge", "effects", "ends"
            )
            demand(len(price) == num_resources, label, "is paid in other resources")
            demand(all(whole(p, 0) >= 0 for p in price), label, "has no price")
            demand(number(charge, 0) >= 0, label, "has no charge")
            demand(set(effects) <= set(self.ranges), label, "changes what is not")
            demand(ends in ("", "keep", "lose"), label, "should end or not")
        for variant in variants:
            _, price, charge, chances = take(
                variant, "when", "price", "charge", "probabilities"
            )
            demand(len(price) == num_resources, name, "has a price for others")
            demand(all(whole(p, 0) >= 0 for p in price), name, "has no price")
            demand(number(charge, 0) >= 0, name, "has no charge")
            total = sum(number(chance, 0) for chance in chances.values())
            demand(total == 1, name, "has probabilities that do not sum to 1")
            demand(set(chances) <= set(outcomes), name, "comes out as it cannot")

    def most(self, per: str | None) -> int:
        """How often a reward may be paid."""
        return 1 if per is None else max(map(abs, self.ranges[per]))

    def count(self, state: Any, action: str, label: str | None) -> int:
        """How often an action was taken, or came out so."""
        labels = self.actions[self.places[action]]["outcomes"]
        wanted = labels if label is None else [label]
        return sum(state[1][self.events[action, each]] for each in wanted)

    def meaning(self, condition: Any) -> Callable[[Any, Any], bool]:
        """What a condition asks of a state if the hidden facts are some way."""
        if isinstance(condition, list):
            return self.happened(*condition)
        [(kind, inner)] = condition.items()
        if kind in ("counter", "count", "left"):
            *what, sign, text = inner
            return self.compared(self.measure(kind, what), SIGNS[sign], number(text))
        if kind == "not":
            denied = self.meaning(inner)
            return lambda state, way: not denied(state, way)
        least, parts = inner if kind == "at_least" else (0, inner)
        held = [self.meaning(part) for part in parts]
        if kind == "at_least":
            enough = whole(least, 0)
            return lambda state, way: sum(h(state, way) for h in held) >= enough
        demand(kind in ("all", "any"), kind, "is no condition")
        joined = all if kind == "all" else any
        return lambda state, way: joined(h(state, way) for h in held)

    def clauses(self, variants: Any) -> list[Any]:
        """The variants of an action, each with when it counts."""
        return [(self.meaning(variant["when"]), variant) for variant in variants]

    def happened(self, name: str, label: str | None) -> Callable[[Any, Any], bool]:
        """Whether a hidden fact is so, or an action was taken, or came out so."""
        if any(name in way for way in self.ways):
            demand(name not in self.places, name, "is an action and a hidden fact")
            return lambda _, way: bool(way[name] == label)
        count = self.measure("count", [name, label])
        return lambda state, _: count(state) > 0

    def compared(
        self, measure: Callable[[Any], int], sign: Any, bound: Fraction
    ) -> Callable[[Any, Any], bool]:
        """How a number of a state compares with another one."""
        limit = int(bound) if bound.denominator == 1 else bound
        return lambda state, _: bool(sign(measure(state), limit))

    def measure(self, kind: str, what: Any) -> Callable[[Any], int]:
        """What a comparison is about: a counter, a count, or what is left."""
        if kind == "count":
            return lambda state: self.count(state, *what)
        [which] = what
        place = self.counter_places[which] if kind == "counter" else whole(which, 0)
        part = 2 if kind == "counter" else 0
        return lambda state: int(state[part][place])

    def worth(self, state: Any, *, now: bool) -> Any:
        """What stopping pays; if not now, only where there is nothing else to do."""
        _, _, _, weights, ended = state
        can_go_on = bool(self.available(state))
        demand(now or not can_go_on, state, "can go on, so it is not closed")
        is_finished = self.finish is None or self.finish(state, {})
        if not is_finished and can_go_on:
            return -math.inf  # One may not stop here.
        missed = ZERO if is_finished else self.unfinished
        if ended == "lose":
            return -missed
        ways = zip(weights, self.ways, strict=True)
        paid = sum((w * self.paid(state, way) for w, way in ways if w), ZERO)
        return paid / sum(weights) - missed

    def paid(self, state: Any, way: Any) -> Fraction:
        """What stopping pays if the hidden facts are this way."""
        held = [
            value * (1 if per is None else state[2][self.counter_places[per]])
            for value, when, per in self.rewards
            if when(state, way)
        ]
        return sum(held, ZERO) if self.is_sum else max([ZERO, *held])

    def _available(self, state: Any) -> list[Offer]:
        """The actions that can be taken."""
        if state[4]:
            return []
        offers = []
        for action, gate, clauses in self.choices:
            attempts, name = action["attempts"], action["name"]
            has_left = attempts is None or self.count(state, name, None) < attempts
            if has_left and gate(state, {}):
                offers += self.offered(state, action, clauses)
        return offers

    def offered(self, state: Any, action: Any, clauses: Any) -> list[Offer]:
        """An action that nothing forbids, if it and any outcome of it can be paid."""
        variants = [
            next(variant for when, variant in clauses if when(state, way))
            if weight
            else None
            for weight, way in zip(state[3], self.ways, strict=True)
        ]
        costs = [(v["price"], v["charge"]) for v in variants if v]
        name, (price, charge) = action["name"], costs[0]
        demand(costs.count(costs[0]) == len(costs), name, "has a hidden cost")
        outcomes = action["outcomes"].values()
        dearest = map(max, zip(*[each["price"] for each in outcomes], strict=True))
        needed = map(sum, zip(price, dearest, strict=True))
        if any(map(operator.gt, needed, state[0])):
            return []
        branches = []
        for label, outcome in action["outcomes"].items():
            likely = [
                weight * number(v["probabilities"].get(label, "0")) if v else ZERO
                for weight, v in zip(state[3], variants, strict=True)
            ]
            if any(likely):
                probability = sum(likely) / sum(state[3])
                child = self.child(state, (name, label), price, outcome, likely)
                branches.append((probability, -number(outcome["charge"]), child))
        return [Offer(name, number(charge), branches)]

    def child(
        self, state: Any, event: Any, price: Any, outcome: Any, likely: Any
    ) -> Any:
        """Where an outcome leads."""
        left = tuple(map(operator.sub, state[0], price))
        counts = list(state[1])
        counts[self.events[event]] += 1
        effects = outcome["effects"]
        counters = [
            min(max(at + int(effects.get(name, 0)), low), high)
            for at, (name, (low, high)) in zip(
                state[2], self.ranges.items(), strict=True
            )
        ]
        return (
            tuple(map(operator.sub, left, outcome["price"])),
            tuple(counts),
            tuple(counters),
            coprime(likely),
            outcome["ends"],
        )

    def children(self, _state: Any, offer: Offer) -> Any:
        """Where the outcomes of an action lead."""
        return offer.branches


def coprime(weights: Iterable[Fraction]) -> tuple[int, ...]:
    """The same weights up to scale, as whole numbers without a common divisor."""
    given = list(weights)
    common = math.lcm(*[weight.denominator for weight in given])
    numbers = [int(weight * common) for weight in given]
    return tuple([n // math.gcd(*numbers) for n in numbers])


def read(document: Any) -> Any:
    """A problem, in any of its forms."""
    if "hidden" in document:
        return Raw(document)
    return Listed(document) if "states" in document else Problem(document)


def named(modes: Iterable[Mode], name: str) -> Mode:
    """Find an action."""
    found = [mode for mode in modes if mode.name == name]
    demand(found, name, "cannot be taken, or revealed")
    return found[0]


def following(space: Any, state: Any, action: str | None) -> Iterator[Any]:
    """What a row of a policy may say at most: something sure, and what may come."""
    if action is None:
        yield space.worth(state, now=True), ()
    else:
        mode = named(space.available(state), action)
        yield -mode.terms.charge, space.children(state, mode)


def bounding(space: Any, state: Any, kind: str, *action: str) -> Iterator[Any]:
    """All that a row of the bounds must not fall below."""
    if kind == "reveal":
        mode = named((mode for mode in state[1] if mode.is_unknown), *action)
        yield ZERO, space.revealed(state, mode)
    else:
        is_plain = kind in ("close", "expand") and not action
        why = "should be close, expand, or reveal an action"
        demand(is_plain, [kind, *action], why)
        yield space.worth(state, now=kind == "expand"), ()
        for mode in space.available(state) if kind == "expand" else ():
            yield -mode.terms.charge, space.children(state, mode)


def proven(problem: Any, name: str, rows: Any, reason: Any, is_so: Any) -> Fraction:
    """What rows say of the root, once each is compared with the rows it leads to."""
    demand({type(row) for row in rows} == {list}, name, "should be rows")
    values = [limit(row[0]) for row in rows]
    states, places = [problem.root[1]], {problem.root[1]: 0}
    for place, state in enumerate(states):  # which grow meanwhile
        for sure, branches in reason(problem.space, state, *rows[place][1:]):
            total = sure
            for probability, gained, child in branches:
                places.setdefault(child, len(states))
                if places[child] == len(states):
                    demand(len(states) < len(rows), name, "a row is missing")
                    states.append(child)
                value = values[places[child]]
                total += probability * (gained + value if gained else value)
            if not is_so(values[place], total):
                why = f"says {rows[place][0]}, but what it leads to comes to {total}"
                raise RejectedError(f"{name}, row {place}: {why}")
    demand(len(states) == len(rows), name, f"nothing leads to row {len(states)}")
    held: Fraction = problem.root[0] + values[0]
    return held


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without a key that comes twice."""
    keys = [key for key, _ in pairs]
    demand(len(set(keys)) == len(keys), keys, "a key comes twice")
    return dict(pairs)


def judge(
    problem: Any, low: Fraction, high: Fraction, policy: Any, bounds: Any
) -> None:
    """Reject the rows unless they prove that the best plan is worth so much."""
    worth = proven(problem, "policy", policy, following, operator.le)
    demand(low <= worth, "at_least", f"the policy is worth no more than {worth}")
    bound = proven(problem, "bounds", bounds, bounding, operator.ge)
    demand(high >= bound, "at_most", f"the bounds prove no less than {bound}")


def check(text: str) -> tuple[Fraction, Fraction]:
    """Return the least and the most that the best plan is worth, once it is proven."""
    try:
        document = json.loads(text, object_pairs_hook=once)
        keys = "format", "problem", "claim", "policy", "bounds"
        version, problem, claim, policy, bounds = take(document, *keys)
        demand(version == FORMAT, version, f"should be {FORMAT}: certify anew")
        low, high = map(number, take(claim, "at_least", "at_most"))
        judge(read(problem), low, high, policy, bounds)
    except json.JSONDecodeError:
        raise
    except (*MALFORMED, RecursionError) as error:
        raise RejectedError(f"it is malformed: {error!r}") from error
    return low, high


def accepted(low: Fraction, high: Fraction) -> str:
    """What is proven, in words."""
    rounded = [Decimal(bound.numerator) / bound.denominator for bound in (low, high)]
    least, most = f"{low} ({rounded[0]:.10g})", f"{high} ({rounded[1]:.10g})"
    words = f"exactly {least}" if low == high else f"at least {least}, at most {most}"
    return f"ACCEPTED: the best plan is worth {words}"


def contents(path: Path) -> str:
    """The text of an ordinary file of a size that a certificate can have."""
    if not path.is_file():  # A device may have no end, and a pipe no beginning.
        raise ValueError(f"{path} is no file")
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path} has more than {LARGEST} bytes")
    return path.read_text(encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Check a file. 0: accepted, 1: rejected, 2: it cannot be read."""
    try:
        [path] = arguments
        print(accepted(*check(contents(Path(path)))))
    except (OSError, ValueError) as error:
        print(f"usage: python checker.py CERTIFICATE\n{error}", file=sys.stderr)
        return 2
    except RejectedError as error:
        print(f"REJECTED: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
