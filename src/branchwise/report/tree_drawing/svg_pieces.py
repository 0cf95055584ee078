"""SVG in small pieces: elements, text that others wrote, and coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from branchwise.report.tree_drawing.lettering import legible

__all__ = ["ACCENT", "FONTS", "INK", "LINE", "MUTED", "PAPER", "number", "tag", "text"]

FONTS: Final = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
)

# Colors stand in attributes, which every program that shows SVG understands. In a
# page, the style sheet overrides them by class.
PAPER: Final = "#ffffff"
INK: Final = "#1b2733"
MUTED: Final = "#5c6876"
LINE: Final = "#c3ccd6"
ACCENT: Final = "#0f766e"


def tag(name: str, attributes: Mapping[str, str], content: str = "") -> str:
    """Write an element; the content must be escaped already."""
    inside = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{inside}>{content}</{name}>" if content else f"<{name}{inside}/>"


def text(words: str) -> str:
    """
    Escape a text of any origin, line by line.

    Examples
    --------
    >>> text("a < b")
    'a &lt; b'
    """
    return escape("\n".join(legible(line) for line in words.split("\n")))


def number(coordinate: float) -> str:
    """Write a coordinate as short as the eye allows."""
    return f"{coordinate:.1f}".removesuffix(".0")
