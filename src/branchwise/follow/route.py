"""The route so far: every position on the way, and what the plan says there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypedDict

from branchwise.follow.entries import Entry, Outcame
from branchwise.follow.own_position import OwnPosition, only_outcomes
from branchwise.follow.position import Position
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.history import Carried
from branchwise.solver import solve
from branchwise.tree.decision_tree import Node
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution, Status
from branchwise.tree.start import Start

AnyPosition = Position | OwnPosition
"""A place in a problem, or in a state space of one's own."""

_CUT_SHORT: Final = {Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.INTERRUPTED}


class How(TypedDict, total=False):
    """How plans are made: arguments of `solve`."""

    engine: str
    prefer: str
    gap: float
    time_limit_seconds: float | None
    exact: bool


@dataclass(frozen=True, slots=True)
class _Plan:
    """A place in a plan: the solution, and the node of its tree."""

    solution: Solution
    node: Node

    @property
    def is_done(self) -> bool:
        return self.solution.status not in _CUT_SHORT

    def after(self, outcome: Outcame) -> _Plan | None:
        """Follow the plan; None where it does not say what comes then."""
        if self.node.action != outcome.action:
            return None
        child = self.node.children.get(outcome.outcome)
        return None if child is None else _Plan(self.solution, child)


@dataclass(slots=True)
class _Place:
    """A position on the way, what led there, and the plan once there is one."""

    position: AnyPosition
    entry: Entry | None = None
    plan: _Plan | None = None

    @property
    def advised(self) -> Outcame | None:
        """The outcome of an action that was advised, if that is what led here."""
        entry = self.entry
        return entry if isinstance(entry, Outcame) and not entry.is_surprise else None


class Route:
    """Positions from the start to here."""

    # A plan is made when it is asked for: at the start, and wherever something led off
    # it. In between it is followed, so that going the same way again, as after a crash,
    # makes the same plans at the same places. A plan that a limit cut short is made
    # anew at every step, as there is less to search each time.

    def __init__(self, start: AnyPosition, how: How, progress: Listener) -> None:
        self._places = [_Place(start)]
        self._how = how
        self._progress = progress

    @property
    def start(self) -> AnyPosition:
        """Where it began."""
        return self._places[0].position

    @property
    def position(self) -> AnyPosition:
        """Where we stand."""
        return self._places[-1].position

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was reported on the way, but for what was undone."""
        return tuple(place.entry for place in self._places if place.entry is not None)

    def beyond(self, entry: Entry) -> AnyPosition:
        """Return the position that an entry leads to; raise if it makes no sense."""
        if isinstance(self.position, OwnPosition) and not isinstance(entry, Outcame):
            raise only_outcomes("here")
        here: Any = self.position
        position: AnyPosition = entry.applied(here)
        if isinstance(position, Position):
            checked(position.remaining)
        return position

    def go(self, entry: Entry, position: AnyPosition) -> None:
        """Go on to the position that an entry leads to."""
        self._places.append(_Place(position, entry))

    def back(self) -> None:
        """Take the last step back."""
        self._places.pop()

    def plan(self) -> tuple[Solution, Node]:
        """Return the plan that counts here, and our place in it."""
        place = self._places[-1]
        if place.plan is None:
            plan = self._followed()
            is_new = plan.node.parent is None
            place.plan = plan if is_new or plan.is_done else self._improved(plan)
        return place.plan.solution, place.plan.node

    def _followed(self) -> _Plan:
        """Follow the last plan there is from where it was made."""
        first = len(self._places) - 1
        while self._places[first].plan is None and self._places[first].advised:
            first -= 1
        plan = self._places[first].plan or self._new_plan(first)
        self._places[first].plan = plan
        for index in range(first + 1, len(self._places)):
            advised = self._places[index].advised
            assert advised is not None
            plan = plan.after(advised) or self._new_plan(index)
            self._places[index].plan = plan
        return plan

    def _improved(self, plan: _Plan) -> _Plan:
        """Look for a better plan from here, where the one in hand was cut short."""
        fresh = self._new_plan(len(self._places) - 1)
        return fresh if fresh.node.value > plan.node.value else plan

    def _new_plan(self, index: int) -> _Plan:
        position = self._places[index].position
        reported = [place.entry for place in self._places[1 : index + 1]]
        outcomes = [entry for entry in reported if isinstance(entry, Outcame)]
        events = [Happened(entry.action, entry.outcome) for entry in outcomes]
        solution = solve(position.remaining, progress=self._progress, **self._how)
        if reported and isinstance(position, OwnPosition):
            solution = Start(position.remaining, steps=tuple(events)).apply(solution)
        elif reported and isinstance(position, Position):
            carried = Carried(tuple(events), position.state)
            start = Start(position.remaining, position.problem, carried)
            solution = start.apply(solution)
        return _Plan(solution, solution.tree.root)
