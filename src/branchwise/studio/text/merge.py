"""Merging: two changed texts and what both began from, line by line."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

_MOST_COMPARED: Final = 10**7
"""How many pairs of lines are compared; what differs more is one change."""


class _Hunk(NamedTuple):
    """Lines of the first text, from and up to, and what stands in their place."""

    start: int
    stop: int
    lines: tuple[str, ...]


def merged(first: str, mine: str, theirs: str) -> str | None:
    r"""
    Return a text with the changes of both; None where they touch each other.

    >>> merged("a\nb\nc\nd", "a\nb\nc\nD", "A\nx\nb\nc\nd")
    'A\nx\nb\nc\nD'
    >>> merged("a\nb", "A\nb", "a\nB") is None
    True
    """
    lines = first.split("\n")
    hunks = sorted({*_hunks(lines, mine), *_hunks(lines, theirs)})
    for before, after in pairwise(hunks):
        if after.start <= before.stop:
            return None
    for start, stop, new in reversed(hunks):
        lines[start:stop] = new
    return "\n".join(lines)


def _hunks(first: list[str], text: str) -> list[_Hunk]:
    """Return what a text has in the place of which lines."""
    lines = text.split("\n")
    same = min(len(first), len(lines))
    head = next((n for n in range(same) if first[n] != lines[n]), same)
    most = same - head
    tail = next((n for n in range(most) if first[-1 - n] != lines[-1 - n]), most)
    old, new = first[head : len(first) - tail], lines[head : len(lines) - tail]
    if len(old) * len(new) > _MOST_COMPARED:
        return [_Hunk(head, head + len(old), tuple(new))]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        _Hunk(head + start, head + stop, tuple(new[begin:end]))
        for kind, start, stop, begin, end in matcher.get_opcodes()
        if kind != "equal"
    ]
