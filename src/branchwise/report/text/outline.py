"""The part of a tree to show: the most likely nodes, and what is left out."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from branchwise.tree.policy import Decision, Policy, children_first

__all__ = ["Everything", "Likely", "Outline", "Place", "sizes"]


@dataclass(slots=True, eq=False)
class Place:
    """
    One node of the unrolled tree.

    Parameters
    ----------
    key
        Its state in the policy.
    probability
        How likely the plan comes here.
    outcome, chance
        The outcome that led here, and its probability; nothing at the root.
    parent
        The place above; None at the root.
    """

    key: Hashable
    probability: float = 1.0
    outcome: str = ""
    chance: float = 1.0
    parent: Place | None = None
    is_shown: bool = field(default=False, init=False)
    children: list[Place] = field(default_factory=list, init=False)

    def unrolled(self, decision: Decision) -> Iterator[Place]:
        """Return the places below this one."""
        for outcome, probability, state in decision.branches:
            chance = float(probability)
            reached = self.probability * chance
            yield Place(state, reached, outcome, chance, self)


class Outline(Protocol):
    """Decides which children of a place to show, and which to leave out."""

    def parts(self, place: Place) -> tuple[list[Place], list[Place]]:
        """Return the children to show and those to leave out."""

    def num_hidden(self, hidden: list[Place]) -> int | None:
        """Count the nodes in and below the places left out; None if time ran out."""


class Everything:
    """The whole tree, unrolled as it is walked."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def parts(self, place: Place) -> tuple[list[Place], list[Place]]:
        """Show all children."""
        return list(place.unrolled(self._policy[place.key])), []

    def num_hidden(self, hidden: list[Place]) -> int:
        """Leave out nothing."""
        return len(hidden)


class Likely:
    """
    The nodes that the plan comes to with the highest probability.

    Parameters
    ----------
    policy
        The plan.
    root
        Where to begin.
    max_nodes
        About how many nodes to show.
    sizes
        The nodes at and below each state; None where there was no time to count them.
    """

    def __init__(
        self,
        policy: Policy,
        root: Place,
        max_nodes: int,
        sizes: Mapping[Hashable, int] | None,
    ) -> None:
        self._sizes = sizes
        pending = [(-root.probability, 0, root)]
        num_seen = num_lines = 1
        while pending and num_lines < max_nodes:
            place = heapq.heappop(pending)[2]
            num_lines += _lines_added(place)
            place.is_shown = True
            place.children = list(place.unrolled(policy[place.key]))
            for child in place.children:
                heapq.heappush(pending, (-child.probability, num_seen, child))
                num_seen += 1
        for _, _, place in pending:
            place.children = list(place.unrolled(policy[place.key]))

    def parts(self, place: Place) -> tuple[list[Place], list[Place]]:
        """Show the likely children; one alone is shown in any case."""
        hidden = [child for child in place.children if not child.is_shown]
        # Saying that one is left out would take the line that shows it.
        if len(hidden) == 1 and place.is_shown:
            return place.children, []
        return [child for child in place.children if child.is_shown], hidden

    def num_hidden(self, hidden: list[Place]) -> int | None:
        """Count the nodes in and below the places left out; None if time ran out."""
        if self._sizes is None:
            return None
        return sum(self._sizes[place.key] for place in hidden)


def _lines_added(place: Place) -> int:
    """Count the lines that showing a place adds; its siblings may take one."""
    if place.parent is None:
        return 0
    siblings = place.parent.children
    num_shown = sum(sibling.is_shown for sibling in siblings)
    if num_shown == 0:
        return min(2, len(siblings))
    return 0 if num_shown == len(siblings) - 1 else 1


def sizes(policy: Policy, root: Hashable) -> Mapping[Hashable, int]:
    """Count the nodes at and below each state, in the tree unrolled."""
    sizes: dict[Hashable, int] = {}
    for state in children_first(policy, root):
        sizes[state] = 1 + sum(sizes[b.state] for b in policy[state].branches)
    return sizes
