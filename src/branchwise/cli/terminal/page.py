"""The terminal as a page: its width, its characters and its colors."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypedDict

import click

import branchwise
from branchwise.cli.report import kind_of, text_lines

__all__ = ["show", "show_advice", "show_change", "terminal_width"]

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


def show(answer: object, *, quiet: bool = False, how: Mapping[str, object]) -> None:
    """Write an answer to the standard output, line by line as it is made."""
    lines = text_lines(answer, {**how, **_page()})
    if quiet:
        # A simulation answers by a table below its title.
        most = 2 if kind_of(answer) == "simulation" else 1
        lines = _paragraphs(lines, most)
    _write(lines)


def show_advice(advice: branchwise.Advice) -> None:
    """Write what to do now to the standard output."""
    _write(branchwise.advice_lines(advice, **_page()))


def show_change(change: branchwise.Change) -> None:
    """Write what has changed to the standard output."""
    _write(branchwise.change_lines(change, **_page()))


def _paragraphs(lines: Iterable[str], most: int) -> Iterator[str]:
    """Return the first paragraphs of a text."""
    for line in lines:
        most -= not line
        if not most:
            return
        yield line


def _write(lines: Iterable[str]) -> None:
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
    """Return the number of columns of the terminal."""
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
