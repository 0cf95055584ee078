"""Files that grow by a line at a time, each safe on the disk before it counts."""

import errno
import os
from contextlib import suppress
from io import FileIO
from pathlib import Path

from filelock import lock_descriptor

from branchwise.errors import JournalError


class LineFile:
    """
    A file that is written to by lines.

    A line counts once it ends. Where one is left in the middle, by a full disk or a
    crash, the next takes its place.
    """

    def __init__(self, path: Path, file: FileIO) -> None:
        self.path, self._file = path, file
        self._size = file.seek(0, os.SEEK_END)

    @property
    def size(self) -> int:
        """How many bytes count."""
        return self._size

    def append(self, line: str) -> None:
        """Add a line; when this returns it is on the disk."""
        rest = memoryview(line.encode() + b"\n")
        size = self._size + len(rest)
        try:
            # Where this was left in the middle before, that did not count.
            self._file.truncate(self._size)
            self._file.seek(self._size)
            while rest:  # A file may take less than all of it at once.
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._size)
            what = f"the journal cannot be written: {error.strerror}"
            fix = "make room for it; what came last is not in it"
            raise JournalError.of(self.path, what, fix) from error
        self._size = size

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        self._file.close()


def locked_file(path: Path, mode: int = 0o666) -> FileIO:
    """
    Open a file to read and write, which may be new, and lock it.

    The operating system lets go of the lock when the file is closed or the process
    ends, however it ends. Raises `BlockingIOError` while another process has it.
    """
    binary = getattr(os, "O_BINARY", 0)
    while True:
        file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT | binary, mode), "r+")
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
