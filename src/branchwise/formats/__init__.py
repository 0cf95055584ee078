"""Files to problems and back: the only room that knows lines, cells and shorthands."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
