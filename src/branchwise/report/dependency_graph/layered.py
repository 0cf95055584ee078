"""
Layered pictures: boxes in columns, and wires that run between and past them.

Each column is ordered so that few wires cross, and then everything is placed close to
what it is wired with.
"""

from bisect import bisect_right, insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from statistics import median
from typing import Final

from branchwise.report.dependency_graph.layers import Box, Slot, Wire, laid

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

_ORDER_SWEEPS: Final = 24
_MOST_WITHOUT_GAIN: Final = 6

# Up to here it is quick to try every exchange of neighbors.
_MOST_TO_EXCHANGE: Final = 600

_PLACE_SWEEPS: Final = 12
_STRAIGHTENINGS: Final = 6
_BOX_GAP: Final = 20.0
_LANE_GAP: Final = 10.0

# A lane that is straight is worth more than a box that is centered.
_LANE_WEIGHT: Final = 4.0


@dataclass(frozen=True, slots=True)
class Layered:
    """A layered picture."""

    corners: tuple[Point, ...]  # the upper left corner of each box
    routes: tuple[Route, ...]
    width: float
    height: float


def lay_out(boxes: Sequence[Box], wires: Sequence[Wire]) -> Layered:
    """Place boxes in columns, by layer, and lead the wires from left to right."""
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
    """Return where each column starts and ends; steep curves have wider gaps."""
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


def ordered(slots: Sequence[Slot]) -> list[list[Slot]]:
    """
    Order each layer by the medians of its neighbors, sweeping to and fro.

    Of all orders met on the way the one with the fewest crossings is returned. Among
    equals the first ones come first, so the order of the problem shines through.
    """
    layers = _first_order(slots)
    best, fewest = layers, num_crossings(layers)
    without_gain = 0
    for sweep in range(_ORDER_SWEEPS):
        layers = _swept(layers, to_the_right=sweep % 2 == 0)
        if len(slots) <= _MOST_TO_EXCHANGE:
            layers = [list(layer) for layer in layers]
            _exchange(layers)
        crossings = num_crossings(layers)
        without_gain += 1
        if crossings < fewest:
            best, fewest, without_gain = layers, crossings, 0
        if fewest == 0 or without_gain >= _MOST_WITHOUT_GAIN:
            break
    return best


def num_crossings(layers: Sequence[Sequence[Slot]]) -> int:
    """Return how often wires between neighboring layers cross."""
    return sum(_crossings(one, other) for one, other in pairwise(layers))


def _first_order(slots: Sequence[Slot]) -> list[list[Slot]]:
    """Let what hangs together stand together: depth first from the left."""
    layers: list[list[Slot]] = [[] for _ in range(1 + max(s.layer for s in slots))]
    entered: set[int] = set()
    for start in sorted(slots, key=lambda slot: slot.layer):
        pending = [start]
        while pending:
            slot = pending.pop()
            if id(slot) not in entered:
                entered.add(id(slot))
                layers[slot.layer].append(slot)
                pending.extend(other for other, _, _ in reversed(slot.right))
    return layers


def _places(layer: Sequence[Slot]) -> dict[int, float]:
    return {id(slot): float(place) for place, slot in enumerate(layer)}


def _swept(layers: Sequence[Sequence[Slot]], *, to_the_right: bool) -> list[list[Slot]]:
    result = [list(layer) for layer in layers]
    numbers = range(1, len(result))
    for number in numbers if to_the_right else [n - 1 for n in reversed(numbers)]:
        before = result[number - 1 if to_the_right else number + 1]
        places, wanted = _places(before), _places(result[number])
        for slot in result[number]:
            ends = _ends(slot, places, on_the_right=not to_the_right)
            if ends:  # Without neighbors it stays where it is.
                wanted[id(slot)] = median(ends)
        result[number].sort(key=lambda slot: wanted[id(slot)])
    return result


def _ends(slot: Slot, places: dict[int, float], *, on_the_right: bool) -> list[float]:
    """Return where the wires of a slot end on one side."""
    wired = slot.neighbors(on_the_right=on_the_right)
    return [places[id(other)] + _share(other, down) for other, down, _ in wired]


def _share(slot: Slot, down: float) -> float:
    """Return where a wire leaves a slot, from -0.45 at its upper end to 0.45."""
    return 0.9 * down / slot.height if slot.height else 0.0


def _crossings(one: Sequence[Slot], other: Sequence[Slot]) -> int:
    places = _places(other)
    ends: list[float] = []
    crossings = 0
    for slot in one:
        wires = sorted(
            (here, places[id(target)] + _share(target, there))
            for target, there, here in slot.right
        )
        for _, end in wires:
            crossings += len(ends) - bisect_right(ends, end)
            insort(ends, end)
    return crossings


def _exchange(layers: list[list[Slot]]) -> None:
    """Exchange neighbors of a layer wherever that saves crossings."""
    for number, layer in enumerate(layers):
        sides = [
            (_places(layers[n]), n > number)
            for n in (number - 1, number + 1)
            if 0 <= n < len(layers)
        ]
        is_better = True
        while is_better:
            is_better = False
            for i in range(len(layer) - 1):
                upper, lower = layer[i], layer[i + 1]
                if _gain(upper, lower, sides) > 0:
                    layer[i], layer[i + 1] = lower, upper
                    is_better = True


def _gain(upper: Slot, lower: Slot, sides: list[tuple[dict[int, float], bool]]) -> int:
    """Return how many crossings exchanging two neighbors would save."""
    gain = 0
    for places, is_right in sides:
        above, below = (
            _ends(slot, places, on_the_right=is_right) for slot in (upper, lower)
        )
        gain += sum((a > b) - (a < b) for a in above for b in below)
    return gain


def place(layers: Sequence[Sequence[Slot]]) -> None:
    """Set the height of every slot on the page, in the order given, without overlap."""
    for layer in layers:
        _settle(layer, [0.0] * len(layer))
    for sweep in range(_PLACE_SWEEPS):
        for layer in reversed(layers) if sweep % 2 else layers:
            _settle(layer, [_wanted(slot, sweep) for slot in layer])
    for _ in range(_STRAIGHTENINGS):
        _straighten(layers)
    top = min(slot.y - slot.height / 2 for slot in chain(*layers))
    for slot in chain(*layers):
        slot.y -= top


def _straighten(layers: Sequence[Sequence[Slot]]) -> None:
    """Draw the lanes of a bundle toward one height, so that it bends but once."""
    heights: dict[Hashable, list[float]] = {}
    for slot in chain(*layers):
        if slot.is_lane:
            heights.setdefault(slot.bundle, []).append(slot.y)
    straight = {bundle: median(ys) for bundle, ys in heights.items()}
    for layer in layers:
        _settle(layer, [straight[s.bundle] if s.is_lane else s.y for s in layer])


def _wanted(slot: Slot, sweep: int) -> float:
    """Return the height at which the wires of a slot would be straight."""
    # At first only the side that the sweep comes from counts, then both do.
    sides = [False, True] if sweep >= _PLACE_SWEEPS // 2 else [sweep % 2 == 1]
    heights = [
        other.y + there - here
        for side in sides
        for other, there, here in slot.neighbors(on_the_right=side)
    ]
    return median(heights) if heights else slot.y


def _settle(layer: Sequence[Slot], wanted: Sequence[float]) -> None:
    gaps = [_distance(a, b) for a, b in pairwise(layer)]
    weights = [_LANE_WEIGHT if slot.is_lane else 1.0 for slot in layer]
    for slot, y in zip(layer, spread(wanted, gaps, weights), strict=True):
        slot.y = y


def _distance(upper: Slot, lower: Slot) -> float:
    gap = _LANE_GAP if upper.is_lane or lower.is_lane else _BOX_GAP
    return (upper.height + lower.height) / 2 + gap


def spread(
    wanted: Sequence[float], gaps: Sequence[float], weights: Sequence[float]
) -> list[float]:
    """
    Come as close as possible to the places wanted, in order and with gaps between.

    The weighted squares of the differences are the least there can be: neighbors that
    are in each other's way form a group, which stands at its mean.
    """
    offsets = [*accumulate(gaps, initial=0.0)]
    groups: list[tuple[float, float, int]] = []  # mean, weight, how many
    for y, offset, weight in zip(wanted, offsets, weights, strict=False):
        mean, total, count = y - offset, weight, 1
        while groups and groups[-1][0] > mean:
            other, more, others = groups.pop()
            mean = (mean * total + other * more) / (total + more)
            total, count = total + more, count + others
        groups.append((mean, total, count))
    means = [mean for mean, _, count in groups for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=False)]
