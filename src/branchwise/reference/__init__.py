"""The paper, line by line, in plain Python: the oracle of every test."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.reference.objective import OBJECTIVES as OBJECTIVES

__all__, __getattr__, __dir__ = lazy(__name__, {"objective": "OBJECTIVES"})
