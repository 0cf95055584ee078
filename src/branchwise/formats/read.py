"""Reading problem files: YAML, JSON and tables."""

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from branchwise.errors import FormatError, Issue, ProblemError
from branchwise.formats.document.build import Reading, build
from branchwise.formats.document.nodes import Node
from branchwise.formats.file_limits import DEEPEST_TREE, check_marks
from branchwise.formats.foreign.recognize import (
    TREE,
    foreign_file,
    foreign_nodes,
    may_be_a_tree,
    recognized,
)
from branchwise.formats.place import Place
from branchwise.formats.source_file import STANDARD_INPUT, file_bytes
from branchwise.formats.source_text import decode, refuse
from branchwise.formats.suffix import FOREIGN, Format, format_of, known_format
from branchwise.model.arguments import a_kind, a_path
from branchwise.model.numbers.number import Number
from branchwise.model.problem import Problem

_Constants = Mapping[str, Number | bool] | None

_LARGE_FILE = 50_000
"""Bytes. Of less there are too few objects for Python to look for garbage often."""


@contextmanager
def uncollected() -> Iterator[None]:
    """
    Keep Python from looking for circular garbage for a while.

    It looks whenever there are many new objects, and a large file is nothing else: a
    third of the time to read one. There is no garbage of this kind to find meanwhile.
    What is there in the end counts as old, or the first look afterwards would be at
    all of it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # Else others keep something out of sight.
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()


def read(
    path: str | os.PathLike[str],
    constants: Mapping[str, Number | bool] | None = None,
) -> Problem:
    """
    Read a problem file.

    Parameters
    ----------
    path
        A file whose name ends in ``.yaml``, ``.yml``, ``.json``, ``.csv`` or
        ``.xlsx``, or a file of another tool; ``-`` reads YAML from the standard input.
    constants
        Values of constants that a model for PRISM leaves open: ``{"N": 3}``.

    Raises
    ------
    FormatError
        The file cannot be read; the error lists everything wrong with it.
    ProblemError
        The file can be read, but what it says contradicts itself.
    """
    a_path("what to read", path)
    return _problem(_read_file(path, constants, warn=False))


def read_text(
    text: str,
    format: str = "yaml",  # noqa: A002
    constants: Mapping[str, Number | bool] | None = None,
) -> Problem:
    """
    Read a problem from text.

    Examples
    --------
    >>> read_text("actions: {drill: {outcomes: {oil: 1}}}").actions[0].name
    'drill'
    """
    a_kind("a problem in text", text, str, "give its text, or `read(path)` a file")
    data = text.encode("utf-8", "surrogatepass")
    return _problem(_reading(data, "text", format, constants, warn=False))


def check_file(
    path: str | os.PathLike[str],
    constants: Mapping[str, Number | bool] | None = None,
) -> tuple[Problem | None, tuple[Issue, ...]]:
    """Read a problem file without raising: the problem, if sound, and all issues."""
    try:
        reading = _read_file(path, constants, warn=True)
    except FormatError as error:
        return None, error.issues
    return _sound(reading), reading.issues


def check_text(
    text: str,
    format: str = "yaml",  # noqa: A002
    source: str = "text",
    constants: Mapping[str, Number | bool] | None = None,
) -> tuple[Problem | None, tuple[Issue, ...]]:
    """
    Read a problem from text without raising: the problem, if sound, and all issues.

    Examples
    --------
    >>> problem, issues = check_text("actions: {drill: {outcomes: {oil: 0.4}}}")
    >>> problem is None, issues[0].what
    (True, 'the only outcome has probability 0.4, not 1')
    """
    data = text.encode("utf-8", "surrogatepass")
    try:
        reading = _reading(data, source, format, constants, warn=True)
    except FormatError as error:
        return None, error.issues
    return _sound(reading), reading.issues


def _sound(reading: Reading) -> Problem | None:
    return None if reading.has_errors else reading.problem


def _problem(reading: Reading) -> Problem:
    errors = [issue for issue in reading.issues if issue.severity == "error"]
    if reading.problem is None:
        raise FormatError(errors)
    if errors:
        raise ProblemError(errors)
    return reading.problem


def _read_file(
    path: str | os.PathLike[str], constants: _Constants, *, warn: bool
) -> Reading:
    name = os.fspath(path)
    data = file_bytes(path)
    if name == STANDARD_INPUT:
        return _reading(data, "standard input", "yaml", constants, warn=warn)
    return _reading(data, name, format_of(name), constants, warn=warn)


def _reading(
    data: bytes, source: str, name: str, constants: _Constants, *, warn: bool
) -> Reading:
    format_ = known_format(name)
    if constants and format_ != "prism":
        what = "constants are given, which only models for PRISM have"
        fix = "change named parameters: `problem.with_parameters(...)`"
        raise refuse(Place(source), what, fix)
    with uncollected() if len(data) > _LARGE_FILE else nullcontext():
        if format_ in FOREIGN:
            root, issues = foreign_file(format_, data, source, constants)
            return build(root, source, issues, warn=False)
        root, issues = _nodes(data, source, format_)
        if format_ in ("json", "yaml"):
            return _document(root, source, issues, warn=warn)
        reading = build(root, source, issues, warn=warn)
    from branchwise.formats.table.table_fixes import worded_for_cells  # noqa: PLC0415

    return replace(reading, issues=tuple(map(worded_for_cells, reading.issues)))


def _document(root: Node, source: str, issues: list[Issue], *, warn: bool) -> Reading:
    """Read a document of ours, or one of another tool."""
    module = recognized(root)
    if module is None or issues:
        return build(root, source, issues, warn=warn)
    # What might be doubtful in a problem of ours cannot be changed in their file.
    root, issues = foreign_nodes(module, root, source)
    return build(root, source, issues, warn=False)


def document_nodes(data: bytes, source: str, name: str) -> tuple[Node, list[Issue]]:
    """Return the text, lists and maps of a YAML or JSON file, and what is wrong."""
    format_ = known_format(name)
    if format_ not in ("json", "yaml"):
        fix = "write it as YAML, in a file whose name ends in `.yaml`"
        raise refuse(Place(source), f"`.{format_}` is no such document", fix)
    return _nodes(data, source, format_)


def _nodes(data: bytes, source: str, format_: Format) -> tuple[Node, list[Issue]]:
    if format_ != "xlsx":
        check_marks(source, data)
    # What loads a library is imported only where it is needed: start-up is felt.
    if format_ == "json":
        return _json_nodes(decode(data, source), source)
    if format_ == "yaml":
        return _yaml_nodes(decode(data, source), source)
    from branchwise.formats.table.tables import (  # noqa: PLC0415
        table_nodes_from_csv,
        table_nodes_from_xlsx,
    )

    table = table_nodes_from_csv if format_ == "csv" else table_nodes_from_xlsx
    return table(data, source)


def _json_nodes(text: str, source: str) -> tuple[Node, list[Issue]]:
    """Read JSON; only trees of decisions may be deep, as the others are never."""
    from branchwise.formats.document.syntax.json_document import json_nodes  # noqa: PLC0415

    if may_be_a_tree(text):
        found = json_nodes(text, source, DEEPEST_TREE)
        if recognized(found[0]) == TREE:
            return found
    return json_nodes(text, source)


def _yaml_nodes(text: str, source: str) -> tuple[Node, list[Issue]]:
    """Read what is plain line by line; PyYAML takes longer to load than most files."""
    from branchwise.formats.document.syntax.yaml_lines import line_nodes  # noqa: PLC0415

    plain = line_nodes(text, source)
    if plain is not None:
        return plain, []
    from branchwise.formats.document.syntax.yaml_document import yaml_nodes  # noqa: PLC0415

    return yaml_nodes(text, source)
