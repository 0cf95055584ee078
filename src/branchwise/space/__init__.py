"""State spaces: problems as states and transitions, and spaces of one's own."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.space.state_space import AvailableAction as AvailableAction
    from branchwise.space.state_space import StateSpace as StateSpace
    from branchwise.space.state_space import Transition as Transition

__all__, __getattr__, __dir__ = lazy(
    __name__, {"state_space": "AvailableAction StateSpace Transition"}
)
