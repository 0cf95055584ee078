"""Lettering: what a text looks like in a picture, and how wide it will be."""

import unicodedata
from typing import Final

ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"

# These turn the text around them, so a name could pose as another one; a name in a
# right-to-left script needs none of them.
_TURNING: Final = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))

# Marks and joiners that belong to the character before them.
_ATTACHED: Final = frozenset({"Mn", "Me", "Mc", "Cf", "Sk"})
_JOINER: Final = "\N{ZERO WIDTH JOINER}"

# Widths in em of a common sans-serif, a little on the generous side: too much space
# around a word looks better than too little.
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}/\\` -")
_WIDE: Final = frozenset("mwMW@%&<>=+~#_\N{REPLACEMENT CHARACTER}")


def legible(text: str) -> str:
    r"""
    Return a text on one line, without characters that XML forbids or that turn text.

    >>> legible("two\nlines"), ascii(legible("bell\a"))
    ('two lines', "'bell\\ufffd'")
    """
    return " ".join("".join(map(_legible_character, text)).split())


def _legible_character(character: str) -> str:
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    is_forbidden = category in {"Cc", "Cs"} or ord(character) & 0xFFFE == 0xFFFE
    return _REPLACEMENT if is_forbidden or character in _TURNING else character


def cropped(text: str, length: int = 24) -> str:
    """
    Crop a legible text to so many characters, the ellipsis included.

    >>> cropped("reconnaissance", 8)
    'reconna…'
    """
    if len(text) <= length:
        return text
    end = length - 1
    while end > 1 and _is_attached(text[end - 1], text[end]):
        end -= 1
    return text[:end].rstrip() + ELLIPSIS


def shortened(text: str, length: int) -> str:
    """
    Leave out the middle of what is too long: names often differ at their end.

    >>> shortened("scan the ports of host 17", 14)
    'scan t…host 17'
    """
    if len(text) <= length:
        return text
    room = (length - 1) // 2
    start = len(text) - (length - 1 - room)
    while start < len(text) and _is_attached(text[start - 1], text[start]):
        start += 1
    return cropped(text, room + 1) + text[start:].lstrip()


def _is_attached(before: str, character: str) -> bool:
    """Whether two characters are drawn as one."""
    return before == _JOINER or unicodedata.category(character) in _ATTACHED


def text_width(text: str, font_size: float) -> float:
    """Estimate how wide a text will be; fonts differ, so this is never exact."""
    return font_size * sum(map(_character_width, text))


def _character_width(character: str) -> float:
    if character in _NARROW:
        return 0.36
    if character in _WIDE:
        return 0.92
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 1.3 if unicodedata.category(character) == "So" else 1.05
    return 0.74 if character.isupper() else 0.62
