"""The space of net rewards: states that know what was spent on the way there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.risk.aims import Utility
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction, Real, Transition

__all__ = ["NetSpace", "NetState", "UtilitySpace"]

_MOST_STATES: Final = 300_000


class NetState(NamedTuple):
    """
    A state of a problem, and what the objective has been charged by then.

    Parameters
    ----------
    state
        What has happened, and what is left.
    charged
        What was spent, by its weight.
    """

    state: PackedState
    charged: Fraction


_Actions = tuple[AvailableAction[NetState], ...]


class NetSpace:
    """
    The states of a problem with what was spent as part of each.

    A mean may take off each cost where it is met; a utility is one of the final reward
    less all costs, so a state has to know them.

    Parameters
    ----------
    problem
        A valid problem.
    watch
        Called for every state; what it raises ends the work.
    exact
        Compute with fractions instead of floats.
    most_states
        How many states there may be, if that is fewer than usual.
    """

    def __init__(
        self,
        problem: Problem,
        watch: Callable[[], None],
        *,
        exact: bool,
        most_states: int | None = None,
    ) -> None:
        self._watch = watch
        self._space = ProblemSpace(problem, exact=True)
        self._number = Fraction if exact else float
        self._most_states = min(_MOST_STATES, most_states or _MOST_STATES)
        self._actions: dict[NetState, _Actions] = {}
        self.root = NetState(self._space.root, Fraction(0))

    def actions(self, state: NetState) -> _Actions:
        """Return the actions that can be taken at a state, free of charge."""
        if state not in self._actions:
            self._watch()
            self._actions[state] = self._found(state)
            if len(self._actions) > self._most_states:
                raise LimitError(
                    "what was spent must be part of every state here, and that makes "
                    f"more than {self._most_states:,} of them\n"
                    "    fix: lower the budget, or set `cost_weight` to 0"
                )
        return self._actions[state]

    def net_reward(self, state: NetState) -> Fraction:
        """Return the reward for stopping at a state, less what was charged."""
        return Fraction(self._space.reward(state.state)) - state.charged

    def levels(self) -> tuple[Fraction, ...]:
        """Return every net reward that a plan may end with, in order."""
        found, pending = {self.root}, [self.root]
        while pending:
            for action in self.actions(pending.pop()):
                children = {child for _, _, child in action.transitions} - found
                found |= children
                pending.extend(children)
        return tuple(sorted({self.net_reward(state) for state in found}))

    def _found(self, state: NetState) -> _Actions:
        return tuple(
            AvailableAction(
                action.name,
                tuple(
                    Transition(
                        outcome,
                        self._number(probability),
                        NetState(child, state.charged + Fraction(action.charge)),
                    )
                    for outcome, probability, child in action.transitions
                ),
                self._number(action.cost),
            )
            for action in self._space.actions(state.state)
        )


@dataclass(frozen=True, slots=True)
class UtilitySpace:
    """
    The same states, with the utility of the net reward for reward.

    Parameters
    ----------
    states
        The states.
    utility
        What a net reward is worth.
    number
        What to compute with: `Fraction` or `float`.
    """

    states: NetSpace
    utility: Utility
    number: type[Fraction] | type[float]

    @property
    def root(self) -> NetState:
        """The state to start from."""
        return self.states.root

    def actions(self, state: NetState) -> Iterable[AvailableAction[NetState]]:
        """Return the actions that can be taken at a state."""
        return self.states.actions(state)

    def reward(self, state: NetState) -> Real:
        """Return the utility of stopping at a state."""
        return self.number(self.utility(self.states.net_reward(state)))
