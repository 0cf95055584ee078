"""Where the slots of a layered picture stand: close to what they are wired with."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from statistics import median
from typing import Final

from branchwise.report.dependency_graph.lanes import Slot, neighbors

__all__ = ["place", "spread"]

_SWEEPS: Final = 12
_STRAIGHTENINGS: Final = 6
_BOX_GAP: Final = 20.0
_LANE_GAP: Final = 10.0

# A lane that is straight is worth more than a box that is centered.
_LANE_WEIGHT: Final = 4.0


def place(layers: Sequence[Sequence[Slot]]) -> None:
    """Give every slot its height on the page, in the order given, without overlap."""
    for layer in layers:
        _settle(layer, [0.0] * len(layer))
    for sweep in range(_SWEEPS):
        to_the_right = sweep % 2 == 0
        for layer in layers if to_the_right else reversed(layers):
            _settle(layer, [_wanted(s, to_the_right, sweep) for s in layer])
    for _ in range(_STRAIGHTENINGS):
        _straighten(layers)
    top = min(s.y - s.height / 2 for layer in layers for s in layer)
    for layer in layers:
        for slot in layer:
            slot.y -= top


def _straighten(layers: Sequence[Sequence[Slot]]) -> None:
    """Draw the lanes of a bundle toward one height, so that it bends but once."""
    heights: dict[Hashable, list[float]] = {}
    for layer in layers:
        for slot in layer:
            if slot.is_lane:
                heights.setdefault(slot.bundle, []).append(slot.y)
    straight = {bundle: median(ys) for bundle, ys in heights.items()}
    for layer in layers:
        _settle(layer, [straight[s.bundle] if s.is_lane else s.y for s in layer])


def _wanted(slot: Slot, to_the_right: bool, sweep: int) -> float:  # noqa: FBT001
    """Find the height at which the wires of a slot would be straight."""
    sides = [to_the_right is False]
    if sweep >= _SWEEPS // 2:
        sides = [False, True]
    heights = [
        other.y + there - here
        for side in sides
        for other, there, here in neighbors(slot, on_the_right=side)
    ]
    return median(heights) if heights else slot.y


def _settle(layer: Sequence[Slot], wanted: Sequence[float]) -> None:
    gaps = [_distance(a, b) for a, b in itertools.pairwise(layer)]
    weights = [_LANE_WEIGHT if slot.is_lane else 1.0 for slot in layer]
    for slot, y in zip(layer, spread(wanted, gaps, weights), strict=True):
        slot.y = y


def _distance(upper: Slot, lower: Slot) -> float:
    is_lane = upper.is_lane or lower.is_lane
    gap = _LANE_GAP if is_lane else _BOX_GAP
    return (upper.height + lower.height) / 2 + gap


def spread(
    wanted: Sequence[float], gaps: Sequence[float], weights: Sequence[float]
) -> list[float]:
    """
    Come as close as possible to the places wanted, in order and with gaps between.

    The weighted squares of the differences are the least there can be: neighbors that
    are in each other's way form a group, which stands at its mean.

    Examples
    --------
    >>> spread([0, 0, 10], [2, 2], [1, 1, 1])
    [-1.0, 1.0, 10.0]
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
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
