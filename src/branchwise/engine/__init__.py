"""Problem to solution, fast: the only room that touches the compiled core."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.engine.limits import SEARCHES as SEARCHES

__all__, __getattr__, __dir__ = lazy(__name__, {"limits": "SEARCHES"})
