"""The plan over explicit states, looked up in flat arrays as it is asked for."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from branchwise.engine.explicit.exploration import Exploration
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.choices.policy import Branch, Decision, PolicyOnDemand


class Worths(NamedTuple):
    """What the core has found out about states, by their numbers."""

    scores: Sequence[float]  # what the plan in hand is worth from there on
    choices: Sequence[int]  # which option it takes; less than 0 to stop
    uppers: Sequence[float]  # what no plan exceeds from there on
    tolerance: float  # numbers that differ by no more are the same


class ExplicitPolicy(PolicyOnDemand):
    """The decisions of a plan; its keys are the states themselves."""

    def __init__(self, explored: Exploration, worths: Worths) -> None:
        self._explored, self._worths = explored, worths
        self._actions = explored.action_names
        self._outcomes = explored.outcome_names
        self.root = explored.state(0)

    def __getitem__(self, state: Hashable) -> Decision:
        number = self._explored.number(state)
        score = self._worths.scores[number]
        reward = self._explored.arrays.rewards[number]
        option = self._worths.choices[number]
        if option < 0:
            return Decision(None, (), score, reward)
        name = self._actions[self._explored.arrays.actions[option]]
        branches = tuple(
            Branch(label, probability, self._explored.state(child))
            for label, probability, child in self._branches(option)
        )
        return Decision(name, branches, score, reward)

    def considered(self, state: Hashable) -> tuple[Alternative, ...]:
        """Return all actions weighed at a state, where something is known of them."""
        number = self._explored.number(state)
        options = self._explored.arrays.options(number)
        weighed = (self._alternative(option) for option in options)
        return tuple(each for each in weighed if each.value != math.inf)

    def _alternative(self, option: int) -> Alternative:
        arrays, worths = self._explored.arrays, self._worths
        branches = self._branches(option)
        is_bound = any(
            worths.uppers[child] - worths.scores[child] > worths.tolerance
            for _, probability, child in branches
            if probability
        )
        values = worths.uppers if is_bound else worths.scores
        prospects = tuple(
            Prospect(label, probability, values[child])
            for label, probability, child in branches
        )
        mean = sum(each.probability * each.value for each in prospects)
        name = self._actions[arrays.actions[option]]
        return Alternative(name, mean - arrays.charges[option], is_bound, prospects)

    def _branches(self, option: int) -> list[tuple[str, float, int]]:
        arrays = self._explored.arrays
        return [
            (
                self._outcomes[arrays.outcomes[branch]],
                arrays.probabilities[branch],
                arrays.children[branch],
            )
            for branch in arrays.branches(option)
        ]
