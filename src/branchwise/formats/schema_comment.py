"""Problem files that tell editors their schema, by a comment."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from branchwise.formats.atomic import write_atomically
from branchwise.formats.place import Place
from branchwise.formats.problem_schema import problem_schema
from branchwise.formats.source_text import refuse
from branchwise.formats.suffix import format_of
from branchwise.formats.write import write_text
from branchwise.model.problem import Problem

SCHEMA_FILE: Final = "branchwise.schema.json"

# The language server of most editors reads the first, those of JetBrains the second.
_COMMENT: Final = f"""\
# yaml-language-server: $schema={SCHEMA_FILE}
# $schema: ./{SCHEMA_FILE}
"""


def write_with_schema(
    problem: Problem, path: str | os.PathLike[str], comment: Sequence[str] = ()
) -> None:
    """
    Write a problem file that tells editors its schema, and the schema beside it.

    Parameters
    ----------
    problem
        What to write; it must not contradict itself.
    path
        A file whose name ends in ``.yaml`` or ``.yml``; others have no comments.
    comment
        Lines that a reader is to find below that.

    Raises
    ------
    FormatError
        The file is no YAML file, or cannot be written; or beside it stands something
        else by the name of the schema.
    """
    if format_of(os.fspath(path), is_written=True) != "yaml":
        what = "a schema is told by a comment, and only YAML has comments"
        raise refuse(Place(str(path)), what, "let the name end in `.yaml`")
    text = _COMMENT + write_text(problem, "yaml", comment)
    schema = Path(path).parent / SCHEMA_FILE
    if not _is_ours(schema):
        what = "there is another file of this name, which would be lost"
        raise refuse(Place(str(schema)), what, "call it by another name first")
    write_atomically(schema, json.dumps(problem_schema(), indent=2) + "\n")
    write_atomically(path, text)


def _is_ours(path: Path) -> bool:
    """Whether nothing is lost where a file is written over: it is an older schema."""
    if not path.exists():
        return True
    try:
        known = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(known, dict) and known.get("$id") == problem_schema()["$id"]
