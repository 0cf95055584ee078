"""The score program: scores of all states as a linear program, with its duals."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
