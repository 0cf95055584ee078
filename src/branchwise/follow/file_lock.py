"""Files that one process has for itself, for as long as it lives."""

from __future__ import annotations

import errno
import os
from io import FileIO
from pathlib import Path

from filelock import lock_descriptor


def locked(path: Path) -> FileIO:
    """
    Open a file to read and write, which may be new, and lock it.

    The operating system lets go of the lock when the file is closed or the process
    ends, however it ends. Raises `BlockingIOError` while another process has it.
    """
    binary = getattr(os, "O_BINARY", 0)
    while True:
        file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT | binary, 0o666), "r+")
        try:
            is_ours = lock_descriptor(file.fileno(), blocking=False)
            if is_ours and _is_still(path, file):
                return file
        except BaseException:
            file.close()
            raise
        file.close()
        if not is_ours:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        # It was given another name before it was ours: try again.


def _is_still(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
