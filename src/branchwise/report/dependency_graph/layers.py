"""Layers of a graph: every node right of what leads to it, and lanes between them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple


def layers(
    count: int, edges: Iterable[tuple[int, int]], late: Collection[int] = ()
) -> list[int]:
    """
    Return the layer of every node: one more than the last one that leads to it.

    Edges that close a cycle are ignored. Late nodes stand as far to the right as what
    they lead to allows.
    """
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in dict.fromkeys(edges):
        after[source].append(target)
    order = _sources_first(after)
    place = {node: i for i, node in enumerate(order)}
    forward = [[t for t in after[n] if place[t] > place[n]] for n in range(count)]
    result = [0] * count
    for node in order:
        for target in forward[node]:
            result[target] = max(result[target], result[node] + 1)
    for node in reversed(order):
        if node in late and forward[node]:
            result[node] = min(result[target] for target in forward[node]) - 1
    return result


def with_more(
    edges: Iterable[tuple[int, int]], more: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the edges with those more that close no cycle."""
    result = list(edges)
    after: dict[int, list[int]] = {}
    for source, target in result:
        after.setdefault(source, []).append(target)
    for source, target in more:
        if not _leads(after, target, source):
            after.setdefault(source, []).append(target)
            result.append((source, target))
    return result


def _leads(after: dict[int, list[int]], start: int, end: int) -> bool:
    met, pending = {start}, [start]
    while pending:
        following = {t for t in after.get(pending.pop(), ()) if t not in met}
        met |= following
        pending.extend(following)
    return end in met


def _sources_first(after: list[list[int]]) -> list[int]:
    """Order the nodes so that only edges that close a cycle lead back."""
    finished: list[int] = []
    entered = [False] * len(after)
    for start in range(len(after)):
        if entered[start]:
            continue
        entered[start] = True
        pending = [(start, iter(after[start]))]
        while pending:
            node, targets = pending[-1]
            following = next((t for t in targets if not entered[t]), None)
            if following is None:
                finished.append(node)
                pending.pop()
            else:
                entered[following] = True
                pending.append((following, iter(after[following])))
    return finished[::-1]


class Box(NamedTuple):
    """The size of a node, and the layer it stands in."""

    width: float
    height: float
    layer: int


class Wire(NamedTuple):
    """An edge between two boxes."""

    source: int
    target: int
    leaves: float = 0.0  # how far below the middle of its box
    enters: float = 0.0
    bundle: Hashable = None  # wires of one source and bundle share their lanes


@dataclass(slots=True, eq=False)
class Slot:
    """Something that takes space in a layer: a box, or a lane that wires share."""

    layer: int  # where it stands, from left to right
    width: float = 0.0
    height: float = 0.0
    is_lane: bool = True  # whether wires run through here
    bundle: Hashable = None  # lanes of the same wires have the same one
    y: float = 0.0  # its middle, once it is placed
    # What it is wired with in the layer before, and in the one after: the slot, how far
    # below that slot's middle, and how far below its own.
    left: list[tuple[Slot, float, float]] = field(default_factory=list)
    right: list[tuple[Slot, float, float]] = field(default_factory=list)

    def neighbors(self, *, on_the_right: bool) -> list[tuple[Slot, float, float]]:
        """Return what it is wired with on one side."""
        return self.right if on_the_right else self.left


def laid(
    boxes: Sequence[Box], wires: Sequence[Wire]
) -> tuple[list[Slot], list[list[Slot]]]:
    """
    Lay every wire through the layers between its boxes.

    Returns the slots, those of the boxes first, and of each wire the slots it runs
    through, from left to right. A wire within one layer runs through its two boxes.
    """
    slots = [Slot(b.layer, b.width, b.height, is_lane=False) for b in boxes]
    lanes: dict[tuple[int, Hashable], Slot] = {}
    joined: set[tuple[int, int, float, float]] = set()
    paths = []
    for wire in wires:
        is_forward = slots[wire.source].layer <= slots[wire.target].layer
        path = list(_path(wire, slots, lanes, is_forward=is_forward))
        ends = (wire.leaves, wire.enters) if is_forward else (wire.enters, wire.leaves)
        downs = [ends[0], *[0.0] * (len(path) - 2), ends[1]]
        for (one, down), (other, below) in pairwise(zip(path, downs, strict=True)):
            key = (id(one), id(other), down, below)
            if one.layer != other.layer and key not in joined:
                joined.add(key)
                one.right.append((other, below, down))
                other.left.append((one, down, below))
        paths.append(path)
    return [*slots, *lanes.values()], paths


def _path(
    wire: Wire,
    slots: Sequence[Slot],
    lanes: dict[tuple[int, Hashable], Slot],
    *,
    is_forward: bool,
) -> Iterator[Slot]:
    # Wires come together where they start; those that lead back, where they end.
    first, last = (wire.source, wire.target)[:: 1 if is_forward else -1]
    yield slots[first]
    for layer in range(slots[first].layer + 1, slots[last].layer):
        bundle = (first, is_forward, wire.bundle)
        yield lanes.setdefault((layer, bundle), Slot(layer, bundle=bundle))
    yield slots[last]
