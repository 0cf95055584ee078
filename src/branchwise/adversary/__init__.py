"""The adversary: score programs, defenses, and the worst case."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
