"""
Every exception branchwise raises.

* BranchwiseError
  - IssuesError     carries every issue found, not only the first
    - FormatError   the file cannot be read: which file, line or cell
    - ProblemError  the problem contradicts itself
    - HistoryError  what is said to have happened cannot have
    - JournalError  the journal of a plan cannot be read, written or had
    - AimError      an aim does not fit the problem
  - PlanError       a question that this plan cannot answer, or a plan that
                    the problem does not allow
  - LimitError      time or memory ran out before there was anything to show
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

__all__ = [
    "AimError",
    "BranchwiseError",
    "FormatError",
    "HistoryError",
    "Issue",
    "IssuesError",
    "JournalError",
    "LimitError",
    "PlanError",
    "ProblemError",
    "did_you_mean",
]

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Issue:
    """
    One thing wrong with a problem: where, what, and how to put it right.

    Parameters
    ----------
    where
        A place to go to: ``oil.yaml:14:5 actions.drill.outcomes``.
    what
        What is wrong there, with the offending value.
    fix
        An edit that puts it right.
    severity
        An ``error`` stops the work, a ``warning`` does not.
    path
        The same place as a path into the problem, for programs.
    culprit
        The offending text itself, so that a reader can point at its column.
    stands_for
        How many issues this is: itself, or so many that are only counted.
    """

    where: str
    what: str
    fix: str
    severity: Literal["error", "warning"] = "error"
    path: Path = ()
    culprit: str = ""
    stands_for: int = 1

    def __str__(self) -> str:
        mark = "warning: " if self.severity == "warning" else ""
        return f"{self.where}: {mark}{self.what}\n    fix: {self.fix}"


class BranchwiseError(Exception):
    """The root of every exception branchwise raises on purpose."""


class IssuesError(BranchwiseError, ValueError):
    """Something is wrong with the input; ``issues`` lists everything found."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__(issues)  # the exception stays picklable
        self.issues = tuple(issues)

    def __str__(self) -> str:
        return "\n".join(str(issue) for issue in self.issues)


class FormatError(IssuesError):
    """The file cannot be read."""


class ProblemError(IssuesError):
    """The problem contradicts itself."""


class HistoryError(IssuesError):
    """What is said to have happened cannot have; which step, and why."""


class JournalError(IssuesError):
    """The journal cannot be read or written, or somebody else has it."""


class AimError(IssuesError):
    """An aim does not fit the problem."""


class PlanError(BranchwiseError, ValueError):
    """The plan cannot answer this question, or the problem forbids the plan."""


class LimitError(BranchwiseError):
    """Time or memory ran out before there was anything to show."""


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """
    Suggest the nearest known name, as the end of a sentence.

    Examples
    --------
    >>> did_you_mean("drlil", ["drill", "test"])
    '; did you mean `drill`?'
    >>> did_you_mean("zzz", ["drill", "test"])
    ''
    """
    # Fuzzy matching is quadratic in the text, and a name is never a page long.
    if len(name) > 200:
        return ""
    folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean `{folded[close[0]]}`?" if close else ""
