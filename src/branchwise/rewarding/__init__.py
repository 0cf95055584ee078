"""Rewarding sets: which outcomes, taken together, lead to a reward."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
