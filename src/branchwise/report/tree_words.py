"""What the nodes and edges of a tree say where others draw the picture."""

from __future__ import annotations

from branchwise.report.drawing import Kind, Mark
from branchwise.tree.solution import Solution

__all__ = ["edge_words", "node_words", "title_of"]


def title_of(solution: Solution) -> str:
    """Give the name of the problem; nothing where there is none."""
    return solution.problem.name if solution.problem else ""


def node_words(mark: Mark) -> str:
    """Say what is done at a node, so that no shape need be known."""
    is_leaf = mark.kind in {Kind.REWARD, Kind.NOTHING}
    return f"stop with {mark.text}" if is_leaf else mark.text


def edge_words(mark: Mark) -> str:
    """Say which outcome an edge stands for, and how likely it is."""
    return f"{mark.outcome}, {mark.odds}"
