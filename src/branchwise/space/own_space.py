"""State spaces of one's own, of either kind, as one kind; and parts of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Generic, TypeVar

from branchwise.errors import HistoryError, did_you_mean
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.history import History, as_history
from branchwise.space.array_space import (
    ArraySpace,
    is_array_space,
    make_sure_of_numpy,
)
from branchwise.space.checked_space import CheckedSpace, place
from branchwise.space.state_space import AvailableAction, StateSpace

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
    make_sure_of_numpy()
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


def as_steps(history: Any) -> tuple[Happened, ...]:
    """Accept what has happened as a history, or as pairs of action and outcome."""
    if isinstance(history, str | Happened) or not isinstance(history, Iterable):
        return as_history(history)
    steps: list[Happened] = []
    for part in history:
        is_pair = isinstance(part, tuple | list) and len(part) == 2
        steps += [Happened(*part)] if is_pair else as_history(part)
    return tuple(steps)


def state_after(space: CheckedSpace[Any], history: History) -> Any:
    """Return the state that steps lead to, in their order; refuse impossible ones."""
    state = space.root
    for number, event in enumerate(as_steps(history), 1):
        where = f"history, step {number} `{event}`"
        state = step(space, state, event, where)
    return state


def step(space: CheckedSpace[Any], state: Any, event: Happened, where: str) -> Any:
    """Return the state that one outcome leads to; refuse an impossible one."""
    action = action_at(space, state, event.action)
    if action is None:
        names = [each.name for each in space.actions(state)]
        what = f"`{event.action}` cannot be taken at {place(state)}"
        raise HistoryError.of(where, what, _known("what can is", names, event.action))
    for label, probability, child in action.transitions:
        if label == event.outcome and probability:
            return child
    labels = [each.outcome for each in action.transitions if each.probability]
    what = f"`{event.action}` cannot come out as `{event.outcome}` at {place(state)}"
    fix = _known("what can come of it is", labels, event.outcome)
    raise HistoryError.of(where, what, fix)


def action_at(
    space: CheckedSpace[Any], state: Any, name: str
) -> AvailableAction[Any] | None:
    """Return the action of this name at a state; None where it cannot be taken."""
    return next((each for each in space.actions(state) if each.name == name), None)


def _known(what: str, names: list[str], wrong: str) -> str:
    if not names:
        return "leave this out: nothing can be done there"
    listed = ", ".join(f"`{name}`" for name in names)
    return f"{what} {listed}{did_you_mean(wrong, names)}"
