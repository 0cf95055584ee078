"""Maps from names to what is said of them: immutable and hashable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

__all__ = ["ByName"]

V = TypeVar("V")


class ByName(Mapping[str, V]):
    """
    What is said of each name, in the order given.

    Examples
    --------
    >>> ByName({"drill": 2})
    ByName({'drill': 2})
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> V:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"ByName({self._values})"
