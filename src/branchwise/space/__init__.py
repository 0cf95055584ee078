"""State spaces: problems as states and transitions, and spaces of one's own."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
