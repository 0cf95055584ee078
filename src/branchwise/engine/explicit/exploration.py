"""Exploring: states are met, numbered and expanded, and kept in flat arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from branchwise.engine.explicit.explicit_arrays import OPEN, ExplicitArrays, Extent
from branchwise.space.checked_space import CheckedSpace
from branchwise.space.state_space import AvailableAction

Look = Callable[[], object]
"""Called now and then; raises to end the exploration."""


class Exploration(ABC):
    """
    The states of a space that were met so far.

    Whatever ends it, also Ctrl-C in the middle of something, every state is either
    expanded or open: `settle` takes back what was half done.
    """

    def __init__(self) -> None:
        self.arrays = ExplicitArrays()
        self._sound = Extent(0, 0, 0)
        self._pending: Sequence[int] = ()

    @property
    @abstractmethod
    def has_upper_bound(self) -> bool:
        """Whether the space says what no plan can exceed."""

    @abstractmethod
    def state(self, number: int) -> Hashable:
        """Return a state by its number."""

    @abstractmethod
    def number(self, state: Hashable) -> int:
        """Return the number of a state; raise a `KeyError` if it was not met."""

    @property
    @abstractmethod
    def action_names(self) -> Sequence[str]:
        """The names of actions, by their ids."""

    @property
    @abstractmethod
    def outcome_names(self) -> Sequence[str]:
        """The labels of outcomes, by their ids."""

    @abstractmethod
    def expand(self, numbers: Sequence[int], look: Look) -> None:
        """Expand open states; what they lead to is then met."""

    @abstractmethod
    def forget(self, num_states: int) -> None:
        """Forget all states from a number on."""

    def settle(self) -> None:
        """Take back what was half done."""
        if self.arrays.extent != self._sound or self._pending:
            self.arrays.cut(self._sound, self._pending)
            self.forget(self._sound.states)
            self._pending = ()

    def _begin(self, numbers: Sequence[int]) -> None:
        self._pending = numbers

    def _done(self) -> None:
        """Note that what was begun is whole."""
        count = len(self._pending)
        self._sound, self._pending = self.arrays.extent, ()
        self.arrays.num_expanded += count


_STATES_BETWEEN_LOOKS: Final = 16


class PlainExploration(Exploration):
    """The states of a space whose states are any hashable values."""

    def __init__(self, space: CheckedSpace[Any]) -> None:
        super().__init__()
        self._space = space
        self._states: list[Hashable] = []
        self._numbers: dict[Hashable, int] = {}
        self._actions: dict[str, int] = {}
        self._outcomes: dict[str, int] = {}
        self._add(space.root)
        self._done()

    @property
    def has_upper_bound(self) -> bool:
        """Whether the space says what no plan can exceed."""
        return self._space.has_upper_bound

    def state(self, number: int) -> Hashable:
        """Return a state by its number."""
        return self._states[number]

    def number(self, state: Hashable) -> int:
        """Return the number of a state."""
        return self._numbers[state]

    @property
    def action_names(self) -> Sequence[str]:
        """The names of actions, by their ids."""
        return tuple(self._actions)

    @property
    def outcome_names(self) -> Sequence[str]:
        """The labels of outcomes, by their ids."""
        return tuple(self._outcomes)

    def expand(self, numbers: Sequence[int], look: Look) -> None:
        """Expand states one by one."""
        for count, number in enumerate(numbers):
            if not count % _STATES_BETWEEN_LOOKS:
                look()
            if self.arrays.first_options[number] == OPEN:
                self._begin((number,))
                self._expand(number)
                self._done()

    def _expand(self, number: int) -> None:
        arrays, numbers, outcomes = self.arrays, self._numbers, self._outcomes
        first = len(arrays.costs)
        for action in self._space.actions(self._states[number]):
            for label, probability, child in action.transitions:
                known = numbers.get(child)
                arrays.children.append(self._add(child) if known is None else known)
                if probability.__class__ is Fraction:  # Faster than `float` by half.
                    part, whole = probability.as_integer_ratio()
                    arrays.probabilities.append(part / whole)
                else:
                    arrays.probabilities.append(float(probability))
                arrays.outcomes.append(outcomes.setdefault(label, len(outcomes)))
            self._close(action)
        arrays.num_options[number] = len(arrays.costs) - first
        arrays.first_options[number] = first

    def _close(self, action: AvailableAction[Any]) -> None:
        """Note an option whose branches are there."""
        arrays, ids = self.arrays, self._actions
        arrays.actions.append(ids.setdefault(action.name, len(ids)))
        arrays.charges.append(float(action.charge))
        arrays.first_branches.append(len(arrays.children))
        arrays.costs.append(float(action.cost))

    def _add(self, state: Hashable) -> int:
        arrays, number = self.arrays, len(self._states)
        reward = self._space.reward(state)
        bound = self._space.upper_bound(state, reward)
        self._states.append(state)
        self._numbers[state] = number
        arrays.rewards.append(float(reward))
        arrays.uppers.append(bound)
        arrays.first_options.append(OPEN)
        arrays.num_options.append(0)
        return number

    def forget(self, num_states: int) -> None:
        """Forget all states from a number on."""
        for state in self._states[num_states:]:
            self._numbers.pop(state, None)
        del self._states[num_states:]


def batches(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Return numbers in order, so many at a time."""
    for first in range(0, len(numbers), size):
        yield numbers[first : first + size]
