"""The plan over canonical states: one decision for all states with the same future."""

import math
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

import branchwise._core as core
from branchwise.engine.hidden_groups import Signals
from branchwise.engine.payments import Payment, payments
from branchwise.model.action import Action
from branchwise.model.conditions.condition import Happened
from branchwise.model.problem import Problem
from branchwise.model.spread import Spread, spread_of
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.choices.policy import Branch, Decision, PolicyOnDemand, Shape, Step
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import PathStates

_NOTHING: Final = Fraction(0)

_Step = tuple[int, int, list[tuple[int, int, list[int], float]]]
"""An action, its variant; of each outcome the child, rewards gained, probability."""


class CanonicalState(NamedTuple):
    """All states with the same future."""

    number: int  # Its number in the engine
    # What the rewards that can no longer be lost add up to, where rewards do.
    secured: Fraction
    # How many deviations an adversary has left, as the engine counts them.
    deviations: int = 0


class CanonicalPolicy(PolicyOnDemand):
    """The decisions of a plan, looked up in the engine as they are asked for."""

    def __init__(
        self, plan: core.Plan, problem: Problem, *, has_adversary: bool = False
    ) -> None:
        self.plan = plan
        self._problem = problem
        self._has_adversary = has_adversary
        self._told = Signals(problem, 0).telling if problem.hidden else {}
        self._spreads: dict[tuple[int, int], Spread] = {}
        self._known: dict[CanonicalState, Decision] = {}
        secured = self._value(plan.root_gained)
        self.root: CanonicalState = CanonicalState(plan.root, secured, plan.deviations)

    def __getitem__(self, key: Hashable) -> Decision:
        if not isinstance(key, CanonicalState):
            raise KeyError(key)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._decision(key)
        return known

    def _decision(self, state: CanonicalState) -> Decision:
        number, secured, deviations = state
        score = _absolute(self.plan.score(number, deviations), secured)
        reward = _absolute(self.plan.reward(number), secured)
        found = self.plan.step(number, deviations)
        if found is None:
            return Decision(None, (), score, reward)
        step, has_deviation = found
        action, labels, spread = self._terms(step)
        left = self._after_deviation(deviations) if has_deviation else deviations
        states = self._children(state, step, left)
        probabilities = spread.nominal
        if has_deviation:
            values = [
                _absolute(self.plan.score(at.number, left), at.secured) for at in states
            ]
            worths = self._less_charges(values, step)
            probabilities = spread.worst(worths, self.plan.tolerance)
        branches = map(Branch, labels, probabilities, states)
        kept = None if spread.is_exact else spread
        return Decision(action.name, tuple(branches), score, reward, kept)

    def _children(
        self, state: CanonicalState, step: _Step, deviations: int
    ) -> list[CanonicalState]:
        return [
            CanonicalState(child, state.secured + self._value(gained), deviations)
            for _, child, gained, _ in step[2]
        ]

    def _after_deviation(self, deviations: int) -> int:
        return deviations if self.plan.is_endless else deviations - 1

    def _terms(self, step: _Step) -> tuple[Action, list[str], Spread]:
        number, variant, children = step
        action = self._problem.actions[number]
        places = [outcome for outcome, *_ in children]
        if action.name in self._told:
            chances = tuple(chance for *_, chance in children)
            spread = Spread(chances, chances, chances, 0)
            return action, [action.labels[place] for place in places], spread
        known = self._spreads.get((number, variant))
        if known is None:
            clause = action.given[variant] if variant < len(action.given) else None
            known = spread_of(action, clause)
            if not self._has_adversary:
                known = Spread(known.nominal, known.nominal, known.nominal, 0)
            known = known.only(places).with_floats()
            self._spreads[number, variant] = known
        return action, [action.labels[place] for place in places], known

    def steps(self, state: Hashable) -> Iterator[Step]:
        """Return the actions whose value at a state is known, and where they lead."""
        # All probabilities are the nominal ones: an adversary has no say here.
        assert isinstance(state, CanonicalState)
        for step in self.plan.options(state.number) or ():
            values, is_exact = self._ceilings(state, step, state.deviations)
            if not is_exact:
                continue
            action, labels, spread = self._terms(step)
            states = self._children(state, step, state.deviations)
            branches = tuple(map(Branch, labels, spread.nominal, states))
            value = _mean(spread.nominal, values) - self._charge(step, spread.nominal)
            yield Step(action.name, self._clause(action, step), branches, value)

    def step_taken(self, state: Hashable) -> Step | None:
        """Return what the plan does at a state, as a step; None where it stops."""
        assert isinstance(state, CanonicalState)
        found = self.plan.step(state.number, state.deviations)
        if found is None:
            return None
        decision, step = self[state], found[0]
        action = self._problem.actions[step[0]]
        clause = self._clause(action, step)
        return Step(action.name, clause, decision.branches, decision.value)

    def considered(self, state: Hashable) -> tuple[Alternative, ...] | None:
        """Return all actions weighed at a state, with their values."""
        assert isinstance(state, CanonicalState)
        options = self.plan.options(state.number)
        if options is None:
            return None
        best, _ = self.plan.ceiling(state.number, state.deviations)
        highest = _absolute(best, state.secured)
        found = (self._alternative(state, step, highest) for step in options)
        # What may get stuck where that must not happen is no alternative.
        return tuple(each for each in found if each.value > -math.inf)

    def way_into_the_stuck(self) -> list[Happened]:
        """Return what may happen, whatever is done, until nothing can be done."""
        state, way = self.root.number, list[Happened]()
        while options := self.plan.options(state):
            # Whatever is done at such a state, some outcome leads to another one.
            number, _, children = options[0]
            outcome, state = next(
                (outcome, child)
                for outcome, child, *_ in children
                if self.plan.score(child, 0) == -math.inf
            )
            action = self._problem.actions[number]
            way.append(Happened(action.name, action.labels[outcome]))
        return way

    def _alternative(
        self, state: CanonicalState, step: _Step, highest: Real
    ) -> Alternative:
        action, labels, spread = self._terms(step)
        values, is_exact = self._ceilings(state, step, state.deviations)
        probabilities, total = spread.nominal, _mean(spread.nominal, values)
        can_deviate = self.plan.is_endless or state.deviations > 0
        if can_deviate and not spread.is_exact:
            left = self._after_deviation(state.deviations)
            worst_values, is_worst_exact = self._ceilings(state, step, left)
            worths = self._less_charges(worst_values, step)
            worst = spread.worst(worths, self.plan.tolerance)
            gap = total - _mean(worst, worst_values)
            gap -= self._charge(step, probabilities) - self._charge(step, worst)
            if gap > self.plan.tolerance:
                probabilities, total = worst, _mean(worst, worst_values)
                values, is_exact = worst_values, is_worst_exact
        total -= self._charge(step, probabilities)
        prospects = tuple(map(Prospect, labels, probabilities, values))
        # What is known of the state itself may be more than what is known below it.
        return Alternative(action.name, min(total, highest), not is_exact, prospects)

    def _ceilings(
        self, state: CanonicalState, step: _Step, deviations: int
    ) -> tuple[list[Real], bool]:
        """Return the most each child is worth, and whether that is known exactly."""
        values, is_exact = [], True
        for _, child, gained, _ in step[2]:
            score, is_reached = self.plan.ceiling(child, deviations)
            is_exact = is_exact and is_reached
            values.append(_absolute(score, state.secured + self._value(gained)))
        return values, is_exact

    def _charge(self, step: _Step, probabilities: Sequence[Real]) -> float:
        """Return what an action is charged, with what its outcomes are on average."""
        action = self._problem.actions[step[0]]
        clause = self._clause(action, step)
        own = None if clause is None else action.given[clause].cost
        charge = self._problem.charge_weight.times
        total = float(charge(action.cost if own is None else own))
        if any(outcome.cost for outcome in action.outcomes):
            charges = [float(charge(action.outcomes[at].cost)) for at, *_ in step[2]]
            total += float(_mean(probabilities, charges))
        return total

    def _less_charges(self, values: Sequence[Real], step: _Step) -> list[Real]:
        """Return what outcomes are worth once what they cost is charged."""
        outcomes = self._problem.actions[step[0]].outcomes
        charge = self._problem.charge_weight.times
        costs = (outcomes[at].cost for at, *_ in step[2])
        return [
            value - float(charge(cost)) if cost else value
            for value, cost in zip(values, costs, strict=True)
        ]

    def _value(self, rewards: list[int]) -> Fraction:
        if not rewards:
            return _NOTHING
        return sum((self._payments[each].value for each in rewards), _NOTHING)

    @cached_property
    def _payments(self) -> tuple[Payment, ...]:
        return payments(self._problem)

    def _clause(self, action: Action, step: _Step) -> int | None:
        """Return the clause that counts; of several that cost the same, one."""
        telling = self._told.get(action.name)
        if telling is not None:
            return telling.terms[step[1]].clause
        return step[1] if step[1] < len(action.given) else None


def _absolute(number: float, secured: Fraction) -> Real:
    return number + float(secured) if secured else number


def _mean(probabilities: Sequence[Real], values: Sequence[Real]) -> Real:
    return sum((p * value for p, value in zip(probabilities, values, strict=True)), 0.0)


def tree_of(
    plan: core.Plan, problem: Problem, *, has_adversary: bool = False
) -> DecisionTree:
    """Return the tree of a plan."""
    policy = CanonicalPolicy(plan, problem, has_adversary=has_adversary)
    states, shape = PathStates(problem), Shape(*plan.shape())
    return DecisionTree(policy, policy.root, states, shape, problem=problem)
