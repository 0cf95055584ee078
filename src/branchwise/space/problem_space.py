"""A problem as a state space: what can be done where, and what may come of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property, partial
from operator import add, lt, sub
from typing import TYPE_CHECKING, NamedTuple

from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import Amounts, Budget, ByName, Limit
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Condition,
    Happened,
    all_of,
    negation,
)
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import start_of, ways_of
from branchwise.model.features import features_of
from branchwise.model.hidden import Knowledge
from branchwise.model.problem import Problem
from branchwise.model.spread import Spread, spread_of
from branchwise.records import dataclass
from branchwise.space.packed import Field, Packing, Test, Units, bits
from branchwise.space.state_space import (
    AvailableAction,
    Real,
    SoundSpace,
    Transition,
)

if TYPE_CHECKING:
    from branchwise.space.wide_states import WideStates

_MOST_REMEMBERED = 100_000
_OTHERWISE = Given(ALWAYS)


class PackedState(NamedTuple):
    """A state in little space."""

    # The outcome counts, as `branchwise.space.packed.Packing` lays them out, counters
    # and an ending, if there was one.
    happened: int
    left: Units  # What is left of each finite resource
    knowledge: Knowledge = ()  # How likely each assignment of the hidden facts is


class ProblemSpace(SoundSpace):
    """The state space of a valid problem."""

    # It computes with floats unless it is to be exact. With an adversary, actions have
    # their spreads: what no nominal probabilities but others let happen is possible
    # then.

    def __init__(
        self, problem: Problem, *, exact: bool = False, has_adversary: bool = False
    ) -> None:
        self.problem = problem
        self._has_adversary = has_adversary
        self._number = Fraction if exact else float
        # How many of its smallest units make one of each finite resource.
        self.scales = _scales(problem, is_finite=True)
        self._unlimited_scales = _scales(problem, is_finite=False)
        self._open: dict[int, tuple[int, ...]] = {}
        self._is_sum = problem.combine == "sum"
        # Whether states hold more than outcomes and what is left.
        self._is_wide = bool(features_of(problem))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made of: tests of states are functions of their own."""
        made = partial(
            type(self),
            exact=self._number is Fraction,
            has_adversary=self._has_adversary,
        )
        return made, (self.problem,)

    @cached_property
    def root(self) -> PackedState:
        """The state in which nothing has happened."""
        units = self.units(self.problem.budget)
        if not self._is_wide:
            return PackedState(0, units)
        return PackedState(self.packing.start, units, start_of(self.problem).knowledge)

    # What follows is compiled when it is needed: some only ask what a cost amounts to.

    @cached_property
    def packing(self) -> Packing:
        """How the outcome counts of a state are laid out."""
        return Packing(self.problem, self.scales)

    @cached_property
    def _catalogue(self) -> list[Catalogued]:
        return [self._compiled(action) for action in self.problem.actions]

    @cached_property
    def _by_name(self) -> dict[str, Catalogued]:
        return {action.name: action for action in self._catalogue}

    @cached_property
    def _wide(self) -> WideStates:
        # Start-up is felt, and most states hold nothing but outcomes.
        from branchwise.space.wide_states import WideStates  # noqa: PLC0415

        return WideStates(
            self.problem,
            self.packing,
            self.units,
            self._number,
            has_adversary=self._has_adversary,
        )

    @cached_property
    def _rewards(self) -> list[tuple[Test, Real]]:
        test, number = self.packing.test, self._number
        return [(test(r.when), number(r.value)) for r in self.problem.rewards]

    def actions(self, state: PackedState) -> Iterator[AvailableAction[PackedState]]:
        """Return the actions that can be taken at a state."""
        if self._is_wide:
            yield from self._wide_actions(state)
            return
        open_actions = self._open_actions(state.happened)
        for index in open_actions:
            available = self._available(self._catalogue[index], state)
            if available is None:
                continue
            for _, _, child in available.transitions:
                self._remember(state.happened, child.happened, open_actions, index)
            yield available

    def _wide_actions(
        self, state: PackedState
    ) -> Iterator[AvailableAction[PackedState]]:
        for action in self._catalogue:
            if action.has_attempts_left(state.happened):
                available = self._available(action, state)
                if available is not None:
                    yield available

    def action(
        self, state: PackedState, name: str
    ) -> AvailableAction[PackedState] | None:
        """Return one action, if it can be taken at a state; None if it cannot."""
        action = self._by_name.get(name)
        if action is None or not action.has_attempts_left(state.happened):
            return None
        return self._available(action, state)

    def unlimited_price(self, state: PackedState, name: str, outcome: str) -> Units:
        """Return what goes of unlimited resources, which no state has."""
        action = self._by_name[name]
        if not self._is_wide:
            return action.variant(state.happened).unlimited_price
        turn = self._wide.turn(name, state.happened, state.knowledge)
        own = action.variants[turn.clause].unlimited_price
        extra = self.problem.action(name).outcome(outcome).cost
        return tuple(map(add, own, _units(extra, self._unlimited_scales)))

    @property
    def prior(self) -> tuple[float, ...]:
        """How likely each way is that the hidden facts may be; one without any."""
        return tuple(float(way.probability) for way in ways_of(self.problem))

    def probabilities_if(
        self, state: PackedState, action: AvailableAction[PackedState], way: int
    ) -> list[float]:
        """Return how likely outcomes are, if the hidden facts are this way."""
        if not state.knowledge:
            return [float(each.probability) for each in action.transitions]
        happened, _, knowledge = state
        likely = self._wide.probabilities_if(action.name, happened, knowledge, way)
        return [float(likely.get(each.outcome, 0)) for each in action.transitions]

    def reward_if(self, state: PackedState, way: int) -> Real:
        """Return what stopping pays, if the hidden facts are this way."""
        if not self._is_wide:
            return self.reward(state)
        return self._wide.reward_if(state.happened, way)

    def payoffs(self, state: PackedState) -> tuple[tuple[Real, Fraction], ...]:
        """
        Return what stopping may pay, and how likely.

        It is one thing, unless hidden facts decide: then one for each way they may be.
        """
        if not state.knowledge or self.problem.is_least_cost:
            return ((self.reward(state), Fraction(1)),)
        total = sum(state.knowledge)
        return tuple(
            (self.reward_if(state, way), Fraction(weight, total))
            for way, weight in enumerate(state.knowledge)
            if weight
        )

    def charge_of(
        self,
        state: PackedState,
        action: AvailableAction[PackedState],
        child: Transition[PackedState],
    ) -> Fraction:
        """Return what the objective loses by an action that comes out so."""
        if not self._is_wide:
            return Fraction(action.charge)
        gone = map(sub, state.left, child.state.left)
        unlimited = self.unlimited_price(state, action.name, child.outcome)
        scales = {**self.scales, **self._unlimited_scales}
        counted = zip(scales.items(), (*gone, *unlimited), strict=True)
        weights = self.problem.charge_weight
        return sum(
            (weights.of(name) * units / scale for (name, scale), units in counted),
            Fraction(0),
        )

    def spent(self, left: Units, unlimited: Units) -> dict[str, Fraction]:
        """Return what was spent, by what is left and what went of unlimited ones."""
        gone = [had - have for had, have in zip(self.root.left, left, strict=True)]
        scales = {**self.scales, **self._unlimited_scales}
        counted = dict(zip(scales, (*gone, *unlimited), strict=True))
        return {r: Fraction(counted[r], scales[r]) for r in self.problem.budget}

    def _available(
        self, action: Catalogued, state: PackedState
    ) -> AvailableAction[PackedState] | None:
        """Return an action with attempts left, if it is allowed and can be paid for."""
        happened, left, _ = state
        if not action.is_allowed(happened):
            return None
        if self._is_wide:
            return self._wide_available(action, state)
        variant = action.variant(happened)
        rest = tuple(a - b for a, b in zip(left, variant.price, strict=True))
        if rest and min(rest) < 0:
            return None
        transitions = tuple(
            Transition(label, probability, PackedState(happened + one, rest))
            for label, probability, one in variant.outcomes
        )
        return AvailableAction(
            action.name, transitions, variant.cost, variant.charge, variant.spread
        )

    def _wide_available(
        self, action: Catalogued, state: PackedState
    ) -> AvailableAction[PackedState] | None:
        """Do the same where states hold more than outcomes and what is left."""
        if self.packing.ended(state.happened):
            return None
        turn = self._wide.turn(action.name, state.happened, state.knowledge)
        variant = action.variants[turn.clause]
        rest = tuple(map(sub, state.left, variant.price))
        if any(map(lt, rest, turn.dearest)):
            return None
        paid = state.happened - self._wide.payment_bits(variant.price)
        cost, charge = variant.cost, variant.charge
        transitions = []
        for step in turn.steps:
            after = PackedState(
                step.happened(paid), tuple(map(sub, rest, step.price)), step.knowledge
            )
            transitions.append(Transition(step.label, step.probability, after))
            cost += step.probability * step.cost
            charge += step.probability * step.charge
        return AvailableAction(
            action.name, tuple(transitions), cost, charge, variant.spread
        )

    def may_stop(self, state: PackedState) -> bool:
        """Whether one may stop at a state although something could be done."""
        return self.problem.finish is None or self._wide.is_finished(state.happened)

    def reward(self, state: PackedState) -> Real:
        """Return the reward for stopping at a state."""
        if self._is_wide:
            return self._wide.reward(state.happened, state.knowledge)
        happened = state.happened
        values = [value for holds, value in self._rewards if holds(happened)]
        if self._is_sum:
            return sum(values, self._number(0))
        return max(values, default=self._number(0))

    def describe(self, state: PackedState) -> State:
        """Return a state by name."""
        counts = tuple(self.packing.counts(state.happened))
        limits: dict[str, Limit] = dict(self.problem.budget)
        counted = map(Fraction, state.left, self.scales.values())
        limits.update(zip(self.scales, counted, strict=True))
        if not self._is_wide:
            return State(counts, Budget(limits))
        counters = self.packing.counters.items()
        return State(
            counts,
            Budget(limits),
            ByName((name, field.value(state.happened)) for name, field in counters),
            state.knowledge,
            self.packing.ending_of(state.happened),
        )

    def _open_actions(self, happened: int) -> tuple[int, ...]:
        """Return the actions, by index, with attempts left and nothing against them."""
        # A child has those of its parent, less the one just used up, and those that the
        # new outcome opens; only a state out of nowhere looks through all of them.
        known = self._open.pop(happened, None)
        if known is not None:
            return known
        return tuple(
            index
            for index, action in enumerate(self._catalogue)
            if (action.gate is None or happened & action.gate)
            and action.has_attempts_left(happened)
        )

    def _remember(
        self, parent: int, child: int, open_actions: tuple[int, ...], taken: int
    ) -> None:
        """Note which actions are open at a child, until they are asked for."""
        if child in self._open:
            return
        if len(self._open) >= _MOST_REMEMBERED:
            self._open.clear()
        opened = self._opened_by.get(child - parent, ())
        catalogue = self._catalogue
        tried = (taken, *opened)
        used_up = {i for i in tried if not catalogue[i].has_attempts_left(child)}
        self._open[child] = tuple(sorted({*open_actions, *opened} - used_up))

    def num_attempts(self, state: PackedState, action: str) -> int:
        """Count how often an action has been taken."""
        return self._by_name[action].num_attempts(state.happened)

    def units(self, amounts: Amounts | Budget) -> Units:
        """Express amounts of the finite resources as whole numbers."""
        return _units(amounts, self.scales)

    def least_price(self, action: Action) -> Units:
        """Return the least an attempt can cost of each resource, by any clause."""
        prices = [self.units(cost) for cost in action.costs()]
        return tuple(min(amounts) for amounts in zip(*prices, strict=True))

    def _compiled(self, action: Action) -> Catalogued:
        fields = [self.packing.fields[Happened(action.name, o)] for o in action.labels]
        return Catalogued(
            name=action.name,
            mask=self.packing.attempt_masks[action.name],
            attempts=action.attempts,
            fields=tuple(fields),
            gate=self.packing.gate(allowed(action)),
            is_allowed=self.packing.test(allowed(action)),
            variants=tuple(self._variant(action, g, c) for g, c, _ in clauses(action)),
        )

    @cached_property
    def _opened_by(self) -> dict[int, list[int]]:
        openings: dict[int, list[int]] = {}
        for index, action in enumerate(self._catalogue):
            for bit in bits(action.gate or 0):
                openings.setdefault(bit, []).append(index)
        return openings

    def _variant(self, action: Action, given: Given, cost: Amounts) -> Variant:
        spread = spread_of(action, given)
        highest = spread.high if self._has_adversary else spread.nominal
        possible = [i for i, high in enumerate(highest) if high > 0]
        named = [Happened(action.name, action.labels[i]) for i in possible]
        kept = spread.only(possible)
        chances = [self._number(probability) for probability in kept.nominal]
        ones = (self.packing.fields[event].one for event in named)
        labels = (event.outcome for event in named)
        # Which clause counts depends on more where there are hidden facts.
        has_hidden = bool(self.problem.hidden)
        return Variant(
            counts=self.packing.test(NEVER if has_hidden else given.when),
            price=self.units(cost),
            unlimited_price=_units(cost, self._unlimited_scales),
            cost=self._number(cost.total()),
            charge=self._number(self.problem.charge_weight.times(cost)),
            outcomes=tuple(zip(labels, chances, ones, strict=True)),
            spread=self._spread(kept),
        )

    def _spread(self, spread: Spread) -> Spread | None:
        """Return a spread in the numbers we compute with, if there is one."""
        if not self._has_adversary or spread.is_exact:
            return None
        return spread if self._number is Fraction else spread.with_floats()


def allowed(action: Action) -> Condition:
    """Return what must hold for an action to be available."""
    return all_of(action.requires, negation(action.precluded_by))


def clauses(action: Action) -> Iterator[tuple[Given, Amounts, tuple[Outcome, ...]]]:
    """Yield each clause with the cost and the outcomes it has; last, that of none."""
    for given in (*action.given, _OTHERWISE):
        yield given, *action.under(given)


def _scales(problem: Problem, *, is_finite: bool) -> dict[str, int]:
    """Find how many of its smallest units make one of each resource of a kind."""
    costs = [cost for action in problem.actions for cost in action.every_cost()]
    scales = {}
    for resource, limit in problem.budget.items():
        if isinstance(limit, Fraction) is is_finite:
            amounts = [cost.of(resource) for cost in costs]
            if isinstance(limit, Fraction):
                amounts.append(limit)
            scales[resource] = math.lcm(*(amount.denominator for amount in amounts))
    return scales


def _units(amounts: Amounts | Budget, scales: Mapping[str, int]) -> Units:
    units = []
    for resource, scale in scales.items():
        whole, part = amounts.get(resource, 0).as_integer_ratio()
        units.append(whole * scale // part)
    return tuple(units)


@dataclass(frozen=True, slots=True)
class Variant:
    """The probabilities and the cost of an action while a clause of it counts."""

    counts: Test
    price: Units
    unlimited_price: Units
    cost: Real
    charge: Real
    outcomes: tuple[tuple[str, Real, int], ...]
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class Catalogued:
    """An action, compiled."""

    name: str
    mask: int
    attempts: float
    fields: tuple[Field, ...]
    gate: int | None
    is_allowed: Test
    variants: tuple[Variant, ...]

    def has_attempts_left(self, happened: int) -> bool:
        """Whether it can be taken once more."""
        if not happened & self.mask:
            return True
        if self.attempts == 1:
            return False
        return self.num_attempts(happened) < self.attempts

    def num_attempts(self, happened: int) -> int:
        """Count how often it has been taken."""
        return sum(field.count(happened) for field in self.fields)

    def variant(self, happened: int) -> Variant:
        """Return the probabilities and the cost that count."""
        return next(v for v in self.variants if v.counts(happened))
