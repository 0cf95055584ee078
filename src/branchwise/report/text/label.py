"""Names in a row of text: how wide they are, cut to fit, and kept in their place."""

import json
import re
import unicodedata
from collections.abc import Iterable
from itertools import chain
from typing import Final

from branchwise.model.conditions.condition import BARE_NAME, Happened

# They would turn around what comes after the name, or hide it.
_DIRECTION_CONTROLS: Final = dict.fromkeys(
    chain([0x061C, 0x200E, 0x200F], range(0x202A, 0x202F), range(0x2066, 0x206A))
)
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_OUTCOME: Final = re.compile(
    rf"({_QUOTED}|{BARE_NAME})=({_QUOTED}|{BARE_NAME})", re.DOTALL
)
_MISREAD: Final = re.compile(
    r"""[()=,"<>]|(?:^|\s)(?:and|or|not|of)(?:\s|$)""", re.IGNORECASE
)
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


def as_read(text: str) -> str:
    """
    Write outcomes in a condition, or in the name of a number, as people read them.

    Quotes are for those who have to tell where a name ends; they stay where a name
    would be taken for more than one.

    >>> print(as_read('P("log in"=inside) and a4=ok and not "b or c"=yes'))
    P(log in = inside) and a4 = ok and not "b or c"=yes
    """
    found = _OUTCOME.finditer(text)
    # All of them stand apart from their actions, or none does.
    return (
        _OUTCOME.sub(_unquoted, text) if any('"' in each[0] for each in found) else text
    )


def _unquoted(match: re.Match[str]) -> str:
    sides = [_plain_name(side) for side in match.groups()]
    return match[0] if None in sides else " = ".join(map(str, sides))


def _plain_name(written: str) -> str | None:
    """Return a name without its quotes; None where it cannot do without."""
    try:
        name = str(json.loads(written)) if written.startswith('"') else written
    except ValueError:
        return None
    return None if _MISREAD.search(name) or name != name.strip() else name


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
