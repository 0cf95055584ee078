"""The tree of a run whose ties are settled outside the core, or that is exact."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import branchwise._core as core
from branchwise.engine.exact.contenders import Contenders, Number
from branchwise.engine.exact.settled_policy import SettledPolicy, policy_by_state
from branchwise.engine.exact.settlement import Look, Settlement
from branchwise.engine.exact.tree_choice import LookedAtError, TreeChoice, UnseenState
from branchwise.model.problem import Problem
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.tree.choices.preference import Preference
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import PathStates, SpaceStates

_MOST_WEIGHED: Final = 5_000


class SettledTree(NamedTuple):
    """The best tree, and how many states all optimal trees have together."""

    tree: DecisionTree
    num_reduced: int


class TreeSettler:
    """Makes trees of what an engine found in its last run."""

    def __init__(
        self,
        engine: core.CanonicalEngine,
        plan: core.Plan,
        problem: Problem,
        *,
        is_exact: bool,
        is_explored: bool = False,
    ) -> None:
        self._engine, self._plan, self._problem = engine, plan, problem
        self._is_exact = is_exact
        # What else could be done is worked out exactly only once it is asked for, where
        # that takes a moment.
        is_small = engine.num_states <= _MOST_WEIGHED
        self._weighs_all = is_exact and is_explored and is_small

    def best(self, preference: Preference, look: Look) -> SettledTree:
        """Return the tree that is preferred among all optimal ones."""
        found = core.Contenders(self._engine)
        settlement = self._settlement(found, look)
        choice = TreeChoice(settlement, preference, look)
        try:
            tree = self._tree(settlement, choice.by_place())
        except LookedAtError:
            tree = self._tree_by_state(settlement, choice)
        return SettledTree(tree, settlement.count_reduced())

    def in_hand(self) -> DecisionTree:
        """Return the tree of the plan in hand; it stops where that is worth more."""
        settlement = self._settlement(core.Contenders(self._engine, self._plan), int)
        places = range(settlement.root + 1)
        choices = [None if settlement.is_end(place) else 0 for place in places]
        return self._tree(settlement, choices)

    def _settlement(self, found: core.Contenders, look: Look) -> Settlement:
        number: Number = Fraction if self._is_exact else float
        contenders = Contenders(found, self._problem, number, UnseenState())
        tolerance = None if self._is_exact else self._plan.tolerance
        return Settlement(contenders, tolerance, look)

    def _tree(self, settlement: Settlement, choices: list[int | None]) -> DecisionTree:
        policy = self._policy(settlement, choices)
        states = PathStates(self._problem)
        return DecisionTree(policy, policy.root, states, problem=self._problem)

    def _tree_by_state(
        self, settlement: Settlement, choice: TreeChoice
    ) -> DecisionTree:
        space = ProblemSpace(self._problem, exact=self._is_exact)
        chosen = choice.by_state(space)
        policy = policy_by_state(self._policy(settlement, ()), chosen, space)
        states = SpaceStates(space, _as_it_is)
        return DecisionTree(policy, space.root, states, problem=self._problem)

    def _policy(
        self, settlement: Settlement, choices: Sequence[int | None]
    ) -> SettledPolicy:
        whole = self._everything if self._weighs_all else None
        return SettledPolicy(self._plan, self._problem, settlement, choices, whole)

    def _everything(self) -> Settlement:
        return self._settlement(core.Contenders.of_all(self._engine), int)


def _as_it_is(state: PackedState) -> PackedState:
    return state
