"""The DOT language of Graphviz in small pieces: names, attributes, statements."""

from __future__ import annotations

from collections.abc import Mapping

from branchwise.report.lettering import legible

__all__ = ["attributes", "quoted_text"]


def quoted_text(text: str) -> str:
    r"""
    Write a text of any origin so that Graphviz shows it as it is, line by line.

    Backslashes would start an escape, ampersands an HTML entity.

    Examples
    --------
    >>> print(quoted_text('say "no"'), quoted_text("two\nlines"), quoted_text("&lt;"))
    "say \"no\"" "two\nlines" "&amp;lt;"
    """
    lines = (legible(line) for line in text.split("\n"))
    safe = (
        line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
        for line in lines
    )
    return '"{}"'.format("\\n".join(safe))


def attributes(pairs: Mapping[str, str]) -> str:
    """
    Write attributes, the values as text of any origin.

    Examples
    --------
    >>> print(attributes({"shape": "box", "label": "drill"}))
    [shape="box", label="drill"]
    """
    inside = ", ".join(f"{key}={quoted_text(text)}" for key, text in pairs.items())
    return f"[{inside}]"
