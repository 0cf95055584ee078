"""The domain of a state: how many values each of its elements may take."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StateDomain:
    """
    All states that have one rank per element, each rank below the element's size.

    A rank is the place of a value among those its element may take, from zero up.

    Examples
    --------
    >>> StateDomain((2, 3, 4)).num_states
    24
    >>> StateDomain((2, 3, 4)).check_state((1, 3, 0))
    Traceback (most recent call last):
        ...
    ValueError: state[1]: 3 is not one of its 3 values
        fix: use a rank from 0 to 2
    """

    sizes: tuple[int, ...]  # How many values each element may take: at least one

    def __post_init__(self) -> None:
        for i, size in enumerate(self.sizes):
            where = f"sizes[{i}]"
            _check_whole_number(where, size)
            if size < 1:
                raise _error(
                    where,
                    f"{size} leaves the element without a value",
                    "use a size of 1 or more, or leave the element out",
                )

    @property
    def num_states(self) -> int:
        """How many states there are: the product of the sizes."""
        return math.prod(self.sizes)

    def check_state(self, state: Sequence[int]) -> None:
        """Raise ValueError unless ``state`` is in the domain."""
        if len(state) != len(self.sizes):
            raise _error(
                "state",
                f"has length {len(state)}, but there are {len(self.sizes)} elements",
                "give one rank per element",
            )
        for i, (rank, size) in enumerate(zip(state, self.sizes, strict=True)):
            where = f"state[{i}]"
            _check_whole_number(where, rank)
            if not 0 <= rank < size:
                raise _error(
                    where,
                    f"{rank} is not one of its {size} values",
                    f"use a rank from 0 to {size - 1}",
                )

    def check_index(self, index: int) -> None:
        """Raise ValueError unless ``index`` is the index of some state."""
        _check_whole_number("index", index)
        if not 0 <= index < self.num_states:
            raise _error(
                "index",
                f"{_shown(index)} is not one of {_shown(self.num_states)} states",
                f"use an index from 0 to {_shown(self.num_states - 1)}",
            )


class NumberedStates(ABC):
    """The states of a domain, numbered from zero up; the first element counts least."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.domain = StateDomain(tuple(sizes))

    @property
    def num_states(self) -> int:
        """How many states there are: the product of the sizes."""
        return self.domain.num_states

    def index(self, state: Sequence[int]) -> int:
        """Return the index of a state, given as one rank per element."""
        self.domain.check_state(state)
        return self._index(state)

    def state(self, index: int) -> tuple[int, ...]:
        """Return the state whose index this is."""
        self.domain.check_index(index)
        return self._state(index)

    @abstractmethod
    def _index(self, state: Sequence[int]) -> int: ...

    @abstractmethod
    def _state(self, index: int) -> tuple[int, ...]: ...


def _check_whole_number(where: str, value: object) -> None:
    if not isinstance(value, int):
        raise _error(
            where,
            f"{value!r} ({type(value).__name__}) is not a whole number",
            "use an int",
        )


def _shown(number: int) -> str:
    """Print a number that may be too long to read, or for Python to print."""
    longest_bits = 256
    if number.bit_length() <= longest_bits:
        return str(number)
    sign = "-" if number < 0 else ""
    return f"{sign}{hex(abs(number))[:10]}... ({number.bit_length()} bits)"


def _error(where: str, what: str, fix: str) -> ValueError:
    return ValueError(f"{where}: {what}\n    fix: {fix}")
