"""The answer: the decision tree, its statistics, and its exact value."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
