"""The terminal as a page: its width, its characters and its colors."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypedDict

import click

import branchwise
from branchwise import report

__all__ = [
    "detail",
    "show_advice",
    "show_analysis",
    "show_change",
    "show_explanation",
    "show_interdiction",
    "show_profiles",
    "show_program",
    "show_sets",
    "show_simulations",
    "show_solution",
    "terminal_width",
]

Detail = Literal["answer", "likely", "full"]

_STYLES: Final[dict[str, dict[str, object]]] = {
    "title": {"bold": True},
    "action": {"bold": True, "fg": "cyan"},
    "reward": {"bold": True, "fg": "green"},
    "nothing": {"dim": True},
    "faint": {"dim": True},
    "plain": {},
}


class _Page(TypedDict):
    """What the standard output can show."""

    width: int | None
    is_ascii: bool
    paint: Callable[[str, str], str]


def detail(*, quiet: bool, full: bool) -> Detail:
    """Give how much of a tree to show."""
    return "answer" if quiet else "full" if full else "likely"


def show_solution(solution: branchwise.Solution, detail: Detail) -> None:
    """Write a solution to the standard output, line by line as it is drawn."""
    _show(report.lines(solution, detail=detail, **_page()))


def show_interdiction(interdiction: branchwise.Interdiction, detail: Detail) -> None:
    """Write how to defend to the standard output."""
    _show(report.lines(interdiction, detail=detail, **_page()))


def show_explanation(explanation: branchwise.Explanation) -> None:
    """Write to the standard output why not to take an action."""
    _show(report.lines(explanation, **_page()))


def show_sets(sets: branchwise.SetsListing) -> None:
    """Write rewarding sets to the standard output, each as it is found."""
    _show(report.lines(sets, **_page()))


def show_advice(advice: branchwise.Advice) -> None:
    """Write what to do now to the standard output."""
    _show(report.lines(advice, **_page()))


def show_change(change: branchwise.Change) -> None:
    """Write what has changed to the standard output."""
    _show(report.lines(change, **_page()))


def show_simulations(
    simulations: Sequence[branchwise.Simulation], detail: Detail
) -> None:
    """Write simulations to the standard output."""
    _show(report.lines(simulations, detail=detail, **_page()))


def show_program(solution: branchwise.ProgramSolution, *, limit: int | None) -> None:
    """Write what a score program says to the standard output."""
    answer = report.ProgramAnswer(solution, limit=limit)
    _show(report.lines(answer, detail="likely" if limit else "full", **_page()))


def show_analysis(analysis: branchwise.Analysis) -> None:
    """Write an analysis to the standard output."""
    _show(report.lines(analysis, **_page()))


def show_profiles(found: branchwise.Profiles) -> None:
    """Write to the standard output which plan goes to whom."""
    _show(report.lines(found, **_page()))


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _page() -> _Page:
    is_terminal = sys.stdout.isatty()
    return {
        "width": terminal_width() if is_terminal else None,
        "is_ascii": not _can_draw(),
        "paint": _styled if is_terminal and _wants_color() else _plain,
    }


def terminal_width() -> int:
    """Give the number of columns of the terminal."""
    from shutil import get_terminal_size  # noqa: PLC0415  # pulls in compression

    return get_terminal_size().columns


def _can_draw() -> bool:
    try:
        "├└│─…".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _wants_color() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _styled(text: str, ink: str) -> str:
    return click.style(text, **_STYLES[ink])  # type: ignore[arg-type]


def _plain(text: str, ink: str) -> str:  # noqa: ARG001
    return text
