"""Options: what an analysis asks for, of all its sections."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AnalysisOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisOptions:
    """
    What the sections of an analysis go by, each taking what concerns it.

    Examples
    --------
    >>> AnalysisOptions()
    AnalysisOptions()
    """
