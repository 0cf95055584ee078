"""Rendering: a solution, or a problem, to a file that people look at."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from branchwise.errors import FormatError, Issue, did_you_mean
from branchwise.formats.atomic import write_atomically
from branchwise.model.problem import Problem
from branchwise.report.answers.solution_json import solution_json
from branchwise.report.dependency_graph.picture import dependency_svg
from branchwise.report.dependency_graph.text import (
    dependency_dot,
    dependency_mermaid,
)
from branchwise.report.page.solution import solution_page
from branchwise.report.strongest_sets import strongest_sets
from branchwise.report.text.summary import solution_lines
from branchwise.report.tree_drawing.dot import solution_dot
from branchwise.report.tree_drawing.mermaid import solution_mermaid
from branchwise.report.tree_drawing.svg import solution_svg
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from branchwise.adversary.interdiction import Interdiction
    from branchwise.analysis.analyze import Analysis
    from branchwise.analysis.explanations.explanation import Explanation
    from branchwise.analysis.individuals.individuals import Profiles

    _Shown = Solution | Problem | Interdiction | Analysis | Explanation | Profiles

__all__ = ["ANALYSIS_FORMATS", "FORMATS", "PROBLEM_FORMATS", "render"]


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


_WRITERS: Final[Mapping[str, Callable[[Solution], str]]] = {
    "html": lambda solution: solution_page(
        solution, sets=strongest_sets(solution.problem)
    ),
    "svg": solution_svg,
    "dot": solution_dot,
    "gv": solution_dot,
    "mmd": solution_mermaid,
    "txt": lambda solution: _text(solution_lines(solution)),
    "json": solution_json,
}
_PROBLEM_WRITERS: Final[Mapping[str, Callable[[Problem], str]]] = {
    "svg": dependency_svg,
    "dot": dependency_dot,
    "gv": dependency_dot,
    "mmd": dependency_mermaid,
}

FORMATS: Final = tuple(_WRITERS)
"""How a solution can be written; each is the end of a file's name, too."""

PROBLEM_FORMATS: Final = tuple(_PROBLEM_WRITERS)
"""How the dependency graph of a problem can be written."""

ANALYSIS_FORMATS: Final = ("html", "txt", "json")
"""How an analysis, an explanation, or how to defend, can be written; profiles as
``csv``, too."""


def render(
    shown: _Shown,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """
    Write a solution, an analysis or another answer, or what a problem depends on.

    The file is written whole or not at all.

    Parameters
    ----------
    shown
        What to show.
    path
        Where to write it.
    format
        ``svg`` for a picture, ``dot`` or ``gv`` for Graphviz, ``mmd`` for Mermaid; of
        a solution also ``html`` for a page, ``txt`` for text, ``json`` for data, and of
        an analysis, explanation, interdiction or profiles only these; of profiles also
        ``csv``, with a row for each individual. The end of the file's name decides
        where it is not given.

    Raises
    ------
    FormatError
        There is no such format, or the file cannot be written.
    """
    wanted = format or Path(path).suffix.removeprefix(".").lower()
    known = _formats(shown)
    if wanted not in known:
        raise FormatError([_unknown(str(path), wanted, known)])
    write_atomically(path, _written(shown, wanted))


def _formats(shown: _Shown) -> tuple[str, ...]:
    if isinstance(shown, Solution):
        return FORMATS
    if isinstance(shown, Problem):
        return PROBLEM_FORMATS
    is_table = _noun(shown) == "profiles"
    return (*ANALYSIS_FORMATS, "csv") if is_table else ANALYSIS_FORMATS


def _written(shown: _Shown, wanted: str) -> str:
    if isinstance(shown, Solution):
        return _WRITERS[wanted](shown)
    if isinstance(shown, Problem):
        return _PROBLEM_WRITERS[wanted](shown)
    noun = _noun(shown)
    if wanted == "txt":
        return _text(_loaded(f"answers.{noun}_text", f"{noun}_lines")(shown))
    if wanted == "html":
        page = _loaded(f"page.{noun}", f"{noun}_page")
        known = {}
        if noun == "interdiction":
            known["sets"] = strongest_sets(cast("Interdiction", shown).reply.problem)
        return cast("str", page(shown, **known))
    written = f"{noun}_{wanted}"
    return cast("str", _loaded(f"answers.{written}", written)(shown))


def _noun(shown: Interdiction | Analysis | Explanation | Profiles) -> str:
    """Say what the files that write an answer are named after."""
    # Start-up is felt, so what few ask for is loaded only here.
    from branchwise.adversary.interdiction import Interdiction  # noqa: PLC0415
    from branchwise.analysis.explanations.explanation import Explanation  # noqa: PLC0415
    from branchwise.analysis.individuals.individuals import Profiles  # noqa: PLC0415

    for kind in (Interdiction, Explanation, Profiles):
        if isinstance(shown, kind):
            return kind.__name__.lower()
    return "analysis"


def _loaded(module: str, name: str) -> Callable[..., Any]:
    """Load the one writer that is wanted: start-up is felt, and few ask for others."""
    writer: Callable[..., Any] = getattr(
        import_module(f"branchwise.report.{module}"), name
    )
    return writer


def _unknown(path: str, wanted: str, formats: tuple[str, ...]) -> Issue:
    known = ", ".join(f"`.{name}`" for name in formats)
    fix = f"let the name end in one of {known}"
    if not wanted:
        return Issue(path, "the file's name does not tell what to write", fix)
    near = did_you_mean(f".{wanted}", [f".{name}" for name in formats])
    what = f"there is nothing to write to a `.{wanted}` file{near}"
    return Issue(path, what, fix, culprit=wanted)
