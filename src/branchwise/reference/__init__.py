"""The paper, line by line, in plain Python: the oracle of every test."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
