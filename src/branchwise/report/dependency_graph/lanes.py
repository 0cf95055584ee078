"""Lanes: room for the edges of a layered picture that run past other layers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Box", "Slot", "Wire", "laid", "neighbors"]


class Box(NamedTuple):
    """The size of a node, and the layer it stands in."""

    width: float
    height: float
    layer: int


class Wire(NamedTuple):
    """
    An edge between two boxes.

    Parameters
    ----------
    source, target
        The numbers of the boxes.
    leaves, enters
        How far below the middle of its box it starts, and ends.
    bundle
        Wires of one source and bundle share their lanes.
    """

    source: int
    target: int
    leaves: float = 0.0
    enters: float = 0.0
    bundle: Hashable = None


@dataclass(slots=True, eq=False)
class Slot:
    """
    Something that takes room in a layer: a box, or a lane that wires share.

    Parameters
    ----------
    layer
        Where it stands, from left to right.
    width, height
        The room it takes.
    is_lane
        Whether wires run through here.
    bundle
        Lanes of the same wires have the same one.
    y
        Its middle, once it is placed.
    left, right
        What it is wired with in the layer before, and in the one after: the slot, how
        far below that slot's middle, and how far below its own.
    """

    layer: int
    width: float = 0.0
    height: float = 0.0
    is_lane: bool = True
    bundle: Hashable = None
    y: float = 0.0
    left: list[tuple[Slot, float, float]] = field(default_factory=list)
    right: list[tuple[Slot, float, float]] = field(default_factory=list)


def neighbors(slot: Slot, *, on_the_right: bool) -> list[tuple[Slot, float, float]]:
    """Give what a slot is wired with on one side."""
    return slot.right if on_the_right else slot.left


def laid(
    boxes: Sequence[Box], wires: Sequence[Wire]
) -> tuple[list[Slot], list[list[Slot]]]:
    """
    Lay every wire through the layers between its boxes.

    Returns
    -------
    tuple
        The slots, those of the boxes first; and of each wire the slots it runs through,
        from left to right. A wire within one layer runs through its two boxes.
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
