"""The language of Mermaid in small pieces: text that stays text, and a heading."""

from __future__ import annotations

import json
import re
from typing import Final

from branchwise.report.tree_drawing.lettering import legible

__all__ = ["heading", "quoted_text"]

# Mermaid takes a label for HTML and for Markdown, and has marks of its own; so any
# ASCII sign that is not known to be harmless is written as a number.
_RISKY: Final = re.compile(r"[!-/:-@\[-`{-~]")
_HARMLESS: Final = re.compile(r"(?<=\d)[.,](?=\d)|(?<= )%|,(?= )")


def quoted_text(text: str) -> str:
    r"""
    Write a text of any origin so that Mermaid shows it as it is, line by line.

    Examples
    --------
    >>> print(quoted_text("ok, 37.5 %"), quoted_text("<b>"), quoted_text("1. a\nb"))
    "ok, 37.5 %" "#60;b#62;" "1#46; a<br>b"
    """
    lines = "<br>".join(map(_escaped, text.split("\n")))
    return f'"{lines or " "}"'  # It cannot read a label without anything in it.


def _escaped(line: str) -> str:
    plain = legible(line)
    kept = {match.start() for match in _HARMLESS.finditer(plain)}
    return "".join(
        f"#{ord(sign)};" if _RISKY.match(sign) and place not in kept else sign
        for place, sign in enumerate(plain)
    )


def heading(title: str) -> list[str]:
    """Give the lines that name a picture; a title of any origin, or none."""
    name = legible(title)
    return ["---", f"title: {json.dumps(name)}", "---"] if name else []
