"""SVG in small pieces: elements, text that others wrote, and coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Final

from branchwise.report.tree_drawing.lettering import legible

_FONTS: Final = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
)


class Color(StrEnum):
    """
    Colors stand in attributes, which every program that shows SVG understands.

    In a page, the style sheet overrides them by class.
    """

    PAPER = "#ffffff"
    INK = "#1b2733"
    MUTED = "#5c6876"
    LINE = "#c3ccd6"
    ACCENT = "#0f766e"


NODE_SIZE: Final = 14.0  # the font size of names in nodes
WORTH_SIZE: Final = 10.5  # ... of the value of a decision, below its name
LABEL_SIZE: Final = 12.0  # ... beside edges and below names


@dataclass(frozen=True, slots=True)
class Picture:
    """What a picture is of, and how large."""

    width: float
    height: float
    title: str
    description: str
    name: str  # what its ids begin with; another one for each picture of a page
    style: str  # its class in a page

    def svg(self, body: Iterable[str]) -> str:
        """Return the picture as SVG, on paper and in fonts of our own."""
        width, height = number(self.width), number(self.height)
        attributes = {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": self.style,
            "width": width,
            "height": height,
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "aria-labelledby": f"{self.name}-title {self.name}-desc",
            "font-family": _FONTS,
            "font-size": f"{NODE_SIZE:g}",
        }
        paper = {
            "width": "100%",
            "height": "100%",
            "fill": Color.PAPER,
            "class": "bw-paper",
        }
        content = [
            tag("title", {"id": f"{self.name}-title"}, text(self.title)),
            tag("desc", {"id": f"{self.name}-desc"}, text(self.description)),
            tag("rect", paper),
            *body,
        ]
        return tag("svg", attributes, "\n{}\n".format("\n".join(content))) + "\n"


def tag(name: str, attributes: Mapping[str, str], content: str = "") -> str:
    """Write an element; the content must be escaped already."""
    inside = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{inside}>{content}</{name}>" if content else f"<{name}{inside}/>"


def text(words: str) -> str:
    """
    Escape a text of any origin, line by line.

    >>> text("a < b")
    'a &lt; b'
    """
    return escape("\n".join(legible(line) for line in words.split("\n")))


def number(coordinate: float) -> str:
    """Write a coordinate as short as the eye allows."""
    return f"{coordinate:.1f}".removesuffix(".0")
