"""State spaces of one's own, of either kind, as one kind; and parts of them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from branchwise.space.array_space import ArraySpace, is_array_space
from branchwise.space.checked_space import CheckedSpace
from branchwise.space.state_space import StateSpace

S = TypeVar("S", bound=Hashable)

OwnSpace = StateSpace[Any] | ArraySpace
"""A state space of one's own: with a method for each state, or in arrays."""


def own_space(space: Any, *, naive: bool = False) -> CheckedSpace[Any]:
    """
    Return a state space of either kind as one that is looked at state by state.

    The states of one in arrays are then tuples. Naive means every action, also those
    that the space says cannot help.
    """
    if not is_array_space(space):
        return CheckedSpace(space, naive=naive)
    # NumPy is loaded by those who use it.
    from branchwise.space.checked_arrays import RowSpace  # noqa: PLC0415

    return CheckedSpace(RowSpace(space, naive=naive), naive=naive)


class _Started(Generic[S]):
    """A state space that starts elsewhere, and is the same in all else."""

    def __init__(self, space: Any, root: S) -> None:
        self._space = space
        self.root = root

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_space":
            raise AttributeError(name)
        return getattr(self._space, name)


def starting_at(space: Any, state: S) -> StateSpace[S]:
    """
    Return a state space that starts at another state.

    Examples
    --------
    >>> from branchwise.solver import solve
    >>> from branchwise.space import AvailableAction, Transition
    >>> class Stairs:
    ...     root = 0
    ...
    ...     def actions(self, step):
    ...         if step < 9:
    ...             yield AvailableAction("climb", (Transition("done", 1, step + 1),))
    ...
    ...     def reward(self, step):
    ...         return step
    >>> solve(starting_at(Stairs(), 7)).tree.depth
    2
    """
    own_space(space)  # Refuses what is none.
    started: StateSpace[S] = _Started(space, state)
    own_space(started)
    return started
