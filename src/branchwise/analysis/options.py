"""Options: what an analysis asks for, of all its sections."""

from __future__ import annotations

from dataclasses import dataclass

from branchwise.analysis.aims import Aim

__all__ = ["AnalysisOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisOptions:
    """
    What the sections of an analysis go by, each taking what concerns it.

    Parameters
    ----------
    aims
        What plans are to make the most of, in the section on risk; unless said, the
        mean of the worst quarter, and the chance of what is expected or more.

    Examples
    --------
    >>> AnalysisOptions()
    AnalysisOptions(aims=())
    """

    aims: tuple[Aim, ...] = ()
