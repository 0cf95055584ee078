"""Writing problem files: YAML, JSON, tables, and models for PRISM."""

import os
from collections.abc import Sequence
from pathlib import Path

from branchwise.formats.atomic import cannot_write, write_atomically
from branchwise.formats.comments import COMMENTED
from branchwise.formats.comments import comment as comment_text
from branchwise.formats.document.syntax.json_text import json_text
from branchwise.formats.document.syntax.yaml_text import yaml_text
from branchwise.formats.suffix import format_of, known_format
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem


def write(
    problem: Problem, path: str | os.PathLike[str], comment: Sequence[str] = ()
) -> None:
    """
    Write a problem file, whole or not at all.

    Parameters
    ----------
    problem
        What to write; it must not contradict itself.
    path
        A file whose name ends in ``.yaml``, ``.yml``, ``.json``, ``.csv`` or
        ``.xlsx``; or in ``.prism``, for PRISM and Storm, or ``.stix.json``, for Attack
        Flow.
    comment
        Lines that a reader is to find at the top; YAML and PRISM have comments.
    """
    format_ = format_of(os.fspath(path), is_written=True)
    if format_ != "xlsx":
        write_atomically(path, write_text(problem, format_, comment))
        return
    _check_comment(comment, format_)
    from branchwise.formats.table.table_text import xlsx_bytes  # noqa: PLC0415

    try:
        data = xlsx_bytes(checked(problem))
    except OSError as error:  # A workbook is put together in files of its own.
        raise cannot_write(Path(path), error) from error
    write_atomically(path, data)


def write_text(
    problem: Problem,
    format: str = "yaml",  # noqa: A002
    comment: Sequence[str] = (),
) -> str:
    """
    Return the text of a problem file, with a comment where the format has any.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> problem = Problem([Action("drill", outcomes={"oil": 0.2, "dry": "rest"})])
    >>> print(write_text(problem), end="")
    actions:
      drill:
        outcomes: {oil: 0.2, dry: 0.8}
    """
    checked(problem)
    format_ = known_format(format, is_written=True)
    _check_comment(comment, format_)
    text = _text(problem, format_)
    if not comment:
        return text
    said = comment_text(comment, format_)
    # What PRISM is told stands in the first lines of a model, as comments too.
    return said + text if format_ == "yaml" else _after_comments(text, said)


def _check_comment(comment: Sequence[str], format_: str) -> None:
    if comment and format_ not in COMMENTED:
        known = ", ".join(COMMENTED)
        raise ValueError(f"{format_} has no comments; write one of {known}")


def _after_comments(text: str, said: str) -> str:
    head, blank, rest = text.partition("\n\n")
    return f"{head}\n//\n{said.rstrip()}{blank}{rest}"


def _text(problem: Problem, format_: str) -> str:
    if format_ == "yaml":
        return yaml_text(problem)
    if format_ == "json":
        return json_text(problem)
    if format_ == "xlsx":
        raise ValueError("xlsx is not text; use `write` with a file name")
    if format_ == "prism":
        from branchwise.formats.prism.prism import prism_text  # noqa: PLC0415

        return prism_text(problem)
    if format_ == "stix":
        from branchwise.formats.foreign.attack_flow_text import attack_flow_text  # noqa: PLC0415

        return attack_flow_text(problem)
    from branchwise.formats.table.table_text import csv_text  # noqa: PLC0415

    return csv_text(problem)
