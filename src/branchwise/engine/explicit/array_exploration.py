"""Exploring a state space in arrays: thousands of states at a time."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import branchwise._core as core
from branchwise.engine.explicit.explicit_arrays import OPEN
from branchwise.engine.explicit.exploration import Exploration, Look, batches
from branchwise.errors import LimitError
from branchwise.space.checked_arrays import CheckedArrays, Options

# Enough for NumPy to be at its best, and few enough to look up in between.
_AT_ONCE: Final = 32_768

_MOST_STATES: Final = 2**31 - 1


class ArrayExploration(Exploration):
    """The states of a space whose states are rows of whole numbers."""

    def __init__(self, space: CheckedArrays) -> None:
        super().__init__()
        self._space = space
        self._table = core.RowTable(space.width)
        self._number_rows(space.root)
        self._done()

    @property
    def has_upper_bound(self) -> bool:
        """Whether the space says what no plan can exceed."""
        return self._space.has_upper_bound

    def state(self, number: int) -> Hashable:
        """Return a state by its number: a tuple of whole numbers."""
        return tuple(self._rows(number, number + 1)[0].tolist())

    def number(self, state: Hashable) -> int:
        """Return the number of a state."""
        found = self._table.find(np.array([state], dtype=np.int64))
        if found is None:
            raise KeyError(state)
        return found

    @property
    def action_names(self) -> Sequence[str]:
        """The names of actions, by their ids."""
        return self._space.action_names

    @property
    def outcome_names(self) -> Sequence[str]:
        """The labels of outcomes, by their ids."""
        return self._space.outcome_names

    def expand(self, numbers: Sequence[int], look: Look) -> None:
        """Expand states, many at a time."""
        for some in batches(numbers, _AT_ONCE):
            look()
            chosen = np.asarray(some, dtype=np.int64)
            firsts = np.frombuffer(self.arrays.first_options, dtype=np.int64)
            chosen = chosen[firsts[chosen] == OPEN]
            del firsts  # As long as someone looks at an array, it cannot grow.
            self._begin(chosen.tolist())
            self._expand(chosen)
            self._done()

    def _expand(self, numbers: NDArray[np.int64]) -> None:
        found = self._space.options(self._rows_of(numbers))
        arrays = self.arrays
        first_option, first_branch = len(arrays.costs), len(arrays.children)
        children = self._number_rows(found.state)
        self._append(found, children, first_branch)
        counts = np.bincount(found.source, minlength=len(numbers))
        firsts = first_option + np.cumsum(counts) - counts
        np.frombuffer(arrays.num_options, dtype=np.int32)[numbers] = counts
        np.frombuffer(arrays.first_options, dtype=np.int64)[numbers] = firsts

    def _append(self, found: Options, children: bytes, first_branch: int) -> None:
        arrays = self.arrays
        ends = first_branch + np.cumsum(found.num_branches)
        _extend(arrays.actions, found.action.astype(np.int32))
        _extend(arrays.costs, found.cost)
        _extend(arrays.charges, found.charge)
        _extend(arrays.first_branches, ends.astype(np.int64))
        _extend(arrays.outcomes, found.outcome.astype(np.int32))
        arrays.children.frombytes(children)
        _extend(arrays.probabilities, found.probability)

    def _number_rows(self, rows: NDArray[np.int64]) -> bytes:
        """Return the numbers of states, and take those in that are new."""
        arrays, before = self.arrays, self._table.size
        numbers = self._table.number(rows)
        count = self._table.size - before
        if self._table.size > _MOST_STATES:
            raise LimitError(f"there are more than {_MOST_STATES:,} states")
        if count:
            fresh = self._rows(before, self._table.size)
            rewards = self._space.rewards(fresh)
            _extend(arrays.rewards, rewards)
            _extend(arrays.uppers, self._space.upper_bounds(fresh, rewards))
            _extend(arrays.first_options, np.full(count, OPEN, dtype=np.int64))
            _extend(arrays.num_options, np.zeros(count, dtype=np.int32))
        return numbers

    def _rows(self, first: int, last: int) -> NDArray[np.int64]:
        rows = np.frombuffer(self._table.rows(first, last), dtype=np.int64)
        return rows.reshape(-1, self._space.width)

    def _rows_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        rows = np.frombuffer(self._table.rows_of(numbers), dtype=np.int64)
        return rows.reshape(-1, self._space.width)

    def forget(self, num_states: int) -> None:
        """Forget all states from a number on."""
        self._table.shorten(num_states)


def _extend(numbers: array[Any], more: NDArray[Any]) -> None:
    numbers.frombytes(more.tobytes())
