"""Wide states: hidden facts, counters and endings, and what actions make of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from branchwise.model.action import Action, Outcome
from branchwise.model.budget import Amounts
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Condition,
    Happened,
    Leaf,
    rebuilt,
)
from branchwise.model.execution.turn import ways_of
from branchwise.model.hidden import Assignment, Knowledge, expectation, learned
from branchwise.model.numbers.number import Real
from branchwise.model.problem import Problem, Reward
from branchwise.model.spread import possible_labels
from branchwise.space.packed import CounterField, Packing, Test, Units


@dataclass(frozen=True, slots=True)
class Effect:
    """What an outcome does to the packed integer."""

    one: int  # What to add: the outcome itself, an ending, less what it costs
    changes: tuple[tuple[CounterField, int], ...]
    price: Units  # What it costs of the finite resources, on top of its action
    cost: Real
    charge: Real


class Step(NamedTuple):
    """One outcome that an action may have at a state."""

    label: str
    probability: Real
    knowledge: Knowledge  # What is known once it has come up
    effect: Effect

    @property
    def price(self) -> Units:
        """What it costs of the finite resources."""
        return self.effect.price

    @property
    def cost(self) -> Real:
        """What it costs of all resources together."""
        return self.effect.cost

    @property
    def charge(self) -> Real:
        """What the objective loses by it."""
        return self.effect.charge

    def happened(self, paid: int) -> int:
        """Return the packed integer after it, once its action is paid for."""
        happened = paid + self.effect.one
        for field, change in self.effect.changes:
            happened = field.changed(happened, change)
        return happened


class Turn(NamedTuple):
    """What may come of an action at a state."""

    clause: int  # The clause whose cost counts; the last one is none
    dearest: Units  # The most that any of its outcomes costs
    steps: tuple[Step, ...]


class WideStates:
    """What actions and rewards are at states with counters and hidden facts."""

    # A condition that names hidden facts is compiled once for each assignment of them.
    # What has been worked out for some knowledge is remembered: many states share it.

    def __init__(
        self,
        problem: Problem,
        packing: Packing,
        units: Callable[[Amounts], Units],
        number: Callable[[Fraction], Real],
        *,
        has_adversary: bool = False,
    ) -> None:
        self._problem, self._packing = problem, packing
        self._has_adversary = has_adversary
        self._units, self._number = units, number
        self._ways = ways_of(problem)
        self._facts = {fact.name for fact in problem.hidden}
        self._resources = tuple(packing.scales)
        self._actions = {a.name: self._compiled(a) for a in problem.actions}
        self._known: dict[tuple[str, tuple[int, ...], Knowledge], Turn] = {}
        self._rewards = [
            [
                (self._test(r.when, way), r.value, self._counter_of(r))
                for r in problem.rewards
            ]
            for way in self._ways
        ]
        self.is_finished: Test = packing.test(
            ALWAYS if problem.finish is None else problem.finish
        )

    def turn(self, name: str, happened: int, knowledge: Knowledge) -> Turn:
        """Return what may come of an action at a state."""
        action = self._actions[name]
        clauses = action.clauses(happened, knowledge)
        key = (name, clauses, knowledge)
        turn = self._known.get(key)
        if turn is None:
            turn = self._known[key] = self._turn(action, clauses, knowledge)
        return turn

    def payment_bits(self, price: Units) -> int:
        """Return what to take away from the packed integer when so much is paid."""
        pairs = zip(self._resources, price, strict=True)
        return sum(self._packing.payment_bits(r, units) for r, units in pairs)

    def reward(self, happened: int, knowledge: Knowledge) -> Real:
        """Return what to expect for stopping at a state."""
        if knowledge and not self._problem.is_least_cost:
            ways = range(len(self._ways))
            paid = [self._reward_if(happened, way) for way in ways]
            return self._number(expectation(knowledge, paid))
        return self.reward_if(happened, 0)

    def reward_if(self, happened: int, way: int) -> Real:
        """Return what stopping pays, if the hidden facts are this way."""
        if self._problem.is_least_cost:
            return self._unfinished(happened)
        return self._number(self._reward_if(happened, way))

    def _reward_if(self, happened: int, way: int) -> Fraction:
        if self._packing.ending_of(happened) == "lose":
            return Fraction(0)
        return self._paid(self._rewards[way], happened)

    def probabilities_if(
        self, name: str, happened: int, knowledge: Knowledge, way: int
    ) -> Mapping[str, Fraction]:
        """Return how likely outcomes are, if the hidden facts are this way."""
        action = self._actions[name]
        clauses = action.clauses(happened, knowledge)
        return action.probabilities[clauses[way]]

    def _unfinished(self, happened: int) -> Real:
        if self.is_finished(happened):
            return self._number(Fraction(0))
        amount = self._problem.unfinished
        # Without an amount no plan may end like this.
        return -math.inf if amount is None else self._number(-amount)

    def _paid(
        self,
        rewards: Sequence[tuple[Test, Fraction, CounterField | None]],
        happened: int,
    ) -> Fraction:
        values = [
            value if counter is None else value * counter.value(happened)
            for holds, value, counter in rewards
            if holds(happened)
        ]
        if self._problem.combine == "sum":
            return sum(values, Fraction(0))
        return max(values, default=Fraction(0))

    def _counter_of(self, reward: Reward) -> CounterField | None:
        return None if reward.per is None else self._packing.counters[reward.per]

    def _turn(
        self, action: _WideAction, clauses: tuple[int, ...], knowledge: Knowledge
    ) -> Turn:
        possible = [clause for clause in clauses if clause >= 0]
        likely = [action.probabilities[clause] for clause in clauses if clause >= 0]
        steps = []
        for label, effect in action.effects.items():
            likelihoods = [
                Fraction(0)
                if c < 0
                else action.probabilities[c].get(label, Fraction(0))
                for c in clauses
            ]
            if knowledge:
                probability = expectation(knowledge, likelihoods)
            else:
                probability = likely[0].get(label, Fraction(0))
            if probability or label in action.possible[possible[0]]:
                after = learned(knowledge, likelihoods) if knowledge else ()
                steps.append(Step(label, self._number(probability), after, effect))
        return Turn(possible[0], action.dearest, tuple(steps))

    def _compiled(self, action: Action) -> _WideAction:
        clauses = [*action.given, None]
        terms = [action.under(clause) for clause in clauses]
        whens = [*(clause.when for clause in action.given), ALWAYS]
        return _WideAction(
            tests=tuple(
                tuple(self._test(when, way) for when in whens) for way in self._ways
            ),
            probabilities=tuple(
                {o.label: o.probability for o in o_s} for _, o_s in terms
            ),
            possible=tuple(
                possible_labels(action, clause) if self._has_adversary else frozenset()
                for clause in clauses
            ),
            effects={o.label: self._effect(action, o) for o in action.outcomes},
            dearest=self._units(action.dearest),
        )

    def _effect(self, action: Action, outcome: Outcome) -> Effect:
        price = self._units(outcome.cost)
        one = self._packing.fields[Happened(action.name, outcome.label)].one
        changes = (
            (self._packing.counters[name], change)
            for name, change in action.effects_of(outcome.label).items()
            if change
        )
        return Effect(
            one=one
            + self._packing.ending_bits(outcome.ends)
            - self.payment_bits(price),
            changes=tuple(changes),
            price=price,
            cost=self._number(outcome.cost.total()),
            charge=self._number(self._problem.charge_weight.times(outcome.cost)),
        )

    def _test(self, condition: Condition, way: Assignment) -> Test:
        """Compile a condition, hidden facts being as they are in an assignment."""

        def known(leaf: Leaf, _sign: int) -> Condition:
            if isinstance(leaf, Happened) and leaf.action in self._facts:
                return ALWAYS if way.labels[leaf.action] == leaf.outcome else NEVER
            return leaf

        return self._packing.test(
            rebuilt(condition, known) if self._facts else condition
        )


@dataclass(frozen=True, slots=True)
class _WideAction:
    """An action, compiled."""

    tests: tuple[tuple[Test, ...], ...]  # By assignment and clause; the last is none
    probabilities: tuple[dict[str, Fraction], ...]  # By clause
    # By clause: the outcomes that an adversary may let happen.
    possible: tuple[frozenset[str], ...]
    effects: dict[str, Effect]  # By outcome
    dearest: Units

    def clauses(self, happened: int, knowledge: Knowledge) -> tuple[int, ...]:
        """Return which clause counts for each assignment; -1 where it is impossible."""
        return tuple(
            [
                next(i for i, holds in enumerate(tests) if holds(happened))
                if not knowledge or knowledge[at]
                else -1
                for at, tests in enumerate(self.tests)
            ]
        )
