"""
Every exception branchwise raises.

* BranchwiseError
  - IssuesError     carries every issue found, not only the first
    - FormatError   the file cannot be read: which file, line or cell
    - ProblemError  the problem contradicts itself
    - HistoryError  what is said to have happened cannot have
    - JournalError  the journal of a plan cannot be read, written or had
    - AimError      an aim does not fit the problem
    - SpillError    a folder of states cannot be read, written or had
  - PlanError       a question that this plan cannot answer, or a plan that
                    the problem does not allow
  - UnsupportedError  something that cannot be done with this kind of problem
  - LimitError      time or memory ran out before there was anything to show
  - ExecutorError   those that work was shared out to are gone, or do not fit
  - BusyError       a solver was asked from within its own progress listener
  - VerificationError  an answer was checked and found wrong; a bundle tells all
"""

from collections.abc import Sequence
from os import PathLike
from typing import Literal, Self

from branchwise.records import dataclass

__all__ = [
    "AimError",
    "BranchwiseError",
    "BusyError",
    "ExecutorError",
    "FormatError",
    "HistoryError",
    "Issue",
    "IssuesError",
    "JournalError",
    "LimitError",
    "PlanError",
    "ProblemError",
    "SpillError",
    "VerificationError",
]

Path = tuple[str | int, ...]

MOST_COUNTED = 1_000
"""So many errors are looked for, and no more: more are not read."""

_MOST_SHOWN = 20
_FIRST_OF_MANY = 10
_LONGEST_LINE = 400
_MOST_KNOWN = 10_000
# Letters that are blank, and marks that are nothing by themselves: Unicode calls them
# printable all the same.
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0"
)


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
    is_assumption
        Whether it says what was assumed of a file of another tool, or left out of it.
    """

    where: str
    what: str
    fix: str
    severity: Literal["error", "warning"] = "error"
    path: Path = ()
    culprit: str = ""
    stands_for: int = 1
    is_assumption: bool = False

    def __str__(self) -> str:
        mark = "warning: " if self.severity == "warning" else ""
        where, what, fix = map(_line, (self.where, self.what, self.fix))
        return f"{where}: {mark}{what}\n    fix: {fix}"


class BranchwiseError(Exception):
    """The root of every exception branchwise raises on purpose."""


class IssuesError(BranchwiseError, ValueError):
    """Something is wrong with the input; ``issues`` lists everything found."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__(issues)  # the exception stays picklable
        self.issues = tuple(issues)

    @classmethod
    def of(cls, where: object, what: str, fix: str) -> Self:
        """Return the error of one issue."""
        return cls([Issue(str(where), what, fix)])

    def __str__(self) -> str:
        """All of it; where there are many, the first few and how many more."""
        is_much = len(self.issues) > _MOST_SHOWN
        num_shown = _FIRST_OF_MANY if is_much else _MOST_SHOWN
        shown = list(map(str, self.issues[:num_shown]))
        more = sum(issue.stands_for for issue in self.issues[num_shown:])
        has_errors = any(issue.severity == "error" for issue in self.issues)
        is_cut = has_errors and more + len(shown) >= MOST_COUNTED
        at_least = " at least" if is_cut else ""
        return "\n".join([*shown, f"and {more:,} more{at_least}"] if more else shown)


class FormatError(IssuesError):
    """The file cannot be read."""


class ProblemError(IssuesError):
    """The problem contradicts itself."""


class StuckError(ProblemError):
    """Every plan may get stuck where it must finish."""


class HistoryError(IssuesError):
    """What is said to have happened cannot have; which step, and why."""


class JournalError(IssuesError):
    """The journal cannot be read or written, or another process has it."""


class SpillError(IssuesError):
    """A folder of states cannot be read or written, or another process has it."""


class AimError(IssuesError):
    """An aim does not fit the problem."""


class PlanError(BranchwiseError, ValueError):
    """The plan cannot answer this question, or the problem forbids the plan."""


class UnsupportedError(BranchwiseError, ValueError):
    """Something that cannot be done with this kind of problem; what to do instead."""


class LimitError(BranchwiseError):
    """Time or memory ran out before there was anything to show."""


class NoPlanError(LimitError):
    """The same, of an engine that none would be faster than."""


class ExecutorError(BranchwiseError):
    """Those that work was shared out to are gone, or have another version."""


class BusyError(BranchwiseError, RuntimeError):
    """A solver was asked for something from within its own progress listener."""


class VerificationError(BranchwiseError):
    """
    An answer was checked before it was given, and is wrong: an error of branchwise.

    ``bundle`` is the path of a file with the problem, the options, the answer, the
    certificate and the versions; None where it could not be written.
    """

    def __init__(self, what: str, bundle: PathLike[str] | None) -> None:
        super().__init__(what, bundle)  # the exception stays picklable
        self.what, self.bundle = what, bundle

    def __str__(self) -> str:
        what = "the problem" if self.bundle is None else f"`{self.bundle}`"
        fix = f"send {what} to the maintainers of branchwise"
        if self.bundle is not None:
            fix += "; it holds the problem, so look into it first"
        return (
            "internal error: the answer was checked and found wrong, so it is not "
            f"given: {self.what}\n    fix: {fix}; meanwhile, another engine may do"
        )


def printable(text: str, keep: str = "") -> str:
    r"""
    Write characters that cannot be seen, or that steer a terminal, as escapes.

    All text from outside (names in files, names of files, values of options) is shown
    through this.

    Examples
    --------
    >>> printable("drill\n"), printable("\x1b[31m\u202e")
    ('drill\\n', '\\x1b[31m\\u202e')
    """
    if text.isprintable() and (text.isascii() or _BLANK.isdisjoint(text)):
        return text
    return "".join(
        c
        if c in keep or (c.isprintable() and c not in _BLANK)
        else c.encode("unicode_escape").decode()
        for c in text
    )


def _line(text: str) -> str:
    """Return a line of a message as it is shown: visible, and of bounded length."""
    if len(text) > _LONGEST_LINE:
        half = _LONGEST_LINE // 2
        text = f"{text[:half]} ... {text[-half:]}"
    return printable(text, keep="\n")


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
    # Fuzzy matching is quadratic in the text, and a name is never a page long. Nor is
    # the nearest of very many found within a moment.
    if len(name) > 200 or len(known) > _MOST_KNOWN:
        return ""
    from difflib import get_close_matches  # noqa: PLC0415  # only after a mistake

    known = [candidate for candidate in known if len(candidate) <= 200]
    folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean `{printable(folded[close[0]])}`?" if close else ""
