"""The part of a tree to show: the most likely nodes, and what is left out."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from branchwise.model.conditions.condition import Happened
from branchwise.records import dataclass
from branchwise.tree.choices.policy import Decision, Policy, children_first
from branchwise.tree.decision_tree import DecisionTree


@dataclass(slots=True, eq=False)
class Place:
    """One node of the unrolled tree."""

    key: Hashable  # its state in the policy
    probability: float = 1.0  # how likely the plan comes here
    outcome: str = ""  # which led here; nothing at the root
    chance: float = 1.0
    parent: Place | None = None  # the place above; None at the root
    is_shown: bool = field(default=False, init=False)
    children: list[Place] = field(default_factory=list, init=False)


class Outline:
    """
    Which nodes to show: about so many of the most probable, or all of them.

    All are unrolled as the tree is walked. Sizes are None where there was no time to
    count the nodes at and below each state.
    """

    def __init__(
        self,
        policy: Policy,
        root: Place,
        max_nodes: int | None,
        sizes: Mapping[Hashable, int] | None,
    ) -> None:
        self._policy = policy
        self._is_whole = max_nodes is None
        self._sizes = sizes
        if max_nodes is not None:
            self._choose(root, max_nodes)

    def _choose(self, root: Place, max_nodes: int) -> None:
        pending = [(-root.probability, 0, root)]
        num_seen = num_lines = 1
        while pending and num_lines < max_nodes:
            place = heapq.heappop(pending)[2]
            num_lines += _lines_added(place)
            place.is_shown = True
            place.children = self._unrolled(place)
            for child in place.children:
                heapq.heappush(pending, (-child.probability, num_seen, child))
                num_seen += 1
        for _, _, place in pending:
            place.children = self._unrolled(place)

    def _unrolled(self, place: Place) -> list[Place]:
        branches = self._policy[place.key].branches
        chances = [float(branch.probability) for branch in branches]
        return [
            Place(b.state, place.probability * chance, b.outcome, chance, place)
            for b, chance in zip(branches, chances, strict=True)
        ]

    def parts(self, place: Place) -> tuple[list[Place], list[Place]]:
        """Return the children to show and those to leave out; not one alone."""
        if self._is_whole:
            return self._unrolled(place), []
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


class Hidden(NamedTuple):
    """What is left out below a decision: one stub for all outcomes not shown."""

    outcomes: tuple[str, ...]  # whose nodes are left out, in order
    chance: float  # how likely one of them is, once the decision is reached
    probability: float  # how likely the plan comes to one of them
    num_nodes: int  # how many nodes of the tree are left out here


@dataclass(slots=True, eq=False, repr=False)
class ShownNode:
    """A node that is shown, and what is shown below it."""

    place: Place
    decision: Decision
    parent: ShownNode | None  # the node above; None at the root
    depth: int  # how many actions come before it
    children: list[ShownNode] = field(default_factory=list)
    hidden: Hidden | None = None  # None where everything is shown
    # Every node below asks for it, so it is made once.
    event: Happened | None = field(init=False)

    def __post_init__(self) -> None:
        parent = self.parent
        action = str(parent.decision.action) if parent else ""
        self.event = Happened(action, self.place.outcome) if parent else None

    def path(self, length: int) -> list[Happened]:
        """Return what happened last on the way here, at most so many steps of it."""
        events: list[Happened] = []
        node: ShownNode | None = self
        while node is not None and node.event is not None and len(events) < length:
            events.append(node.event)
            node = node.parent
        return events[::-1]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShownPart:
    """The part of a tree that is shown."""

    nodes: tuple[ShownNode, ...]  # the root first, each before its children
    num_hidden: int  # how many nodes the stubs stand for


def shown_part(tree: DecisionTree, max_nodes: int) -> ShownPart:
    """
    Choose the likeliest nodes of a tree, and count what they leave out.

    The tree is never unrolled beyond what is shown, so this is quick however large it
    is. A child that would be alone behind a stub is shown, as it takes no more room:
    with these the part may exceed ``max_nodes``.
    """
    nodes = tuple(_walk(tree, max(max_nodes, 1)))
    hidden = (node.hidden.num_nodes for node in nodes if node.hidden)
    return ShownPart(nodes, sum(hidden))


def _walk(tree: DecisionTree, max_nodes: int) -> Iterator[ShownNode]:
    root = Place(tree.root.key)
    counted = sizes(tree.policy, root.key)
    outline = Outline(tree.policy, root, max_nodes, counted)
    pending = [ShownNode(root, tree.policy[root.key], None, 0)]
    while pending:
        node = pending.pop()
        shown, hidden = outline.parts(node.place)
        node.children = [
            ShownNode(place, tree.policy[place.key], node, node.depth + 1)
            for place in shown
        ]
        if hidden:
            node.hidden = Hidden(
                outcomes=tuple(place.outcome for place in hidden),
                chance=sum(place.chance for place in hidden),
                probability=sum(place.probability for place in hidden),
                num_nodes=sum(counted[place.key] for place in hidden),
            )
        yield node
        pending.extend(reversed(node.children))
