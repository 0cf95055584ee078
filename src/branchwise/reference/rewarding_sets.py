"""Rewarding sets at each state, and the actions they keep (Algorithm 2, Equation 6)."""

from __future__ import annotations

from fractions import Fraction
from operator import sub
from typing import NamedTuple

from branchwise.model.condition import Condition
from branchwise.model.packed import bits
from branchwise.model.problem import Problem
from branchwise.model.problem_space import PackedState, ProblemSpace, Units
from branchwise.rewarding.enumerate import RewardingSets, least_price

__all__ = ["OpenSet", "RewardingSetPruning"]


class OpenSet(NamedTuple):
    """
    A rewarding set at a state: P(s, s_k), what is still to happen.

    Parameters
    ----------
    needs
        The outcomes still needed, one bit each.
    price
        The least that these cost.
    goal
        The number of the goal they reach.
    """

    needs: int
    price: Units
    goal: int


class RewardingSetPruning:
    """
    Carries the rewarding sets from state to state and prunes actions outside them.

    Where the problem goes beyond the paper, what is kept goes beyond it too:

    * an action that changes the odds or the cost of an action in a set is kept with it
      (conditioning), and a set costs the least that its actions may cost;
    * a set is given up for a reward already held only if that reward cannot be lost
      again (negation), and, where rewards add up, only if it is the set's own.
    """

    def __init__(self, space: ProblemSpace, found: RewardingSets) -> None:
        problem = space.problem
        self._space = space
        self._found = found
        self._is_sum = problem.combine == "sum"
        self._attempts = {action.name: action.attempts for action in problem.actions}
        self._prices = {a.name: least_price(space, a) for a in problem.actions}
        self._useful = self._useful_masks(problem)
        self._lasting = [
            (goal, space.packing.test(what.when), what.gain)
            for goal, what in enumerate(found.goals)
            if all(not term.avoids for term in found.terms.of(what.when))
        ]

    def root(self) -> list[OpenSet]:
        """Give the rewarding sets at the root: P(s_root)."""
        state = self._space.root
        sets = [
            OpenSet(s.needs, self._price(s.needs), s.goal) for s in self._found.sets
        ]
        return self._worthwhile(sets, state)

    def child(
        self, sets: list[OpenSet], action: str, outcome: str, child: PackedState
    ) -> list[OpenSet]:
        """Give the rewarding sets at a child from those of its parent (Algorithm 2)."""
        mask = self._found.terms.masks[action]
        bit = self._found.terms.bit(action, outcome)
        left = self._attempts_left(action, child)
        kept = []
        for parent in sets:
            still = self._without(parent, bit, action) if parent.needs & bit else parent
            has_attempts = (still.needs & mask).bit_count() <= left
            if has_attempts and _affords(child, still.price):
                kept.append(still)
        return self._worthwhile(kept, child)

    def _without(self, parent: OpenSet, bit: int, action: str) -> OpenSet:
        """Take an outcome out of a set, now that it has happened."""
        price = tuple(map(sub, parent.price, self._prices[action]))
        return OpenSet(parent.needs & ~bit, price, parent.goal)

    def keeps(self, sets: list[OpenSet], action: str) -> bool:
        """Tell whether an action is part of a rewarding set (Equation 6)."""
        useful = self._useful[action]
        return any(needs & useful for needs, _, _ in sets)

    def _worthwhile(self, sets: list[OpenSet], state: PackedState) -> list[OpenSet]:
        """Leave out the sets that cannot raise the reward any more."""
        held = {
            goal: gain for goal, holds, gain in self._lasting if holds(state.happened)
        }
        if self._is_sum:
            return [s for s in sets if s.goal not in held]
        best = max(held.values(), default=Fraction(0))
        return [s for s in sets if self._found.goals[s.goal].gain > best]

    def _price(self, needs: int) -> Units:
        price = [0] * len(self._space.root.left)
        for bit in bits(needs):
            action = self._found.terms.outcome(bit).action
            for i, amount in enumerate(self._prices[action]):
                price[i] += amount
        return tuple(price)

    def _attempts_left(self, action: str, state: PackedState) -> float:
        return self._attempts[action] - self._space.num_attempts(state, action)

    def _useful_masks(self, problem: Problem) -> dict[str, int]:
        """For each action, the outcomes that make a set worth taking it for."""
        masks = dict(self._found.terms.masks)
        influence = _Influence(problem)
        for action in problem.actions:
            for name in influence.on(action.name):
                masks[name] |= self._found.terms.masks[action.name]
        return masks


def _affords(state: PackedState, price: Units) -> bool:
    return all(cost <= have for cost, have in zip(price, state.left, strict=True))


class _Influence:
    """Which actions may change the odds or the cost of another, however indirectly."""

    def __init__(self, problem: Problem) -> None:
        self._clauses = {
            a.name: _named(*(clause.when for clause in a.given))
            for a in problem.actions
        }
        self._gates = {
            a.name: _named(a.requires, a.precluded_by) for a in problem.actions
        }

    def on(self, action: str) -> set[str]:
        """Give the actions that may change this one, or enable those that may."""
        found: set[str] = set()
        pending = list(self._clauses[action])
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending.extend(self._clauses[name] | self._gates[name])
        return found


def _named(*conditions: Condition) -> set[str]:
    return {m.action for condition in conditions for m in condition.mentions()}
