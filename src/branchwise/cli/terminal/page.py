"""The terminal as a page: its width, its characters and its colors."""

import os
import sys
from typing import Final, Literal

from branchwise import report

Detail = Literal["answer", "likely", "full"]

_STYLES: Final = {
    "title": "\x1b[1m",
    "action": "\x1b[36m\x1b[1m",
    "reward": "\x1b[32m\x1b[1m",
    "nothing": "\x1b[2m",
    "faint": "\x1b[2m",
    "plain": "",
}
_AS_BEFORE: Final = "\x1b[0m"


def show(answer: object, detail: Detail = "likely") -> None:
    """Write an answer to the standard output, line by line as it is made."""
    is_terminal = sys.stdout.isatty()
    has_color = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    for line in report.lines(
        answer,
        detail=detail,
        width=_terminal_width() if is_terminal else None,
        is_ascii=not _can_draw(),
        paint=_styled if is_terminal and has_color else _plain,
    ):
        sys.stdout.write(f"{line}\n")


def _terminal_width() -> int:
    from shutil import get_terminal_size  # noqa: PLC0415  # pulls in compression

    return get_terminal_size().columns


def _can_draw() -> bool:
    try:
        "├└│─…".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _styled(text: str, ink: str) -> str:
    return f"{_STYLES[ink]}{text}{_AS_BEFORE}"


def _plain(text: str, ink: str) -> str:  # noqa: ARG001
    return text
