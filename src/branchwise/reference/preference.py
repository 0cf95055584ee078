"""Preferences: which of two optimal trees is the better one, down to the last tie."""

from __future__ import annotations

from typing import Any, NamedTuple

from branchwise.model.number import TIE
from branchwise.reference.objective import (
    Children,
    Considered,
    Objective,
    fewest_nodes,
    is_named,
    order,
)

__all__ = ["Preference", "Rank"]


class Rank(NamedTuple):
    """
    How good a tree is by a preference; less is better.

    Parameters
    ----------
    worth
        What the objective says.
    nodes
        The number of nodes of the tree; 0 where they do not count.
    """

    worth: Any
    nodes: int


class Preference:
    """
    A secondary objective with what breaks its ties.

    Of trees that are the same by a named objective, one with the fewest nodes is
    preferred, and then the first action in the order of the problem. So an action that
    changes nothing, which another engine may leave out, is never taken: without it the
    tree has fewer nodes and is as good in all else. A function of yours decides alone.

    Parameters
    ----------
    objective
        The objective, as a function.
    """

    def __init__(self, objective: Objective) -> None:
        self.goes_by_order = objective is order
        """Whether the first action that makes a difference goes before the rest."""
        self._objective = fewest_nodes if self.goes_by_order else objective
        self._counts_nodes = (
            is_named(self._objective) and self._objective is not fewest_nodes
        )

    def rank(self, state: Any, action: Considered, children: Children) -> Rank:
        """Return the rank of a tree from the ranks of its children."""
        worths = [(probability, rank.worth) for probability, rank in children]
        nodes = 0
        if self._counts_nodes:
            below = [(probability, rank.nodes) for probability, rank in children]
            nodes = fewest_nodes(state, action, below)
        return Rank(self._objective(state, action, worths), nodes)

    @staticmethod
    def is_better(rank: Rank, other: Rank) -> bool:
        """Whether a tree is preferred to another."""
        if _is_less(rank.worth, other.worth):
            return True
        return not _is_less(other.worth, rank.worth) and rank.nodes < other.nodes


def _is_less(value: Any, other: Any) -> bool:
    """Compare values of an objective; rounding does not make a float smaller."""
    if isinstance(value, float) and isinstance(other, float):
        return value < other - TIE * max(abs(value), abs(other))
    return bool(value < other)
