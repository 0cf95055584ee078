"""Wording issues: a problem's names, numbers and places as text for people."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from branchwise.errors import Issue, Path, printable
from branchwise.model.budget import Limit
from branchwise.model.conditions.condition import Condition
from branchwise.model.numbers.formula import Formula
from branchwise.model.numbers.number import number_text

_LONGEST_NUMBER = 24
_LONGEST_CONDITION = 60
_LONGEST_LIST = 6


def about(
    path: Path,
    what: str,
    fix: str,
    *,
    culprit: str = "",
    severity: Literal["error", "warning"] = "error",
) -> Issue:
    """Make an issue about one place in a problem that need not come from a file."""
    where = printable(".".join(map(str, path)))
    return Issue(where, what, fix, severity, path, culprit)


def warning(path: Path, what: str, fix: str, culprit: str = "") -> Issue:
    """Make an issue about what is allowed but can hardly be meant."""
    return about(path, what, fix, culprit=culprit, severity="warning")


def ticked(name: object) -> str:
    """Put a name or a piece of a problem file in backticks."""
    return f"`{printable(str(name))}`"


def listed(names: Iterable[str], last: str = "and") -> str:
    """
    Name several things in a row, and count those that would be too many.

    >>> listed(["scan", "phish", "exploit"])
    '`scan`, `phish` and `exploit`'
    """
    known = list(names)
    ticks = [ticked(name) for name in known[:_LONGEST_LIST]]
    if len(known) > _LONGEST_LIST:
        return f"{', '.join(ticks)} {last} {len(known) - _LONGEST_LIST:,} more"
    if len(ticks) == 1:
        return ticks[0]
    return f"{', '.join(ticks[:-1])} {last} {ticks[-1]}"


def shortened(condition: Condition | str) -> str:
    """Return the text of a condition or a history, cut where it gets long."""
    text = str(condition)
    too_long = len(text) > _LONGEST_CONDITION
    return ticked(f"{text[:_LONGEST_CONDITION].rstrip()} ..." if too_long else text)


def shown(number: Limit) -> str:
    """
    Write a number for people: exactly where that is short, else nearly.

    >>> shown(Fraction(1, 8)), shown(Fraction(10**30, 7))
    ('0.125', 'about 1.42857e+29')
    """
    if isinstance(number, Formula):
        return f"{shown(Fraction(number))} ({ticked(number.expression)})"
    if not isinstance(number, Fraction):
        return "unlimited"
    size = abs(number.numerator).bit_length() - number.denominator.bit_length()
    if abs(size) > 900:  # Past what a float can hold.
        return f"about {'-' * (number < 0)}1e{size * 30103 // 100000:+d}"
    is_short = number.denominator.bit_length() < 200
    text = number_text(number) if is_short else ""
    is_short = is_short and len(text) <= _LONGEST_NUMBER
    return text if is_short else f"about {float(number):.6g}"
