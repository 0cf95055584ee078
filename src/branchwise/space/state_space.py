"""
State spaces: anything with a root, actions and a reward.

The paper puts no limit on the action function R(s) and the reward function rho(s).
A `Problem` is one state space (`branchwise.space.problem_space`); yours may be
another.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from branchwise.model.numbers.number import Real
from branchwise.model.spread import Spread

__all__ = ["AvailableAction", "Real", "SoundSpace", "StateSpace", "Transition"]

S = TypeVar("S", bound=Hashable)


class Transition(NamedTuple, Generic[S]):
    """
    Where one outcome of an action leads, and how likely.

    Parameters
    ----------
    outcome
        Its label, unique within the action.
    probability
        How likely it is.
    state
        The state it leads to: the paper's s + Delta.
    """

    outcome: str
    probability: Real
    state: S


class AvailableAction(NamedTuple, Generic[S]):
    """
    An action that can be taken at a state.

    Parameters
    ----------
    name
        What the tree calls it, unique within the state.
    transitions
        One for each outcome; the probabilities sum to one.
    cost
        What it costs, for those who prefer cheap plans among the best.
    charge
        What the objective loses by taking it: ``cost_weight`` times the cost.
    spread
        All probabilities that it may have, transition by transition, where an adversary
        may choose among them; None where the probabilities are what they are.
    """

    name: str
    transitions: tuple[Transition[S], ...]
    cost: Real = 0
    charge: Real = 0
    spread: Spread | None = None


class SoundSpace(ABC):
    """
    A state space that is made here of sound parts, so that nothing needs checking.

    Other than in those of your own, one may have to go on where something can be done.
    """

    __slots__ = ()

    @abstractmethod
    def may_stop(self, state: Any) -> bool:
        """Whether one may stop at a state although something could be done."""


class StateSpace(Protocol[S]):
    """
    Anything with a root, actions and a reward.

    States are any hashable values. No state may be reached from itself: something
    must be used up by every action.

    Two more methods are optional, and claims of yours: if one is wrong, the answer may
    be. `branchwise.reference.check_pruning` tries them on a small space.

    ``upper_bound(state)``
        What no plan is worth more than from this state on, or infinity. With it, states
        that cannot matter are not explored, and a limit leaves a bound.
    ``may_help(state, action)``
        Whether the action of this name can be part of a best plan from this state on.
        Those that cannot are left out, as the paper leaves out what belongs to no
        rewarding set.
    """

    @property
    def root(self) -> S:
        """The state to start from."""

    def actions(self, state: S) -> Iterable[AvailableAction[S]]:
        """Return the actions that can be taken at a state: R(s)."""

    def reward(self, state: S) -> Real:
        """Return the reward for stopping at a state: rho(s)."""
