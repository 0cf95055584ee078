"""State spaces in arrays: many states at once in, their transitions out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[Any]


class ArrayTransitions(NamedTuple):
    """
    What may come of every action at some states: one row for each outcome.

    Rows of one source and one action are one action there. They may stand in any order;
    the actions of a state are in the order of their ids, and the outcomes of an action
    in that of their rows.

    Parameters
    ----------
    source
        Which of the states it starts from: 0 for the first one.
    action
        The id of the action: its place among the `action_names` of the space.
    outcome
        The id of the outcome: its place among the `outcome_names`.
    probability
        How likely it is; those of one action at one state sum to one.
    state
        The states that follow, one row each.
    cost
        What the action costs, for those who prefer cheap plans among the best: one
        number for all, or one for each row, the same within an action.
    charge
        What the objective loses by taking the action; given like the cost.
    """

    source: ArrayLike
    action: ArrayLike
    outcome: ArrayLike
    probability: ArrayLike
    state: ArrayLike
    cost: ArrayLike = 0
    charge: ArrayLike = 0


class ArraySpace(Protocol):
    """
    A state space whose states are rows of whole numbers, explored many at a time.

    It is for spaces of many states: NumPy works out what follows from thousands of them
    at once, and they are told apart and scored in C++. The rules are those of a
    `StateSpace`. The optional methods are the same, too, with arrays:
    ``upper_bound(states)`` gives a number for each state, and ``may_help(states,
    actions)`` whether the action of each id can help at the state beside it.
    """

    action_names: Sequence[str]
    outcome_names: Sequence[str]

    @property
    def root(self) -> ArrayLike:
        """The state to start from: a row of whole numbers."""

    def expand(self, states: Numbers) -> ArrayTransitions:
        """Return what may come of every action that can be taken at some states."""

    def reward(self, states: Numbers) -> ArrayLike:
        """Return the reward for stopping at each of some states."""


def is_array_space(space: object) -> bool:
    """Whether this is meant to be a state space in arrays."""
    return hasattr(space, "expand") and not hasattr(space, "actions")


def make_sure_of_numpy() -> None:
    """Raise an error with what to install, where NumPy is missing."""
    try:
        import numpy  # noqa: F401, ICN001, PLC0415
    except ImportError:
        fix = "pip install numpy"
        raise ImportError(f"a state space in arrays needs NumPy: {fix}") from None
