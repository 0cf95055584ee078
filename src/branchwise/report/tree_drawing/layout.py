"""
The layout of a tree: parents beside their children, all as close as can be.

Nodes of one depth share a column, so only the place across the columns has to be
found. This is the algorithm of Buchheim, Junger and Leipert, "Improving Walker's
Algorithm to Run in Linear Time" (2002), for nodes of any size and without recursion,
so that a tree may be thousands of levels deep.
"""

from collections.abc import Sequence
from itertools import pairwise


def tidy(
    children: Sequence[Sequence[int]],
    sizes: Sequence[float],
    gap: float,
    anchor: float = 0.5,
) -> list[float]:
    """
    Return the place of each node across its column: the middle of it, from zero on.

    Node 0 is the root, and a child's number is always higher than its parent's. A
    parent stands at the anchor: 0 beside its first child, 1 beside its last.
    """
    places = _Tidy(children, sizes, gap, anchor).places()
    start = min(place - size / 2 for place, size in zip(places, sizes, strict=True))
    return [place - start for place in places]


def depths(children: Sequence[Sequence[int]]) -> list[int]:
    """Return the number of nodes above each node; numbered as for `tidy`."""
    found = [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            found[child] = found[node] + 1
    return found


class _Contours:
    """The four walks down the facing and outer sides of two neighboring subtrees."""

    __slots__ = ("inner_left", "inner_right", "outer_left", "outer_right", "sums")

    def __init__(self, left: int, right: int, first: int, shifts: list[float]) -> None:
        self.inner_left, self.inner_right = left, right
        self.outer_left, self.outer_right = first, right
        self.sums = [shifts[left], shifts[right], shifts[first], shifts[right]]

    def descend(self, nodes: tuple[int, int, int, int], shifts: list[float]) -> None:
        self.inner_left, self.inner_right, self.outer_left, self.outer_right = nodes
        self.sums = [
            total + shifts[node] for total, node in zip(self.sums, nodes, strict=True)
        ]


class _Tidy:
    """
    The state of the algorithm; the names in quotes are the paper's.

    Left and right are up and down when the picture runs from left to right.
    """

    def __init__(
        self,
        children: Sequence[Sequence[int]],
        sizes: Sequence[float],
        gap: float,
        anchor: float,
    ) -> None:
        count = len(children)
        self.anchor = anchor
        self.children = children
        self.sizes = sizes
        self.gap = gap
        self.place = [0.0] * count  # "prelim"
        self.shift_below = [0.0] * count  # "mod": moves a node's descendants
        self.thread: list[int | None] = [None] * count
        self.ancestor = list(range(count))
        self.parent = [-1] * count
        self.number = [0] * count  # among its siblings
        self.shift = [0.0] * count
        self.change = [0.0] * count  # spreads a shift over the siblings between
        self.middle = [0.0] * count  # among its children, before it is placed itself
        for node, below in enumerate(children):
            for number, child in enumerate(below):
                self.parent[child], self.number[child] = node, number

    def places(self) -> list[float]:
        # Children have higher numbers, so counting down is bottom up.
        for node in range(len(self.children) - 1, -1, -1):
            self._arrange(node)
        shifts = [0.0] * len(self.children)
        for node, below in enumerate(self.children):
            for child in below:
                shifts[child] = shifts[node] + self.shift_below[node]
        return [p + s for p, s in zip(self.place, shifts, strict=True)]

    def _arrange(self, node: int) -> None:
        """Place the children of a node beside each other."""
        below = self.children[node]
        if not below:
            return
        self.place[below[0]] = self.middle[below[0]]
        default = below[0]
        for left, child in pairwise(below):
            self.place[child] = self.place[left] + self._distance(left, child)
            if self.children[child]:
                self.shift_below[child] = self.place[child] - self.middle[child]
            default = self._push_apart(child, left, default)
        self._spread(below)
        first, last = self.place[below[0]], self.place[below[-1]]
        middle = first + self.anchor * (last - first)
        self.middle[node] = self.place[node] = middle

    def _push_apart(self, node: int, left: int, default: int) -> int:
        """Move a subtree away from those on its left ("apportion")."""
        first = self.children[self.parent[node]][0]
        at = _Contours(left, node, first, self.shift_below)
        right, below = self._next_right(at.inner_left), self._next_left(at.inner_right)
        while right is not None and below is not None:
            outer_left = self._next_left(at.outer_left)
            outer_right = self._next_right(at.outer_right)
            assert outer_left is not None
            assert outer_right is not None
            sums = at.sums
            self.ancestor[outer_right] = node
            overlap = (
                (self.place[right] + sums[0])
                - (self.place[below] + sums[1])
                + self._distance(right, below)
            )
            if overlap > 0:
                self._move(self._origin(right, node, default), node, overlap)
                sums[1] += overlap
                sums[3] += overlap
            at.descend((right, below, outer_left, outer_right), self.shift_below)
            right = self._next_right(at.inner_left)
            below = self._next_left(at.inner_right)
        return self._tie(at, node, default)

    def _tie(self, at: _Contours, node: int, default: int) -> int:
        """Continue the shorter contour with the longer one."""
        inner_left, inner_right, outer_left, outer_right = at.sums
        right, below = self._next_right(at.inner_left), self._next_left(at.inner_right)
        if right is not None and self._next_right(at.outer_right) is None:
            self.thread[at.outer_right] = right
            self.shift_below[at.outer_right] += inner_left - outer_right
        if below is not None and self._next_left(at.outer_left) is None:
            self.thread[at.outer_left] = below
            self.shift_below[at.outer_left] += inner_right - outer_left
            return node
        return default

    def _move(self, left: int, right: int, distance: float) -> None:
        between = self.number[right] - self.number[left]
        self.change[right] -= distance / between
        self.shift[right] += distance
        self.change[left] += distance / between
        self.place[right] += distance
        self.shift_below[right] += distance

    def _spread(self, below: Sequence[int]) -> None:
        """Share the space that was made among the siblings between."""
        shift = change = 0.0
        for child in reversed(below):
            self.place[child] += shift
            self.shift_below[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change

    def _origin(self, node: int, right: int, default: int) -> int:
        """Return which sibling a node of the left contour belongs to."""
        ancestor = self.ancestor[node]
        return ancestor if self.parent[ancestor] == self.parent[right] else default

    def _distance(self, left: int, right: int) -> float:
        return (self.sizes[left] + self.sizes[right]) / 2 + self.gap

    def _next_left(self, node: int) -> int | None:
        below = self.children[node]
        return below[0] if below else self.thread[node]

    def _next_right(self, node: int) -> int | None:
        below = self.children[node]
        return below[-1] if below else self.thread[node]
