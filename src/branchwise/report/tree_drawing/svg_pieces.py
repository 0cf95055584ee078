"""SVG in small pieces: elements, text that others wrote, and coordinates."""

from collections.abc import Iterable, Mapping
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
COST_SIZE: Final = 10.5  # ... of costs below edges
LABEL_SIZE: Final = 12.0  # ... beside edges and below names


def picture_svg(
    size: tuple[float, float],
    title: str,
    description: str,
    body: Iterable[str],
    *,
    name: str,
    style: str,
) -> str:
    """
    Return a picture on paper and in fonts of our own; described for who cannot see it.

    Its ids begin with a name, another one for each picture of a page; the style is its
    class there.
    """
    width, height = map(number, size)
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": style,
        "width": width,
        "height": height,
        "viewBox": f"0 0 {width} {height}",
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-desc",
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
        tag("title", {"id": f"{name}-title"}, text(title)),
        tag("desc", {"id": f"{name}-desc"}, text(description)),
        tag("rect", paper),
        *body,
    ]
    return tag("svg", attributes, "\n{}\n".format("\n".join(content))) + "\n"


def tag(name: str, attributes: Mapping[str, str], content: str = "") -> str:
    """Write an element; the content must be escaped already."""
    inside = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{inside}>{content}</{name}>" if content else f"<{name}{inside}/>"


def text(words: str) -> str:
    """Escape a text of any origin, line by line."""
    return escape("\n".join(legible(line) for line in words.split("\n")))


def number(coordinate: float) -> str:
    """Write a coordinate as short as the eye allows."""
    return f"{coordinate:.1f}".removesuffix(".0")
