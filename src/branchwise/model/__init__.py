"""What the user means: problems, actions, conditions and rewards, by name."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
