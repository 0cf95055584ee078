"""The order of the slots in each layer, so that few wires cross."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from branchwise.report.dependency_graph.lanes import Slot, neighbors

__all__ = ["num_crossings", "ordered"]

_SWEEPS: Final = 24
_MOST_WITHOUT_GAIN: Final = 6

# Up to here it is quick to try every exchange of neighbors.
_MOST_TO_EXCHANGE: Final = 600


def ordered(slots: Sequence[Slot]) -> list[list[Slot]]:
    """
    Order each layer by the medians of its neighbors, sweeping to and fro.

    Of all orders met on the way the one with the fewest crossings is given. Among
    equals the first ones come first, so the order of the problem shines through.
    """
    layers = _first_order(slots)
    best, fewest = layers, num_crossings(layers)
    without_gain = 0
    for sweep in range(_SWEEPS):
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
    """Count how often wires between neighboring layers cross."""
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
        places = _places(before)
        own = _places(result[number])
        result[number].sort(
            key=lambda slot: _median(slot, places, own, to_the_right=to_the_right)
        )
    return result


def _median(
    slot: Slot,
    places: dict[int, float],
    own: dict[int, float],
    *,
    to_the_right: bool,
) -> float:
    """Give the median place of the neighbors; without any, it stays where it is."""
    wanted = [
        places[id(other)] + _share(other, down)
        for other, down, _ in neighbors(slot, on_the_right=not to_the_right)
    ]
    return median(wanted) if wanted else own[id(slot)]


def _share(slot: Slot, down: float) -> float:
    """Where a wire leaves a slot, from -0.45 at its upper end to 0.45."""
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
    """Count the crossings that exchanging two neighbors would save."""
    gain = 0
    for places, is_right in sides:
        above, below = (
            [
                places[id(other)] + _share(other, down)
                for other, down, _ in neighbors(slot, on_the_right=is_right)
            ]
            for slot in (upper, lower)
        )
        for a in above:
            for b in below:
                gain += (a > b) - (a < b)
    return gain
