"""Bytes to text: UTF-8 and nothing else, with the byte that breaks it named."""

import re

from branchwise.errors import FormatError, printable
from branchwise.formats.place import Place, issue_at

_LONGEST_EXCERPT = 60
_SAVE_AS = "save the file as UTF-8 text"
_MARK = b"\xef\xbb\xbf"
_OTHER_ENCODINGS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"PK\x03\x04": "a zip archive, as xlsx files are",
    b"\x1f\x8b": "gzip",
}
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decode(data: bytes, source: str) -> str:
    """
    Read bytes as UTF-8, with or without a byte order mark.

    Examples
    --------
    >>> decode(b"budget: 6", "oil.yaml")
    'budget: 6'
    """
    for start, kind in _OTHER_ENCODINGS.items():
        if data.startswith(start):
            raise refuse(Place(source), f"this is {kind}, not UTF-8 text", _SAVE_AS)
    if b"\0" in data:
        what = "is NUL, which no text has"
        raise _refuse_byte(data, data.index(b"\0"), source, what, _SAVE_AS)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = "is not UTF-8 text"
        raise _refuse_byte(data, error.start, source, what, _SAVE_AS) from None
    found = _CONTROL.search(text)
    if found:
        index = len(text[: found.start()].encode()) + 3 * data.startswith(_MARK)
        what = "is a control character"
        raise _refuse_byte(data, index, source, what, "remove it")
    return text


def _refuse_byte(
    data: bytes, index: int, source: str, what: str, fix: str
) -> FormatError:
    # The bytes before are sound, or nearly so, and tell the line and the column.
    before = data[:index].decode("utf-8-sig", errors="replace")
    place = Place(source, *position_at(before, len(before)))
    return refuse(place, f"byte {index} (0x{data[index]:02x}) {what}", fix)


def position_at(text: str, index: int) -> tuple[int, int]:
    """Return the line and the column of a character, both from 1."""
    line = text.count("\n", 0, index) + 1
    return line, index - text.rfind("\n", 0, index)


def line_at(text: str, index: int) -> str:
    """Return the whole line a character stands on."""
    start = text.rfind("\n", 0, index) + 1
    end = text.find("\n", index)
    return text[start : len(text) if end < 0 else end].rstrip("\r")


def excerpt(text: str) -> str:
    """
    Show a piece of text in a message, shortened where it is long.

    Examples
    --------
    >>> excerpt("  budget: [6 ")
    '`budget: [6`'
    """
    text = text[: 4 * _LONGEST_EXCERPT].strip()
    if len(text) > _LONGEST_EXCERPT:
        text = text[: _LONGEST_EXCERPT - 3] + "..."
    return f"`{printable(text)}`"


def refuse(place: Place, what: str, fix: str) -> FormatError:
    """Make the error that says a file cannot be read at all."""
    return FormatError([issue_at(place, (), what, fix)])
