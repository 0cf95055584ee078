"""Questions about a problem and its plans: what matters, and what would change them."""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
