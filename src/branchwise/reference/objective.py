"""The secondary objectives as functions, by name."""

from branchwise.tree.preference import OBJECTIVES

__all__ = ["OBJECTIVES"]
