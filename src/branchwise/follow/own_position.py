"""Where the follower of a plan stands in a state space of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NoReturn

from branchwise.errors import HistoryError
from branchwise.model.budget import DEFAULT_RESOURCE, Amounts, Budget
from branchwise.model.conditions.condition import Happened
from branchwise.space.checked_space import CheckedSpace
from branchwise.space.own_space import OwnSpace, action_at, own_space, starting_at, step


@dataclass(frozen=True, slots=True)
class OwnPosition:
    """A state space of one's own, and the state we are in."""

    problem: OwnSpace
    state: Any

    @classmethod
    def start(cls, space: OwnSpace) -> OwnPosition:
        """Return the position in which nothing has happened."""
        return cls(space, own_space(space, naive=True).root)

    @property
    def remaining(self) -> OwnSpace:
        """What is left: the same space, from here on."""
        return starting_at(self.problem, self.state)

    @property
    def left(self) -> Budget:
        """What is left of the budget: there is none, unless the state has it."""
        return Budget({})

    @property
    def facts(self) -> Mapping[str, Mapping[str, Fraction]]:
        """What is known of hidden facts: there are none."""
        return {}

    @property
    def counters(self) -> Mapping[str, int]:
        """Where counters stand: there are none."""
        return {}

    def cost(self, action: str) -> Amounts:
        """Return what an action costs here; what it brings in is no cost."""
        found = action_at(self._space, self.state, action)
        return Amounts({} if found is None else {DEFAULT_RESOURCE: max(found.cost, 0)})

    def after(self, event: Happened) -> OwnPosition:
        """Return the position after an outcome; refuse one that is impossible."""
        where = f"here `{event}`"
        return replace(self, state=step(self._space, self.state, event, where))

    def forced(self, event: Happened) -> NoReturn:
        """Refuse an outcome that the space does not allow."""
        what = "a state space of your own does not say what would follow"
        fix = "report what the space allows, or follow `starting_at(space, state)`"
        raise HistoryError.of(f"here `{event}`", what, fix)

    @property
    def _space(self) -> CheckedSpace[Any]:
        return own_space(self.problem, naive=True)


def only_outcomes(what: str) -> HistoryError:
    """Return the error of a surprise that a state space of one's own cannot take."""
    says = "a state space of your own has no numbers by name that could change"
    fix = "make a space with what is new, and follow `starting_at(space, state)`"
    return HistoryError.of(what, says, fix)
