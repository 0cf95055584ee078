"""Following a plan while it is carried out, surprises included."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
