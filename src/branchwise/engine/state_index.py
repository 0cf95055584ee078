"""State indexing in C++: the same numbers as the reference, faster."""

from __future__ import annotations

from collections.abc import Sequence

import branchwise._core as core
from branchwise.space.state_domain import StateDomain

__all__ = ["StateIndex"]

# The core keeps a rank in 32 bits; the index itself is as long as it has to be.
_LARGEST_SIZE = 2**32 - 1


class StateIndex:
    """
    Number every state from zero up.

    The first element counts least. Indices are exact for any number of elements.

    Parameters
    ----------
    sizes
        How many values each element may take: at least one, at most 4294967295.

    Examples
    --------
    >>> actions = StateIndex([4] * 500)
    >>> actions.num_states == 4**500
    True
    >>> actions.index(actions.state(3**600)) == 3**600
    True
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.domain = StateDomain(tuple(sizes))
        for i, size in enumerate(self.domain.sizes):
            if size > _LARGEST_SIZE:
                raise ValueError(
                    f"sizes[{i}]: {size} is more than {_LARGEST_SIZE} values\n"
                    "    fix: split the element in two, or use "
                    "branchwise.reference.state_index, which has no limit"
                )
        self._core = core.StateIndex(self.domain.sizes)

    @property
    def num_states(self) -> int:
        """How many states there are: the product of the sizes."""
        return self._core.num_states

    def index(self, state: Sequence[int]) -> int:
        """
        Return the index of a state.

        Parameters
        ----------
        state
            One rank per element: the place of its value, from zero up.
        """
        self.domain.check_state(state)
        return self._core.index(state)

    def state(self, index: int) -> tuple[int, ...]:
        """
        Return the state whose index this is.

        Parameters
        ----------
        index
            A number from zero up to, but not including, ``num_states``.
        """
        self.domain.check_index(index)
        return tuple(self._core.state(index))
