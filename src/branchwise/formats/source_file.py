"""A file's bytes, or what keeps us from them."""

import os
import stat
import sys
from itertools import islice
from pathlib import Path
from typing import Final

from branchwise.errors import FormatError, did_you_mean
from branchwise.formats.file_limits import LARGEST_FILE, check_size
from branchwise.formats.place import Place
from branchwise.formats.source_text import refuse

STANDARD_INPUT: Final = "-"

_MOST_NEIGHBORS = 10_000
_MOST_FOLDERS = 100
_ENDINGS = (".yaml", ".yml", ".json", ".csv", ".xlsx")
# A pipe that takes the place of a file between two looks must not make us wait.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def file_bytes(path: str | os.PathLike[str], largest: int = LARGEST_FILE) -> bytes:
    """
    Read a regular file of a reasonable size; ``-`` is the standard input.

    Every verb reads its files through this, whatever they hold.
    """
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return _standard_input(largest)
    try:
        # Opening a device may do something by itself: look first.
        check_ordinary(name, largest)
        with os.fdopen(os.open(name, _READING), "rb") as file:
            _check_status(name, os.fstat(file.fileno()), largest)
            data = file.read(largest + 1)
    except FormatError:
        raise
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(name) from None
    except (OSError, ValueError) as error:  # A NUL in the name is a ValueError.
        raise _unreadable(name, error) from error
    check_size(name, len(data), largest)
    return data


def check_ordinary(path: str | os.PathLike[str], largest: int) -> None:
    """Refuse a folder, a device, a pipe and what is too large, without opening it."""
    name = os.fspath(path)
    _check_status(name, Path(name).stat(), largest)


def _check_status(name: str, status: os.stat_result, largest: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise _not_regular(name, status.st_mode)
    check_size(name, status.st_size, largest)


def _standard_input(largest: int) -> bytes:
    name = "standard input"
    if sys.stdin is None:
        what = "there is no standard input"
        raise refuse(Place(name), what, "name a file, or pipe one in")
    try:
        data = sys.stdin.buffer.read(largest + 1)
    except OSError as error:
        raise _unreadable(name, error) from error
    check_size(name, len(data), largest)
    return data


def _unreadable(name: str, error: OSError | ValueError) -> FormatError:
    reason = getattr(error, "strerror", None) or str(error)
    fix = "check its name and permissions"
    return refuse(Place(name), f"the file cannot be read: {reason}", fix)


def _not_regular(name: str, mode: int) -> FormatError:
    if not stat.S_ISDIR(mode):
        what = "this is a device or a pipe, not a file"
        return refuse(Place(name), what, "save what it gives to a file first")
    files = [n for n in _names_in(Path(name)) if n.lower().endswith(_ENDINGS)]
    example = str(Path(name) / min(files, default="problem.yaml"))
    return refuse(Place(name), "this is a folder", f"name a file in it: `{example}`")


def _missing(name: str) -> FormatError:
    path = Path(name)
    if not path.parent.is_dir():
        return _no_folder(path)
    near = _near(path)
    fix = "check the name" if near is None else f"write `{near}`"
    hint = ""
    if near is not None:
        shown = near.name if near.parent == path.parent else near
        hint = f"; did you mean `{shown}`?"
    return refuse(Place(name), f"there is no such file{hint}", fix)


def _near(path: Path) -> Path | None:
    """Return the file that was meant: of this name and more, alike, or further down."""
    folder = path.parent
    names = _names_in(folder)
    # `examples/oil` for `examples/oil.yaml`, whatever else is called oil.
    for ending in _ENDINGS:
        if not path.suffix and f"{path.name}{ending}" in names:
            return folder / f"{path.name}{ending}"
    if near := did_you_mean(path.name, names):
        return folder / near.split("`")[1]
    below = (folder / each / path.name for each in sorted(names)[:_MOST_FOLDERS])
    return next((each for each in below if each.is_file()), None)


def _no_folder(path: Path) -> FormatError:
    folder = path.parent
    what, fix = f"there is no folder `{folder}`", "check the path"
    if folder.parent.is_dir() and (
        near := did_you_mean(folder.name, _names_in(folder.parent))
    ):
        meant = folder.parent / near.split("`")[1]
        what, fix = f"{what}{near}", f"write `{meant / path.name}`"
    return refuse(Place(str(path)), what, fix)


def _names_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, _MOST_NEIGHBORS)]
    except OSError:
        return []
