"""The certificate: an answer with its proof, and the checker that trusts no engine."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
