"""Rendering: a solution to a file that people look at."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from branchwise.errors import FormatError, Issue, did_you_mean
from branchwise.formats.atomic import write_atomically
from branchwise.report.dot import solution_dot
from branchwise.report.html import solution_html
from branchwise.report.mermaid import solution_mermaid
from branchwise.report.solution_json import solution_json
from branchwise.report.summary import solution_lines
from branchwise.report.svg import solution_svg
from branchwise.tree.solution import Solution

__all__ = ["FORMATS", "render"]


def _text(solution: Solution) -> str:
    return "\n".join(solution_lines(solution)) + "\n"


_WRITERS: Final[Mapping[str, Callable[[Solution], str]]] = {
    "html": solution_html,
    "svg": solution_svg,
    "dot": solution_dot,
    "gv": solution_dot,
    "mmd": solution_mermaid,
    "txt": _text,
    "json": solution_json,
}

FORMATS: Final = tuple(_WRITERS)
"""What `render` can write; each is the end of a file's name, too."""


def render(
    solution: Solution,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """
    Write a solution to a file, whole or not at all.

    Parameters
    ----------
    solution
        What to show.
    path
        Where to write it.
    format
        ``html`` for a page, ``svg`` for a picture of the tree, ``dot`` or ``gv`` for
        Graphviz, ``mmd`` for Mermaid, ``txt`` for text, ``json`` for data; the end of
        the file's name decides where it is not given.

    Raises
    ------
    FormatError
        There is no such format, or the file cannot be written.
    """
    wanted = format or Path(path).suffix.removeprefix(".").lower()
    if wanted not in _WRITERS:
        raise FormatError([_unknown(str(path), wanted)])
    write_atomically(path, _WRITERS[wanted](solution))


def _unknown(path: str, wanted: str) -> Issue:
    known = ", ".join(f"`.{name}`" for name in FORMATS)
    fix = f"let the name end in one of {known}"
    if not wanted:
        return Issue(path, "the file's name does not tell what to write", fix)
    near = did_you_mean(f".{wanted}", [f".{name}" for name in FORMATS])
    what = f"there is nothing to write to a `.{wanted}` file{near}"
    return Issue(path, what, fix, culprit=wanted)
