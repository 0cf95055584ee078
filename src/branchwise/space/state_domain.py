"""The domain of a state: how many values each of its elements may take."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence


class NumberedStates(ABC):
    """All states that have one rank per element, numbered from zero up."""

    # A rank is the place of a value among those its element may take, from zero up; the
    # first element counts least. `sizes` says how many values each element may take: at
    # least one.

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        for i, size in enumerate(self.sizes):
            where = f"sizes[{i}]"
            _check_whole_number(where, size)
            if size < 1:
                what = f"{size} leaves the element without a value"
                fix = "use a size of 1 or more, or leave the element out"
                raise _error(where, what, fix)

    @property
    def num_states(self) -> int:
        """How many states there are: the product of the sizes."""
        return math.prod(self.sizes)

    def index(self, state: Sequence[int]) -> int:
        """Return the index of a state, given as one rank per element."""
        if len(state) != len(self.sizes):
            what = f"has length {len(state)}, but there are {len(self.sizes)} elements"
            raise _error("state", what, "give one rank per element")
        for i, (rank, size) in enumerate(zip(state, self.sizes, strict=True)):
            where = f"state[{i}]"
            _check_whole_number(where, rank)
            if not 0 <= rank < size:
                what = f"{rank} is not one of its {size} values"
                raise _error(where, what, f"use a rank from 0 to {size - 1}")
        return self._index(state)

    def state(self, index: int) -> tuple[int, ...]:
        """Return the state whose index this is."""
        _check_whole_number("index", index)
        if not 0 <= index < self.num_states:
            what = f"{_shown(index)} is not one of {_shown(self.num_states)} states"
            fix = f"use an index from 0 to {_shown(self.num_states - 1)}"
            raise _error("index", what, fix)
        return self._state(index)

    @abstractmethod
    def _index(self, state: Sequence[int]) -> int: ...

    @abstractmethod
    def _state(self, index: int) -> tuple[int, ...]: ...


def _check_whole_number(where: str, value: object) -> None:
    if not isinstance(value, int):
        what = f"{value!r} ({type(value).__name__}) is not a whole number"
        raise _error(where, what, "use an int")


def _shown(number: int) -> str:
    """Print a number that may be too long to read, or for Python to print."""
    longest_bits = 256
    if number.bit_length() <= longest_bits:
        return str(number)
    sign = "-" if number < 0 else ""
    return f"{sign}{hex(abs(number))[:10]}... ({number.bit_length()} bits)"


def _error(where: str, what: str, fix: str) -> ValueError:
    return ValueError(f"{where}: {what}\n    fix: {fix}")
