"""State indexing in C++: the same numbers as the reference, faster."""

from collections.abc import Sequence

import branchwise._core as core
from branchwise.space.state_domain import NumberedStates

# The core keeps a rank in 32 bits; the index itself is as long as it has to be.
_LARGEST_SIZE = 2**32 - 1


class StateIndex(NumberedStates):
    """
    Number every state from zero up, exactly, for elements of up to 4294967295 values.

    Examples
    --------
    >>> actions = StateIndex([4] * 500)
    >>> actions.num_states == 4**500
    True
    >>> actions.index(actions.state(3**600)) == 3**600
    True
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        super().__init__(sizes)
        for i, size in enumerate(self.sizes):
            if size > _LARGEST_SIZE:
                raise ValueError(
                    f"sizes[{i}]: {size} is more than {_LARGEST_SIZE} values\n"
                    "    fix: split the element in two, or use "
                    "branchwise.reference.state_index, which has no limit"
                )
        self._core = core.StateIndex(self.sizes)

    @property
    def num_states(self) -> int:
        """How many states there are: the product of the sizes."""
        return self._core.num_states

    def _index(self, state: Sequence[int]) -> int:
        return self._core.index(state)

    def _state(self, index: int) -> tuple[int, ...]:
        return tuple(self._core.state(index))
