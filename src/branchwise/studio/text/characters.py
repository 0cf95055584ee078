"""Characters as the page counts them, and as the file has them."""

from __future__ import annotations

_LONG_END = "\r\n"


def offset_in_page(text: str, offset: int) -> int:
    r"""
    Return where a character stands in the page.

    There every line ends in one character, and what lies outside of the basic plane of
    Unicode counts as two.

    >>> offset_in_page("a\\r\\n😀b", 4)
    4
    """
    before = text[:offset]
    if before.isascii() and _LONG_END not in before:
        return offset
    return len(before.replace(_LONG_END, "\n").encode("utf-16-le")) // 2


def with_page_text(text: str, shown: str) -> str:
    r"""
    Return a text as the page has changed it, where what it did not touch is as it was.

    >>> with_page_text("a: 1\r\nb: 2\nc: 3\r\n", "a: 1\nb: 2\nc: 4\n")
    'a: 1\r\nb: 2\nc: 4\r\n'
    """
    if _LONG_END not in text:
        return shown
    plain = text.replace(_LONG_END, "\n")
    start, most = 0, min(len(plain), len(shown))
    while start < most and plain[start] == shown[start]:
        start += 1
    tail = 0
    while tail < most - start and plain[-1 - tail] == shown[-1 - tail]:
        tail += 1
    new = shown[start : len(shown) - tail].replace("\n", _LONG_END)
    end = len(plain) - tail
    return text[: _raw(text, start)] + new + text[_raw(text, end) :]


def _raw(text: str, offset: int) -> int:
    """Return where in the file a character of the plain text stands."""
    raw = 0
    for _ in range(offset):
        raw += 2 if text.startswith(_LONG_END, raw) else 1
    return raw
