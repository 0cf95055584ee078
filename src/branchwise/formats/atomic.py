"""Writing files whole or not at all."""

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from branchwise.errors import FormatError
from branchwise.formats.place import Place
from branchwise.formats.source_text import refuse

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(path: str | os.PathLike[str], data: bytes | str) -> None:
    """
    Write a file so that half of it is never seen.

    The data goes to a new file in the same folder, which then takes the place of
    the old one. If anything fails, the old file stays as it was.
    """
    target = Path(path)
    content = data.encode() if isinstance(data, str) else data
    try:
        status = target.stat() if target.exists() else None
        if status is not None and stat.S_ISDIR(status.st_mode):
            name = f"{target / 'problem.yaml'}"
            raise refuse(Place(str(path)), "this is a folder", f"name a file: `{name}`")
        if status is not None and not stat.S_ISREG(status.st_mode):
            target.write_bytes(content)  # A pipe or a terminal has nothing to replace.
            return
        _replace(Path(os.path.realpath(target)), content, status)
    except FormatError:
        raise
    except (OSError, ValueError) as error:  # A NUL in the name is a ValueError.
        raise cannot_write(target, error) from error


def cannot_write(target: Path, error: OSError | ValueError) -> FormatError:
    """Make the error that says why a file cannot be written."""
    place = Place(str(target))
    if isinstance(error, FileNotFoundError) and not target.parent.exists():
        fix = f"make it first: `mkdir -p {target.parent}`"
        return refuse(place, f"there is no folder `{target.parent}`", fix)
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    fix = "write to another place, or make room and permission there"
    return refuse(place, f"the file cannot be written: {reason}", fix)


def _replace(target: Path, content: bytes, status: os.stat_result | None) -> None:
    partial = target.with_name(f".branchwise-{os.urandom(8).hex()}.tmp")
    try:
        descriptor = os.open(partial, _NEW_FILE, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if status is not None:
            partial.chmod(stat.S_IMODE(status.st_mode))
        partial.replace(target)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def keep_name(path: Path) -> None:
    """Have the folder remember a new file, too; Windows does so unasked."""
    if sys.platform == "win32":
        return
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
