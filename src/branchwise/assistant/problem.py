"""The problem that a tool is about: a text that is sent, or a file of the folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from branchwise.assistant.arguments import Argument, ArgumentsError
from branchwise.errors import FormatError, Issue, ProblemError
from branchwise.formats.file_limits import LARGEST_FILE, check_size
from branchwise.formats.place import Place
from branchwise.formats.read import check_file, check_text
from branchwise.formats.source_text import refuse
from branchwise.formats.suffix import FOREIGN, FORMATS, has_constants
from branchwise.model.checks.validate import validate
from branchwise.model.problem import Problem

TEXT_FORMATS: Final = (*(each for each in FORMATS if each != "xlsx"), *FOREIGN)
"""What a problem that is sent may be written in."""

SOURCE: Final = "document"
"""What a text is called in messages."""

PROBLEM: Final = (
    Argument(
        "document",
        {
            "type": "string",
            "description": "The problem file as text. Give this or `path`.",
        },
    ),
    Argument(
        "format",
        {
            "type": "string",
            "enum": list(TEXT_FORMATS),
            "description": "What `document` is written in. Of other tools, NASim is "
            "`yaml`, Attack Flow and SilverDecisions `json`, ADTool `xml`.",
        },
        usual=TEXT_FORMATS[0],
    ),
    Argument(
        "path",
        {
            "type": "string",
            "description": "A problem file in the folder that the server works in, or "
            "below it: YAML, JSON, CSV, xlsx, or of another tool.",
        },
    ),
)
"""Arguments that say which problem."""

CHANGES: Final = (
    Argument(
        "budget",
        {
            "type": ["string", "number", "object"],
            "additionalProperties": {"type": ["string", "number"]},
            "description": "Another budget than the file's: a number, `unlimited`, or "
            "one for each resource.",
        },
    ),
    Argument(
        "parameters",
        {
            "type": "object",
            "additionalProperties": {"type": ["string", "number"]},
            "description": "Other values of named parameters; for a model of PRISM, "
            "the values of constants that it leaves open.",
        },
    ),
)
"""Arguments that change the problem."""

AFTER: Final = Argument(
    "after",
    {
        "type": "string",
        "description": "Begin where this leads: `scan=open, phish=fail`.",
    },
    usual="",
)


def read_problem(
    given: Mapping[str, Any],
) -> tuple[Problem | None, tuple[Issue, ...]]:
    """Read what is meant, without raising: the problem, if sound, and all issues."""
    document, path = given["document"], given["path"]
    if (document is None) == (path is None):
        what = "both are given" if path else "neither is given"
        fix = "give the text of a problem as `document`, or name its file by `path`"
        raise ArgumentsError.of("arguments `document` and `path`", what, fix)
    try:
        if path is None:
            check_size(SOURCE, len(document), LARGEST_FILE)
            constants = _constants(given)
            return check_text(document, given["format"], SOURCE, constants)
        return check_file(inside(path), _constants(given))
    except FormatError as error:
        return None, error.issues


def _constants(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the values of constants: parameters of what has no others."""
    is_open = has_constants(given["path"] or f".{given['format']}")
    return given.get("parameters") if is_open else None


def sound_problem(given: Mapping[str, Any]) -> tuple[Problem, tuple[Issue, ...]]:
    """Return the problem, changed as asked, and the warnings; raise its errors."""
    problem, issues = read_problem(given)
    if problem is None:
        raise FormatError([each for each in issues if each.severity == "error"])
    return _changed(problem, given), issues


def inside(path: str) -> Path:
    """
    Return a file of the folder that the server works in.

    Links are followed first: what they lead to has to be in the folder, too.
    """
    folder = Path.cwd()
    try:
        return (folder / path).resolve().relative_to(folder.resolve())
    except ValueError:  # Outside, or with a NUL in its name.
        what = "it is outside of the folder that may be read"
        fix = "give its text as `document`, or name a file in the folder"
    except (OSError, RuntimeError) as error:
        what, fix = f"the file cannot be found: {error}", "check the name"
    raise refuse(Place(path), what, fix)


def _changed(problem: Problem, given: Mapping[str, Any]) -> Problem:
    values, budget = given.get("parameters"), given.get("budget")
    if values and not _constants(given):
        with _named("argument `parameters`", "give only parameters of the problem"):
            problem = problem.with_parameters(values)
        errors = [each for each in validate(problem) if each.severity == "error"]
        if errors:
            raise ProblemError(errors)
    if budget is not None:
        with _named("argument `budget`", "give a limit that the problem can have"):
            problem = problem.with_budget(budget)
    return problem


@contextmanager
def _named(place: str, fix: str) -> Iterator[None]:
    """Say of a value that does not fit where it was given."""
    try:
        yield
    except ValueError as error:
        raise ArgumentsError.of(place, str(error), fix) from None
