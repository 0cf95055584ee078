"""Layered pictures: boxes in columns, and wires that run between and past them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from branchwise.report.dependency_graph.lanes import Box, Slot, Wire, laid
from branchwise.report.dependency_graph.ordering import ordered
from branchwise.report.dependency_graph.placement import place

__all__ = ["Layered", "Route", "lay_out"]

Point = tuple[float, float]

Route = tuple[Point, ...]
"""
Where a wire runs, from its source to its target: straight from the first point to the
second, in a curve to the third, straight to the fourth and so on. Two points only: both
boxes stand in one column, and the wire leaves and comes back on the right.
"""

_LEAST_GAP: Final = 52.0
_MOST_GAP: Final = 150.0
_SLOPE: Final = 0.22  # of the gap between columns to how far a curve climbs


@dataclass(frozen=True, slots=True)
class Layered:
    """
    A layered picture.

    Parameters
    ----------
    corners
        The upper left corner of each box.
    routes
        The route of each wire.
    width, height
        The size of it all.
    """

    corners: tuple[Point, ...]
    routes: tuple[Route, ...]
    width: float
    height: float


def lay_out(boxes: Sequence[Box], wires: Sequence[Wire]) -> Layered:
    """
    Place boxes in columns, by layer, and lead the wires from left to right.

    Examples
    --------
    >>> picture = lay_out([Box(20, 10, 0), Box(20, 10, 1)], [Wire(0, 1)])
    >>> picture.corners
    ((0.0, 0.0), (72.0, 0.0))
    >>> picture.routes
    (((20.0, 5.0), (20.0, 5.0), (72.0, 5.0), (72.0, 5.0)),)
    """
    slots, paths = laid(boxes, wires)
    layers = ordered(slots)
    place(layers)
    columns = _columns(layers)
    corners = tuple(
        (columns[slot.layer][0], slot.y - slot.height / 2)
        for slot in slots[: len(boxes)]
    )
    routes = tuple(
        _route(wire, path, slots[wire.source], columns)
        for wire, path in zip(wires, paths, strict=True)
    )
    ends = (slot.y + slot.height / 2 for slot in slots)
    return Layered(corners, routes, columns[-1][1], max(ends))


def _columns(layers: Sequence[Sequence[Slot]]) -> list[Point]:
    """Give where each column starts and ends; steep curves have more room."""
    columns = []
    start = 0.0
    for layer in layers:
        width = max((slot.width for slot in layer), default=0.0)
        columns.append((start, start + width))
        climbs = [
            abs(slot.y + here - other.y - there)
            for slot in layer
            for other, there, here in slot.right
        ]
        gap = max(_LEAST_GAP, min(_MOST_GAP, _SLOPE * max(climbs, default=0.0)))
        start += width + gap
    return columns


def _route(
    wire: Wire, path: Sequence[Slot], source: Slot, columns: Sequence[Point]
) -> Route:
    is_forward = path[0] is source
    ends = (wire.leaves, wire.enters) if is_forward else (wire.enters, wire.leaves)
    first, last = path[0], path[-1]
    left = columns[first.layer][0]
    start = (left + first.width, first.y + ends[0])
    if first.layer == last.layer:
        return start, (left + last.width, last.y + ends[1])
    points = [start, (columns[first.layer][1], start[1])]
    for lane in path[1:-1]:
        points += [(x, lane.y) for x in columns[lane.layer]]
    points += [(columns[last.layer][0], last.y + ends[1])] * 2
    return tuple(points if is_forward else reversed(points))
