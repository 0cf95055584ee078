"""The probabilities an engine goes by, changed from one problem to the next."""

from __future__ import annotations

from typing import Final

import branchwise._core as core
from branchwise.engine.lower import Lowered, LoweredVariant
from branchwise.model.action import Action
from branchwise.model.problem import Problem

__all__ = ["EngineProbabilities"]

_MOST_KEPT: Final = 20_000


class EngineProbabilities:
    """
    Keeps track of the actions that an engine goes by.

    What-ifs differ in few actions, and share the others as they are; so only what is
    another object than before is lowered and handed over.

    Parameters
    ----------
    engine
        The engine, as it was made.
    lowered
        What it was made of.
    has_adversary
        Whether actions had their spreads.
    """

    def __init__(
        self, engine: core.CanonicalEngine, lowered: Lowered, *, has_adversary: bool
    ) -> None:
        self._engine = engine
        self._lowered = lowered
        self._actions = list(lowered.problem.actions)
        self._how = (lowered.problem.cost_weight, has_adversary)
        # By the identity of an action, which lives as long as it is kept here.
        self._kept: dict[int, tuple[Action, list[LoweredVariant]]] = {}

    def turn_to(self, problem: Problem, *, has_adversary: bool) -> None:
        """Let the engine go by the numbers of another problem."""
        how = (problem.cost_weight, has_adversary)
        is_new = how != self._how
        if is_new or len(self._kept) > _MOST_KEPT:
            self._kept.clear()
        self._how = how
        for number, action in enumerate(problem.actions):
            if is_new or action is not self._actions[number]:
                self._engine.change_odds(number, self._variants(number, action))
                self._actions[number] = action

    def _variants(self, number: int, action: Action) -> list[LoweredVariant]:
        known = self._kept.get(id(action))
        if known is not None:
            return known[1]
        weights, has_adversary = self._how
        variants = self._lowered.variants(
            action,
            self._lowered.problem.actions[number],
            weights=weights,
            has_adversary=has_adversary,
        )
        self._kept[id(action)] = action, variants
        return variants
