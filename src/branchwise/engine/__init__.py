"""Problem to solution, fast: the only room that touches the compiled core."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
