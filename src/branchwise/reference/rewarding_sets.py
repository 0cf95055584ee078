"""Rewarding sets at each state, and the actions they keep (Algorithm 2, Equation 6)."""

from fractions import Fraction
from operator import sub
from typing import NamedTuple

from branchwise.rewarding.enumerate import ListedSets
from branchwise.space.packed import Units, bits
from branchwise.space.problem_space import PackedState, ProblemSpace


class OpenSet(NamedTuple):
    """A rewarding set at a state: P(s, s_k), what is still to happen."""

    needs: int  # The outcomes still needed, one bit each
    price: Units  # The least that these cost
    goal: int  # The number of the goal they reach


class RewardingSetPruning:
    """
    Carries the rewarding sets from state to state and prunes actions outside them.

    Where the problem goes beyond the paper, what is kept goes beyond it too:

    * a set holds what changes the probabilities or the cost of its actions
      (conditioning), and what is left of it costs the least that its actions may cost;
    * a set is given up for a reward already held only if that reward cannot be lost
      again (negation), and, where rewards add up, only if it is the set's own.
    """

    def __init__(self, space: ProblemSpace, found: ListedSets) -> None:
        problem = space.problem
        self._space = space
        self._found = found
        self._is_sum = problem.combine == "sum"
        self._attempts = {action.name: action.attempts for action in problem.actions}
        self._prices = {a.name: space.least_price(a) for a in problem.actions}
        self._lasting = [
            (goal, space.packing.test(what.when), what.gain)
            for goal, what in enumerate(found.goals)
            if all(not term.avoids for term in found.terms.of(what.when))
        ]

    def root(self) -> list[OpenSet]:
        """Return the rewarding sets at the root: P(s_root)."""
        found = self._found.sets
        sets = [OpenSet(s.needs, self._price(s.needs), s.goal) for s in found]
        return self._worthwhile(sets, self._space.root)

    def child(
        self, sets: list[OpenSet], action: str, outcome: str, child: PackedState
    ) -> list[OpenSet]:
        """Return the rewarding sets at a child, from its parent's (Algorithm 2)."""
        mask = self._found.terms.masks[action]
        bit = self._found.terms.bit(action, outcome)
        left = self._attempts[action] - self._space.num_attempts(child, action)
        kept = []
        for parent in sets:
            still = self._without(parent, bit, action) if parent.needs & bit else parent
            has_attempts = (still.needs & mask).bit_count() <= left
            if has_attempts and _affords(child, still.price):
                kept.append(still)
        return self._worthwhile(kept, child)

    def _without(self, parent: OpenSet, bit: int, action: str) -> OpenSet:
        price = tuple(map(sub, parent.price, self._prices[action]))
        return OpenSet(parent.needs & ~bit, price, parent.goal)

    def keeps(self, sets: list[OpenSet], action: str) -> bool:
        """Whether an action is part of a rewarding set (Equation 6)."""
        mask = self._found.terms.masks[action]
        return any(needs & mask for needs, _, _ in sets)

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


def _affords(state: PackedState, price: Units) -> bool:
    return all(cost <= have for cost, have in zip(price, state.left, strict=True))
