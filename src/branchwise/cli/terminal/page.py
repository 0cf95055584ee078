"""The terminal as a page: its width, its characters and its colors."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final, Literal, TypedDict

import click

from branchwise import report

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


def show(answer: object, detail: Detail = "likely") -> None:
    """Write an answer to the standard output, line by line as it is made."""
    for line in report.lines(answer, detail=detail, **_page()):
        sys.stdout.write(f"{line}\n")


def _page() -> _Page:
    is_terminal = sys.stdout.isatty()
    return {
        "width": _terminal_width() if is_terminal else None,
        "is_ascii": not _can_draw(),
        "paint": _styled if is_terminal and _wants_color() else _plain,
    }


def _terminal_width() -> int:
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
