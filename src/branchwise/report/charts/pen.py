"""Paths of lines, steps and dots, written as shortly as no eye can tell the difference.

A curve may have a thousand points, and a page has it twice; so points that lie on the
line between others are left out, and each place is written as the way from the last.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

Place = tuple[float, float]
"""Where something stands on the paper, from left and from above."""

_SLACK: Final = 0.15  # how far a line may be off, where a stroke is 2 wide
_TENTHS: Final = 10


def coordinate(number: float) -> str:
    """
    Write where something stands, to a tenth.

    >>> coordinate(70.0), coordinate(-0.04), coordinate(12.345)
    ('70', '0', '12.3')
    """
    return f"{number:.1f}".removesuffix(".0").replace("-0", "0", number > -0.05)


def line_path(places: Sequence[Place]) -> str:
    """
    Return the straight lines through places.

    >>> line_path([(0, 0), (1, 1), (2, 2), (2, 0.5)])
    'M0 0l2 2 0-1.5'
    """
    first, *others = _tenths(_thinned(places))
    steps = (
        f"{_way(to[0] - at[0])}{_apart(_way(to[1] - at[1]))}"
        for at, to in pairwise([first, *others])
    )
    return f"{_start(first)}{'l' if others else ''}{_row(steps)}"


def stepped_path(places: Sequence[Place]) -> str:
    """
    Return steps through places: across to the next one, then up or down to it.

    >>> stepped_path([(0, 9), (4, 9), (8, 3.5)])
    'M0 9h4h4v-5.5'
    """
    tenths = list(_tenths(places))
    parts = (
        f"h{_way(to[0] - at[0])}"
        + (f"v{_way(to[1] - at[1])}" if to[1] != at[1] else "")
        for at, to in pairwise(tenths)
        if to != at
    )
    return f"{_start(tenths[0])}{''.join(parts)}"


def dots_path(places: Iterable[Place]) -> str:
    """
    Return dots at places, to whole numbers; the stroke has to have round ends.

    >>> dots_path([(7, 5), (3, 4), (7.1, 5)])
    'M3 4h0m4 1h0'
    """
    whole = sorted({(round(x), round(y)) for x, y in places})
    steps = (
        f"m{to[0] - at[0]}{_apart(f'{to[1] - at[1]}')}h0" for at, to in pairwise(whole)
    )
    return f"M{whole[0][0]} {whole[0][1]}h0{''.join(steps)}" if whole else ""


def _tenths(places: Iterable[Place]) -> Iterator[tuple[int, int]]:
    return ((round(x * _TENTHS), round(y * _TENTHS)) for x, y in places)


def _start(place: tuple[int, int]) -> str:
    x, y = place
    return f"M{coordinate(x / _TENTHS)} {coordinate(y / _TENTHS)}"


def _way(tenths: int) -> str:
    """Write a way of so many tenths, without the zero that SVG can do without."""
    text = f"{tenths / _TENTHS:g}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _apart(number: str) -> str:
    """Write a number behind another one; a minus sets it apart enough."""
    return number if number.startswith("-") else f" {number}"


def _row(parts: Iterable[str]) -> str:
    first, *others = [*parts] or [""]
    return first + "".join(map(_apart, others))


def _thinned(places: Sequence[Place]) -> Sequence[Place]:
    """Leave out places that are on the line between others, but for a hair (Ramer)."""
    if len(places) < 3:
        return places
    kept = {0, len(places) - 1}
    pending = [(0, len(places) - 1)]
    while pending:
        start, end = pending.pop()
        between = range(start + 1, end)
        ends = places[start], places[end]
        far = max(between, key=lambda n: _aside(places[n], *ends), default=start)
        if far != start and _aside(places[far], *ends) > _SLACK:
            kept.add(far)
            pending += [(start, far), (far, end)]
    return [places[number] for number in sorted(kept)]


def _aside(place: Place, start: Place, end: Place) -> float:
    """Return how far a place is from the stretch between two others."""
    across, up = end[0] - start[0], end[1] - start[1]
    x, y = place[0] - start[0], place[1] - start[1]
    length = across * across + up * up
    share = min(max((x * across + y * up) / length, 0.0), 1.0) if length else 0.0
    away: float = ((x - share * across) ** 2 + (y - share * up) ** 2) ** 0.5
    return away
