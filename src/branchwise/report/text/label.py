"""Names in a row of text: how wide they are, cut to fit, and kept in their place."""

import unicodedata
from collections.abc import Iterable
from itertools import chain
from typing import Final

from branchwise.model.conditions.condition import Happened

# They would turn around what comes after the name, or hide it.
_DIRECTION_CONTROLS: Final = dict.fromkeys(
    chain([0x061C, 0x200E, 0x200F], range(0x202A, 0x202F), range(0x2066, 0x206A))
)
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_FIRST_STRONG_ISOLATE: Final = "\u2068"
_POP_ISOLATE: Final = "\u2069"


def label(name: str, room: int | None = None, ellipsis: str = "…") -> str:
    r"""
    Prepare a name for a row of text: cut to the room there is, its direction its own.

    >>> label("drill"), label("drill very deep", 9), label("drill\u202eliard")
    ('drill', 'drill ve…', 'drillliard')
    """
    if name.isascii():
        return cropped(name, room, ellipsis)
    text = cropped(name.translate(_DIRECTION_CONTROLS), room, ellipsis)
    if any(
        unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text
    ):
        return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"
    return text


def history_text(history: Iterable[Happened]) -> str:
    """
    Return what has happened, in order.

    >>> history_text([Happened("scan", "open"), Happened("log in", "ok")])
    'scan=open, "log in"=ok'
    """
    return ", ".join(label(str(event)) for event in history)


def display_width(text: str) -> int:
    r"""
    Count the columns a text takes on a terminal.

    >>> display_width("drill"), display_width("試掘"), display_width("e\u0301")
    (5, 4, 1)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415  # seldom needed

    return cell_len(text)


def cropped(text: str, room: int | None, ellipsis: str = "…") -> str:
    """
    Cut a text that is wider than the room there is.

    >>> cropped("試掘試掘", 6), cropped("drill", 5), cropped("drill", 4)
    ('試掘…', 'drill', 'dri…')
    """
    # A column holds at least one character but may hold more, so this is only sure
    # to be short enough if its characters are few.
    if room is None or (len(text) * 2 <= room) or display_width(text) <= room:
        return text
    from rich.cells import set_cell_size  # noqa: PLC0415  # seldom needed

    start = set_cell_size(text, room - len(ellipsis))
    # Half of a wide character is filled with a space.
    return f"{start if text.startswith(start) else start[:-1]}{ellipsis}"
