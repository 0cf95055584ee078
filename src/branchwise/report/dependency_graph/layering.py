"""Layers of a graph: every node to the right of what leads to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

__all__ = ["layers", "with_more"]


def layers(
    count: int, edges: Iterable[tuple[int, int]], late: Collection[int] = ()
) -> list[int]:
    """
    Give every node its layer: one more than the last one that leads to it.

    Edges that close a circle are left out of account.

    Parameters
    ----------
    count
        How many nodes there are.
    edges
        From where to where.
    late
        Nodes that stand as far to the right as what they lead to allows.

    Examples
    --------
    >>> layers(5, [(0, 1), (1, 2), (3, 2), (2, 1), (4, 3)], late=[3])
    [0, 1, 2, 1, 0]
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
    """
    Add those edges that close no circle.

    Examples
    --------
    >>> with_more([(0, 1), (1, 2)], [(2, 0), (0, 3), (3, 2)])
    [(0, 1), (1, 2), (0, 3), (3, 2)]
    """
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
    """Order the nodes so that only edges that close a circle lead back."""
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
