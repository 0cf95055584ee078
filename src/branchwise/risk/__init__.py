"""Risk: plans for those to whom the expected reward is not all."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
