"""A folder that holds the states of one problem, while one process works on them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import branchwise
import branchwise._core as core
from branchwise.errors import FormatError, SpillError
from branchwise.formats.atomic import write_atomically
from branchwise.formats.line_file import locked_file

_LABEL: Final = "spill.json"
_LOCK: Final = "lock"

_FIXES: Final = {
    "damaged": "remove it: what followed from it is then worked out again",
    "foreign": "name another folder, or remove this one",
    "unreadable": "let it be read, then start again: it goes on from what is finished",
    "unwritable": (
        "make room there, then start again with the same folder: it goes on from what "
        "is finished"
    ),
}
"""What to do about a file of each kind that the core complains of."""

_WHAT: Final = {
    "damaged": "the file is damaged: ",
    "foreign": "the file does not belong here: ",
    "unreadable": "the file cannot be read: ",
    "unwritable": "the file cannot be written: ",
}


@contextmanager
def in_our_words() -> Iterator[None]:
    """Turn what the core says of a file into an error in our words."""
    try:
        yield
    except core.SpillError as error:
        kind, path, what = error.args
        raise SpillError.of(path, f"{_WHAT[kind]}{what}", _FIXES[kind]) from None


@contextmanager
def state_folder(path: str | os.PathLike[str], digest: int) -> Iterator[Path]:
    """
    Have a folder for the states of the problem with this digest, for us alone.

    It is made if it is not there. Raises a `SpillError` where it cannot be had, or
    holds something else.
    """
    folder = Path(path).absolute()
    try:
        str(folder).encode()  # As the core wants it.
        folder.mkdir(exist_ok=True)
        lock = locked_file(folder / _LOCK)
    except BlockingIOError:
        what = "another process is at work in this folder"
        raise SpillError.of(path, what, "wait for it, or name another one") from None
    except (OSError, ValueError) as error:
        what = f"the folder cannot be used: {getattr(error, 'strerror', None) or error}"
        fix = "name a folder that can be made or written to"
        raise SpillError.of(path, what, fix) from None
    with lock:
        _check_label(folder, digest)
        yield folder


def _check_label(folder: Path, digest: int) -> None:
    """See whether the folder holds states of this problem, or nothing yet."""
    label = folder / _LABEL
    ours = {"version": branchwise.__version__, "digest": f"{digest:016x}"}
    try:
        text = label.read_text(encoding="utf-8")
    except FileNotFoundError:
        _check_empty(folder)
        try:
            write_atomically(label, json.dumps(ours) + "\n")
        except FormatError as error:
            raise SpillError(error.issues) from None
        return
    except (OSError, UnicodeDecodeError):
        text = ""
    try:
        found = json.loads(text)
        version, other = found["version"], found["digest"]
    except (ValueError, KeyError, TypeError):
        raise _foreign(label, "the file is no label of states") from None
    if version != ours["version"]:
        what = f"it holds states of branchwise {version}, and this is another version"
        raise _foreign(folder, what)
    if other != ours["digest"]:
        what = "it holds the states of another problem, or of other numbers in it"
        raise _foreign(folder, what)


def _check_empty(folder: Path) -> None:
    others = sorted(each.name for each in folder.iterdir() if each.name != _LOCK)
    if others:
        raise _foreign(folder, f"it holds other files, such as `{others[0]}`")


def _foreign(place: Path, what: str) -> SpillError:
    return SpillError.of(place, what, _FIXES["foreign"])
