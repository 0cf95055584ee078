"""The DOT language of Graphviz in small pieces: names, attributes, statements."""

from __future__ import annotations

from collections.abc import Mapping

from branchwise.report.tree_drawing.lettering import legible

__all__ = ["quoted_text", "statement"]


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


def statement(subject: str, attributes: Mapping[str, str]) -> str:
    """
    Write a statement; the values of its attributes are text of any origin.

    Examples
    --------
    >>> print(statement("n0", {"shape": "box", "label": "drill"}))
      n0 [shape="box", label="drill"];
    >>> print(statement("n0 -> n1", {}))
      n0 -> n1;
    """
    pairs = (f"{key}={quoted_text(text)}" for key, text in attributes.items())
    inside = ", ".join(pairs)
    return f"  {subject} [{inside}];" if inside else f"  {subject};"
