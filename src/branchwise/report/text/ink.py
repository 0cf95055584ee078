"""Colored text: pieces of a line, each with the ink it is to be written in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from branchwise.model.problem import Problem
from branchwise.report.text.label import display_width, label

__all__ = ["Ink", "Look", "Paint", "Piece", "title_line", "uncolored"]

Ink = Literal["title", "action", "reward", "nothing", "faint", "plain"]
"""What a piece of text is, so that a terminal may color it."""

Piece = tuple[str, Ink]

Paint = Callable[[str, Ink], str]
"""Colors a piece of text."""


def uncolored(text: str, ink: Ink) -> str:  # noqa: ARG001
    """Leave the text as it is."""
    return text


@dataclass(frozen=True, slots=True)
class Look:
    """
    What the page can show.

    Parameters
    ----------
    width
        Its number of columns; None where lines may have any length.
    is_ascii
        Whether it lacks lines and corners to draw with.
    paint
        How it colors text.
    """

    width: int | None = None
    is_ascii: bool = False
    paint: Paint = uncolored

    @property
    def ellipsis(self) -> str:
        """The mark of what was left out."""
        return "..." if self.is_ascii else "…"

    @property
    def dash(self) -> str:
        """What stands between an outcome and what follows it."""
        return "--" if self.is_ascii else "─"

    @property
    def branch(self) -> str:
        """What leads to a child that others follow."""
        return "|-- " if self.is_ascii else "├─ "

    @property
    def last_branch(self) -> str:
        """What leads to the last child."""
        return "`-- " if self.is_ascii else "└─ "

    @property
    def trunk(self) -> str:
        """What runs past the children of a child that others follow."""
        return "|   " if self.is_ascii else "│  "

    @property
    def max_levels(self) -> int:
        """How many levels a tree may be indented by."""
        if self.width is None:
            return 30
        return max(3, (self.width - 36) // len(self.trunk))

    def name(self, text: str, share: float = 1.0) -> str:
        """Cut a name to its share of the width."""
        room = None if self.width is None else max(12, int(self.width * share))
        return label(text, room, self.ellipsis)

    def fits(self, pieces: Iterable[Piece]) -> bool:
        """Whether the pieces have room on one line."""
        total = sum(display_width(text) for text, _ in pieces)
        return self.width is None or total <= self.width

    def line(self, pieces: Iterable[Piece]) -> str:
        """Color the pieces and put them together, cut at the end of the page."""
        pieces = list(pieces)
        if self.width is None or self.fits(pieces):
            return "".join(self.paint(text, ink) for text, ink in pieces)
        room = self.width - len(self.ellipsis)
        written = []
        for text, ink in pieces:
            size = display_width(text)
            if size > room:
                written.append(self.paint(_start(text, room) + self.ellipsis, ink))
                break
            written.append(self.paint(text, ink))
            room -= size
        return "".join(written)


def _start(text: str, room: int) -> str:
    return label(text, room, "")


def title_line(
    problem: Problem, look: Look, *, more: str = "", share: float = 0.6
) -> str:
    """
    Return the first line of an answer: the name of a problem, and its budget.

    Parameters
    ----------
    problem
        What the answer is about.
    look
        What the page can show.
    more
        What stands behind the budget.
    share
        How much of the width the name may take: it is cut so that the budget keeps its
        place.
    """
    name = " ".join(problem.name.split())
    budget = f"budget {label(str(problem.budget))}{more}"
    title = f"{look.name(name, share)} ({budget})" if name else budget
    return look.line([(title, "title")])
