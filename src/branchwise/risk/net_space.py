"""States that know what was spent: for utilities of the final reward less all costs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple, Protocol

from branchwise.errors import LimitError
from branchwise.model.numbers.number import exact
from branchwise.model.problem import Problem
from branchwise.risk.aims import Utility
from branchwise.risk.effort import Effort
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import (
    AvailableAction,
    Real,
    SoundSpace,
    Transition,
)

_MOST_STATES: Final = 300_000

Payoffs = tuple[tuple[Real, Fraction], ...]
"""What stopping may pay, and how likely: more than one thing with hidden facts."""


class NetState(NamedTuple):
    """A state, and what the objective has been charged by then."""

    state: Any  # what has happened, and what is left
    charged: Fraction  # what was spent, by its weight


_Actions = tuple[AvailableAction[NetState], ...]


class _Source(Protocol):
    """Where states come from: a problem, or a state space of one's own."""

    @property
    def root(self) -> Hashable:
        """The state to start from."""

    def actions(self, state: Any) -> Iterable[AvailableAction[Any]]:
        """Return the actions that can be taken at a state."""

    def charge(
        self, state: Any, action: AvailableAction[Any], child: Transition[Any]
    ) -> Fraction:
        """Return what the objective loses by an action that comes out so."""

    def payoffs(self, state: Any) -> Payoffs:
        """Return what stopping at a state may pay, and how likely."""

    def may_stop(self, state: Any) -> bool:
        """Whether one may stop at a state although something could be done."""


class ProblemSource:
    """The states of a problem, in fractions."""

    def __init__(self, problem: Problem) -> None:
        self._space = ProblemSpace(problem, exact=True)
        self.root: PackedState = self._space.root
        self.actions = self._space.actions
        self.charge = self._space.charge_of
        self.payoffs = self._space.payoffs
        self.may_stop = self._space.may_stop


class OwnSource:
    """The states of a space of one's own, with all actions that can be taken."""

    # What it says cannot help is a claim about the expected reward, not about an aim.

    def __init__(self, space: OwnSpace) -> None:
        self._space = own_space(space, naive=True)
        self.root: Hashable = self._space.root
        self.actions = self._space.actions

    def charge(
        self, state: Any, action: AvailableAction[Any], child: Transition[Any]
    ) -> Fraction:
        """Return what the objective loses by an action, whatever comes of it."""
        del state, child
        return exact(action.charge)

    def payoffs(self, state: Any) -> Payoffs:
        """Return the reward for stopping, which is certain."""
        return ((exact(self._space.reward(state)), Fraction(1)),)

    def may_stop(self, state: Any) -> bool:
        """Whether one may stop: anywhere."""
        del state
        return True


class NetSpace:
    """
    The states of a problem with what was spent as part of each.

    A mean may take off each cost where it is met; a utility is one of the final reward
    less all costs, so a state has to know them.
    """

    def __init__(self, source: _Source, effort: Effort) -> None:
        self._watch = effort.watch
        self._source = source
        self.number = Fraction if effort.exact else float
        self._most_states = min(_MOST_STATES, effort.most_states or _MOST_STATES)
        self._actions: dict[NetState, _Actions] = {}
        self.root = NetState(source.root, Fraction(0))

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

    def may_stop(self, state: NetState) -> bool:
        """Whether one may stop at a state although something could be done."""
        return self._source.may_stop(state.state)

    def net_rewards(self, state: NetState) -> Payoffs:
        """Return the rewards that stopping may pay, less what was charged."""
        paid = self._source.payoffs(state.state)
        return tuple((reward - state.charged, chance) for reward, chance in paid)

    def levels(self) -> tuple[Fraction, ...]:
        """Return every net reward that a plan may end with, in order."""
        found, pending = {self.root}, [self.root]
        while pending:
            for action in self.actions(pending.pop()):
                children = {child for _, _, child in action.transitions} - found
                found |= children
                pending.extend(children)
        every = {net for state in found for net, _ in self.net_rewards(state)}
        return tuple(sorted(Fraction(net) for net in every if net > -math.inf))

    def _found(self, state: NetState) -> _Actions:
        found = []
        for action in self._source.actions(state.state):
            transitions = tuple(
                Transition(
                    each.outcome,
                    self.number(each.probability),
                    NetState(
                        each.state,
                        state.charged + self._source.charge(state.state, action, each),
                    ),
                )
                for each in action.transitions
            )
            cost = self.number(action.cost)
            found.append(AvailableAction(action.name, transitions, cost))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class UtilitySpace(SoundSpace):
    """The same states, with the expected utility of the net reward for reward."""

    states: NetSpace
    utility: Utility

    @property
    def root(self) -> NetState:
        """The state to start from."""
        return self.states.root

    def actions(self, state: NetState) -> Iterable[AvailableAction[NetState]]:
        """Return the actions that can be taken at a state."""
        return self.states.actions(state)

    def may_stop(self, state: NetState) -> bool:
        """Whether one may stop at a state although something could be done."""
        return self.states.may_stop(state)

    def reward(self, state: NetState) -> Real:
        """
        Return the utility of stopping at a state.

        With hidden facts the final reward is not known there: what counts is the mean
        of its utility, not the utility of its mean.
        """
        paid = self.states.net_rewards(state)
        if any(net == -math.inf for net, _ in paid):
            return -math.inf  # No plan may end like this, whatever the utility.
        if len(paid) == 1:
            return self.states.number(self.utility(paid[0][0]))
        total = sum((chance * exact(self.utility(net)) for net, chance in paid), _NONE)
        return self.states.number(total)


_NONE: Final = Fraction(0)
