"""Options: what an analysis asks for, of all its sections."""

from __future__ import annotations

from dataclasses import dataclass

from branchwise.analysis.aims import Aim
from branchwise.analysis.outcome_tests import OutcomeTest

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
    tests
        Tests of outcomes whose value is wanted, in the section on information.

    Examples
    --------
    >>> AnalysisOptions()
    AnalysisOptions(aims=(), tests=())
    """

    aims: tuple[Aim, ...] = ()
    tests: tuple[OutcomeTest, ...] = ()
