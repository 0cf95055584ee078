"""Graphs of states: which actions are considered at each, and where they lead."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from branchwise.errors import Issue, ProblemError
from branchwise.space.checked_space import place
from branchwise.space.state_space import AvailableAction

S = TypeVar("S", bound=Hashable)


@dataclass(slots=True)
class Graph(Generic[S]):
    """
    A set of states with the actions considered at each.

    The paper stores states and calls R(s) again where it needs the edges; we keep the
    actions, which are the edges.
    """

    root: S
    actions: dict[S, tuple[AvailableAction[S], ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.actions)

    def children(self, state: S) -> Iterator[S]:
        """Return the states that the actions considered here lead to."""
        for action in self.actions[state]:
            for transition in action.transitions:
                yield transition.state

    def children_first(self) -> Iterator[S]:
        """
        Return the states so that each comes after all of its children.

        The recursions of the paper as a loop: plans may be thousands of actions deep.
        """
        done: set[S] = set()
        above: set[S] = set()
        pending = [self.root]
        while pending:
            state = pending[-1]
            if state in done:
                pending.pop()
            elif state in above:
                pending.pop()
                above.remove(state)
                done.add(state)
                yield state
            else:
                above.add(state)
                for child in self.children(state):
                    if child in above:
                        raise ProblemError([self._circle(state, child)])
                    if child not in done:
                        pending.append(child)

    def _circle(self, state: S, child: S) -> Issue:
        """Return that an action leads from a state back to one that leads there."""
        action = next(
            action.name
            for action in self.actions[state]
            if any(transition.state == child for transition in action.transitions)
        )
        back = "to itself" if state == child else f"there from {place(state)}"
        return Issue(
            where=place(child),
            what="can be reached from itself, so a plan might never end: "
            f"`{action}` leads {back}",
            fix="let every action use something up, and make that part of the state",
        )
