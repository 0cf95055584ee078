"""What was assumed of a file of another tool, as a comment for what is made of it."""

import os
from collections.abc import Iterable, Sequence
from itertools import chain
from textwrap import wrap
from typing import Final

from branchwise.errors import Issue, printable
from branchwise.formats.suffix import format_of

COMMENTED: Final = {"yaml": "#", "prism": "//"}
"""The formats that have comments, and what each line of one begins with."""

_WIDTH: Final = 85


def assumptions(source: str, issues: Iterable[Issue]) -> Sequence[str]:
    r"""
    Return what was assumed when a file of another tool was read, line by line.

    There are no lines where nothing was assumed.

    >>> said = Issue("a.xml:3:3", "no cost is given", "set one", is_assumption=True)
    >>> print(*assumptions("a.xml", [said]), sep="\n")
    Made of a.xml. What that does not say was assumed:
    - a.xml:3:3: no cost is given
      fix: set one
    """
    assumed = [each for each in issues if each.is_assumption]
    if not assumed:
        return ()
    made = f"Made of {source}. What that does not say was assumed:"
    said = ((f"- {each.where}: {each.what}", f"  fix: {each.fix}") for each in assumed)
    return [made, *chain.from_iterable(said)]


def has_comments(path: str | os.PathLike[str]) -> bool:
    """Whether a file that ends so, to be written, may begin with a comment."""
    return format_of(os.fspath(path), is_written=True) in COMMENTED


def comment(lines: Iterable[str], format_: str) -> str:
    """
    Return lines as a comment of a format that has comments.

    >>> print(comment(["Made of a.xml."], "prism"), end="")
    // Made of a.xml.
    """
    mark = COMMENTED[format_]
    parts = chain.from_iterable(map(_wrapped, lines))
    return "".join(f"{mark} {part}\n" for part in parts)


def _wrapped(line: str) -> list[str]:
    """Return a line in parts that are not too wide, with nothing that is unseen."""
    text = printable(" ".join(line.split()))
    indent = "  " if line.startswith(" ") else ""
    return wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
