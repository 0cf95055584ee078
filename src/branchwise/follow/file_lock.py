"""Files that one process has for itself, for as long as it lives."""

from __future__ import annotations

import fcntl
import os
from io import FileIO
from pathlib import Path

__all__ = ["locked"]


def locked(path: Path) -> FileIO:
    """
    Open a file to read and write, which may be new, and lock it.

    The operating system lets go of the lock when the file is closed or the process
    ends, however it ends. Raises `BlockingIOError` while another process has it.
    """
    while True:
        file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+")
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still(path, file):
                return file
        except BaseException:
            file.close()
            raise
        # Somebody gave it another name before it was ours.
        file.close()


def _is_still(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
