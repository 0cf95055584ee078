"""The states of a space in flat arrays, as they are explored."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

import branchwise._core as core

OPEN: Final = -1
"""What stands for the first option of a state that was met, but not expanded."""


class Extent(NamedTuple):
    """How much there is of everything."""

    states: int
    options: int
    branches: int


class ExplicitArrays:
    """
    States, options and branches, one array for each property.

    The options of a state are in a row, and so are the branches of an option. Arrays
    are Python's own, which grow in place; the core looks at them where they are.
    """

    def __init__(self) -> None:
        self.rewards = array("d")  # by state
        self.uppers = array("d")  # by state: what no plan exceeds, as the space says
        self.first_options = array("q")  # by state; `OPEN` where it was not expanded
        self.num_options = array("i")  # by state
        self.actions = array("i")  # by option: the id of its name
        self.costs = array("d")  # by option
        self.charges = array("d")  # by option
        self.first_branches = array("q", [0])  # by option, and one more
        self.outcomes = array("i")  # by branch: the id of its label
        self.children = array("i")  # by branch
        self.probabilities = array("d")  # by branch
        self.num_expanded = 0

    @property
    def extent(self) -> Extent:
        """How much there is."""
        return Extent(len(self.rewards), len(self.costs), len(self.children))

    @property
    def num_bytes(self) -> int:
        """How much memory all of it takes."""
        arrays = (each for each in vars(self).values() if isinstance(each, array))
        return sum(len(each) * each.itemsize for each in arrays)

    def cut(self, extent: Extent, expanded: Sequence[int]) -> None:
        """Go back to what there was, before these states were expanded."""
        for number in expanded:
            self.first_options[number] = OPEN
        states, options, branches = extent
        for each in (self.rewards, self.uppers, self.first_options, self.num_options):
            del each[states:]
        for each in (self.actions, self.costs, self.charges):
            del each[options:]
        del self.first_branches[options + 1 :]
        for each in (self.outcomes, self.children, self.probabilities):
            del each[branches:]

    def graph(self) -> core.ExplicitGraph:
        """Let the core look at it; as long as it does, nothing can grow."""
        return core.ExplicitGraph(
            self.rewards,
            self.first_options,
            self.num_options,
            self.costs,
            self.charges,
            self.first_branches,
            self.children,
            self.probabilities,
        )

    def options(self, number: int) -> range:
        """Return the options of a state."""
        first = self.first_options[number]
        return (
            range(0)
            if first == OPEN
            else range(first, first + self.num_options[number])
        )

    def branches(self, option: int) -> range:
        """Return the branches of an option."""
        return range(self.first_branches[option], self.first_branches[option + 1])
