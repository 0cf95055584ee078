"""A file's bytes, or what keeps us from them."""

from __future__ import annotations

import os
import stat
import sys
from itertools import islice
from pathlib import Path
from typing import Final

from branchwise.errors import FormatError, did_you_mean
from branchwise.formats.nodes import Place
from branchwise.formats.source_text import refuse

__all__ = ["LARGEST_FILE", "STANDARD_INPUT", "file_bytes"]

LARGEST_FILE: Final = 64 * 2**20
STANDARD_INPUT: Final = "-"

_MOST_NEIGHBORS = 10_000


def file_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a regular file of a reasonable size; ``-`` is the standard input."""
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return _limited("standard input", sys.stdin.buffer.read(LARGEST_FILE + 1))
    try:
        # Opening a pipe would wait, and a device may have no end: look first.
        status = Path(name).stat()
        if not stat.S_ISREG(status.st_mode):
            raise _not_regular(name, status.st_mode)
        _check_size(name, status.st_size)
        with Path(name).open("rb") as file:
            return _limited(name, file.read(LARGEST_FILE + 1))
    except FormatError:
        raise
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(name) from None
    except (OSError, ValueError) as error:  # A NUL in the name is a ValueError.
        reason = getattr(error, "strerror", None) or str(error)
        fix = "check its name and permissions"
        raise refuse(Place(name), f"the file cannot be read: {reason}", fix) from error


def _limited(name: str, data: bytes) -> bytes:
    _check_size(name, len(data))
    return data


def _check_size(name: str, size: int) -> None:
    if size > LARGEST_FILE:
        most = LARGEST_FILE // 2**20
        what = f"the file has more than {most} MB, which no problem needs"
        raise refuse(Place(name), what, "check that this is the file you mean")


def _not_regular(name: str, mode: int) -> FormatError:
    if not stat.S_ISDIR(mode):
        what = "this is a device or a pipe, not a file"
        return refuse(Place(name), what, "save what it gives to a file first")
    endings = (".yaml", ".yml", ".json", ".csv", ".xlsx")
    files = [n for n in _names_in(Path(name)) if n.lower().endswith(endings)]
    example = str(Path(name) / min(files, default="problem.yaml"))
    return refuse(Place(name), "this is a folder", f"name a file in it: `{example}`")


def _missing(name: str) -> FormatError:
    folder = Path(name).parent
    if not folder.is_dir():
        what = f"there is no folder `{folder}`"
        return refuse(Place(name), what, "check the path")
    near = did_you_mean(Path(name).name, _names_in(folder))
    fix = "check the name"
    if near:
        found = near.split("`")[1]
        fix = f"write `{folder / found}`"
    return refuse(Place(name), f"there is no such file{near}", fix)


def _names_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, _MOST_NEIGHBORS)]
    except OSError:
        return []
