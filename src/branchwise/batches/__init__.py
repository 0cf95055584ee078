"""Batches: every problem of a folder solved, and folders of random problems made."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
