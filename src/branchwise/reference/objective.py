"""The secondary objectives as functions, by name."""

from branchwise.tree.choices.preference import OBJECTIVES

__all__ = ["OBJECTIVES"]
