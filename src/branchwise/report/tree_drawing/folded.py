"""The part of a tree that a picture shows, as one piece to lay out and draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from branchwise.model.condition import Happened
from branchwise.report.text.outline import Outline, Place, sizes
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.policy import Decision


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

    >>> from branchwise.tree.policy import Branch
    >>> policy = {0: Decision(None, (), value=1, reward=1)}
    >>> for left in range(1, 100):
    ...     branches = Branch("heads", 0.5, 0), Branch("tails", 0.5, left - 1)
    ...     policy[left] = Decision("toss", branches, value=1, reward=0)
    >>> part = shown_part(DecisionTree(policy, 99), max_nodes=5)
    >>> len(part.nodes), part.num_hidden
    (5, 194)
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
