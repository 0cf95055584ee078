"""Rendering: a solution, or a problem, to a file that people look at."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from branchwise.adversary.interdiction import Interdiction
from branchwise.errors import FormatError, Issue, did_you_mean
from branchwise.formats.atomic import write_atomically
from branchwise.model.problem import Problem
from branchwise.report.dependency_picture import dependency_svg
from branchwise.report.dependency_text import dependency_dot, dependency_mermaid
from branchwise.report.dot import solution_dot
from branchwise.report.html import solution_html
from branchwise.report.interdiction_html import interdiction_html
from branchwise.report.interdiction_json import interdiction_json
from branchwise.report.interdiction_text import interdiction_lines
from branchwise.report.mermaid import solution_mermaid
from branchwise.report.solution_json import solution_json
from branchwise.report.summary import solution_lines
from branchwise.report.svg import solution_svg
from branchwise.tree.solution import Solution

__all__ = ["FORMATS", "PROBLEM_FORMATS", "render"]


def _text(solution: Solution) -> str:
    return "\n".join(solution_lines(solution)) + "\n"


def _interdiction_text(interdiction: Interdiction) -> str:
    return "\n".join(interdiction_lines(interdiction)) + "\n"


_WRITERS: Final[Mapping[str, Callable[[Solution], str]]] = {
    "html": solution_html,
    "svg": solution_svg,
    "dot": solution_dot,
    "gv": solution_dot,
    "mmd": solution_mermaid,
    "txt": _text,
    "json": solution_json,
}
_PROBLEM_WRITERS: Final[Mapping[str, Callable[[Problem], str]]] = {
    "svg": dependency_svg,
    "dot": dependency_dot,
    "gv": dependency_dot,
    "mmd": dependency_mermaid,
}
_INTERDICTION_WRITERS: Final[Mapping[str, Callable[[Interdiction], str]]] = {
    "html": interdiction_html,
    "txt": _interdiction_text,
    "json": interdiction_json,
}

FORMATS: Final = tuple(_WRITERS)
"""How a solution can be written; each is the end of a file's name, too."""

PROBLEM_FORMATS: Final = tuple(_PROBLEM_WRITERS)
"""How the dependency graph of a problem can be written."""


def render(
    shown: Solution | Problem | Interdiction,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """
    Write a solution, the dependency graph of a problem, or how to defend, to a file.

    The file is written whole or not at all.

    Parameters
    ----------
    shown
        What to show.
    path
        Where to write it.
    format
        ``svg`` for a picture, ``dot`` or ``gv`` for Graphviz, ``mmd`` for Mermaid; of
        a solution also ``html`` for a page, ``txt`` for text, ``json`` for data, and
        of an interdiction only these. The end of the file's name decides where it is
        not given.

    Raises
    ------
    FormatError
        There is no such format, or the file cannot be written.
    """
    wanted = format or Path(path).suffix.removeprefix(".").lower()
    known = FORMATS if isinstance(shown, Solution) else PROBLEM_FORMATS
    if isinstance(shown, Interdiction):
        known = tuple(_INTERDICTION_WRITERS)
    if wanted not in known:
        raise FormatError([_unknown(str(path), wanted, known)])
    if isinstance(shown, Solution):
        write_atomically(path, _WRITERS[wanted](shown))
    elif isinstance(shown, Interdiction):
        write_atomically(path, _INTERDICTION_WRITERS[wanted](shown))
    else:
        write_atomically(path, _PROBLEM_WRITERS[wanted](shown))


def _unknown(path: str, wanted: str, formats: tuple[str, ...]) -> Issue:
    known = ", ".join(f"`.{name}`" for name in formats)
    fix = f"let the name end in one of {known}"
    if not wanted:
        return Issue(path, "the file's name does not tell what to write", fix)
    near = did_you_mean(f".{wanted}", [f".{name}" for name in formats])
    what = f"there is nothing to write to a `.{wanted}` file{near}"
    return Issue(path, what, fix, culprit=wanted)
