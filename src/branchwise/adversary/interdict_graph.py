"""Every state that an attacker may come to, whatever defenses are in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from branchwise.adversary.defense_clauses import Choices, numbers_in
from branchwise.adversary.defense_effects import Effects
from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.budget import Limit
from branchwise.model.condition import NEVER
from branchwise.model.defended_problem import hardened

__all__ = ["AttackGraph", "Option"]

MOST_OPTIONS: Final = 40_000
_MOST_VARIANTS: Final = 1024

_State = tuple[tuple[tuple[int, ...], ...], tuple[Limit, ...]]
"""How often each outcome of each action has come up; and what is left."""


class Variant(NamedTuple):
    """An action as some of the defenses that touch it leave it."""

    number: int
    defenses: int
    action: Action


class Option(NamedTuple):
    """
    What an action comes to at a state, if certain defenses are in place.

    Parameters
    ----------
    action
        The action, by its number.
    defenses
        Those of the defenses that touch it that are in place.
    charge
        What it takes off the reward.
    branches
        How likely each next state is.
    """

    action: int
    defenses: int
    charge: float
    branches: tuple[tuple[float, int], ...]

    def worth(self, values: Sequence[float]) -> float:
        """Return what it is worth where the next states are worth this."""
        return sum(p * values[child] for p, child in self.branches) - self.charge


@dataclass(slots=True)
class Position:
    """A state by its number: the reward for stopping there, and its options."""

    reward: float
    options: list[Option] = field(default_factory=list)


class AttackGraph:
    """
    The states that plans may come to against any defenses, each before its children.

    Raises
    ------
    LimitError
        There are too many options for a program.
    """

    def __init__(self, effects: Effects, choices: Choices) -> None:
        self._problem = effects.problem
        self._touching = list(effects.touching.values())
        sets = [_sets(effects, choices, action) for action in self._problem.actions]
        self._num_sets = [len(each) for each in sets]
        self._variants = [
            list(_variants(effects, number, each)) for number, each in enumerate(sets)
        ]
        self._numbers: dict[_State, int] = {}
        self._states: list[_State] = []
        self.positions: list[Position] = []
        self._explore()

    def _explore(self) -> None:
        """Find all states, breadth first: those with more attempts come later."""
        counts = tuple((0,) * len(a.labels) for a in self._problem.actions)
        self._number((counts, tuple(self._problem.budget.values())))
        num_options = 0
        for state in self._states:  # They grow on the way.
            position = self._position(state)
            self.positions.append(position)
            num_options += len(position.options)
            if num_options > MOST_OPTIONS:
                raise LimitError(
                    f"the program would have more than {MOST_OPTIONS:,} rows; "
                    "the method `search` has no such limit"
                )

    def _number(self, state: _State) -> int:
        if state not in self._numbers:
            self._numbers[state] = len(self._states)
            self._states.append(state)
        return self._numbers[state]

    def _position(self, state: _State) -> Position:
        counts, _ = state
        happened = {
            action.name: [
                label for label, n in zip(action.labels, had, strict=True) if n
            ]
            for action, had in zip(self._problem.actions, counts, strict=True)
            if any(had)
        }
        position = Position(float(self._problem.reward(happened)))
        for number, had in enumerate(counts):
            action = self._problem.actions[number]
            if (
                sum(had) < action.attempts
                and action.requires.holds(happened)
                and not action.precluded_by.holds(happened)
            ):
                for variant in self._variants[number]:
                    option = self._option(state, variant, happened)
                    if option is not None:
                        position.options.append(option)
        return position

    def _option(
        self, state: _State, variant: Variant, happened: dict[str, list[str]]
    ) -> Option | None:
        """Return what a variant of an action comes to; None if it cannot be paid."""
        counts, left = state
        cost, probabilities = variant.action.as_of(happened)
        resources = zip(self._problem.budget, left, strict=True)
        rest = tuple(limit - cost.of(resource) for resource, limit in resources)
        if min(rest) < 0:
            return None
        branches = []
        labels, had = variant.action.labels, counts[variant.number]
        for outcome in probabilities:
            if outcome.probability:
                place = labels.index(outcome.label)
                now = (*had[:place], had[place] + 1, *had[place + 1 :])
                after = (*counts[: variant.number], now, *counts[variant.number + 1 :])
                child = self._number((after, rest))
                branches.append((float(outcome.probability), child))
        charge = float(self._problem.cost_weight.times(cost))
        return Option(variant.number, variant.defenses, charge, tuple(branches))

    def touching(self, option: Option) -> int:
        """Return the defenses that touch the action of an option."""
        return self._touching[option.action]

    def bounds(self) -> tuple[list[float], list[float]]:
        """Return the least and the most each state is worth, whatever is in place."""
        lower = [position.reward for position in self.positions]
        upper = list(lower)
        for number in range(len(lower) - 1, -1, -1):
            sure: dict[int, list[float]] = {}
            for option in self.positions[number].options:
                upper[number] = max(upper[number], option.worth(upper))
                sure.setdefault(option.action, []).append(option.worth(lower))
            for action, worths in sure.items():
                if len(worths) == self._num_sets[action]:  # No defense rules it out.
                    lower[number] = max(lower[number], min(worths))
        return lower, upper


def _sets(effects: Effects, choices: Choices, action: Action) -> list[int]:
    """Return every set of defenses that touch an action and may be in place."""
    sets = [0]
    for defense in numbers_in(effects.touching[action.name]):
        bit, excluded = 1 << defense, choices.excluded[defense]
        sets += [some | bit for some in sets if not some & excluded]
        if len(sets) > _MOST_VARIANTS:
            raise LimitError(
                f"too many defenses touch `{action.name}` for a program; "
                "the method `search` has no such limit"
            )
    return sets


def _variants(effects: Effects, number: int, sets: list[int]) -> Iterator[Variant]:
    """Return an action as sets of defenses leave it, unless they forbid it."""
    action = effects.problem.actions[number]
    for some in sets:
        variant = hardened(action, effects.chosen(some))
        if variant.requires != NEVER:
            yield Variant(number, some, variant)
