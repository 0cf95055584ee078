"""The journal of a studio: every change of a document, on the disk before it counts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, Final, NoReturn

from filelock import lock_descriptor

from branchwise.errors import JournalError
from branchwise.formats.atomic import keep_name
from branchwise.studio.edits import Splice

_FORMAT: Final = "branchwise-studio"
_VERSION: Final = 1
_START: Final = f'{{"format": "{_FORMAT}"'.encode()
_MOVE: Final = "move this file away to begin anew; the problem file stays as it is"


@dataclass(slots=True)
class Step:
    """What was changed at once, what that is called, and how to take it back."""

    splices: tuple[Splice, ...]
    inverses: tuple[Splice, ...]
    name: str


@dataclass(slots=True)
class History:
    """
    A text, all that was ever done to it, and what was undone last.

    Examples
    --------
    >>> history = History("budget: 6")
    >>> history.do((Splice(8, 9, "7"),), "budget")
    >>> history.text, history.undo(), history.text
    ('budget: 7', True, 'budget: 6')
    """

    text: str
    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)

    def do(self, splices: tuple[Splice, ...], name: str) -> None:
        """Change the text; what was undone before cannot be done again."""
        text, inverses = self.text, []
        for splice in splices:
            inverses.append(splice.inverse(text))
            text = splice.apply(text)
        self.done.append(Step(splices, tuple(reversed(inverses)), name))
        self.text = text
        self.undone.clear()

    def undo(self) -> bool:
        """Take the last change back; return whether there was one."""
        if not self.done:
            return False
        step = self.done.pop()
        self._apply(step.inverses)
        self.undone.append(step)
        return True

    def redo(self) -> bool:
        """Do again what was undone last; return whether there was anything."""
        if not self.undone:
            return False
        step = self.undone.pop()
        self._apply(step.splices)
        self.done.append(step)
        return True

    def _apply(self, splices: tuple[Splice, ...]) -> None:
        for splice in splices:
            self.text = splice.apply(self.text)


@dataclass(slots=True)
class Contents:
    """What a journal says: the document, its version, and the file as last known."""

    history: History
    version: int
    digest: str
    size: int


class Journal:
    """A file that grows by a line for every change of a document."""

    # The first line holds the text as it was first. A line counts once it ends; each
    # is on the disk before `append` returns. The file is locked while it is open, and
    # the lock dies with the process.

    def __init__(self, path: Path, file: FileIO) -> None:
        self.path, self._file = path, file
        self._size = file.seek(0, os.SEEK_END)

    @classmethod
    def open(cls, path: Path, text: str, digest: str) -> tuple[Journal, Contents]:
        """Open the journal of a document, or begin one with a text."""
        file = _locked(path)
        try:
            data = file.readall()
            if b"\n" in data:
                contents = _contents(path, data)
                file.truncate(contents.size)
                return cls(path, file), contents
            if data and not _START.startswith(data[: len(_START)]):
                _refuse(path)
            file.truncate(0)
            journal = cls(path, file)
            head = {"format": _FORMAT, "version": _VERSION}
            journal.append({**head, "text": text, "digest": digest})
            keep_name(path)
        except BaseException:
            file.close()
            raise
        return journal, Contents(History(text), 0, digest, journal.size)

    @property
    def size(self) -> int:
        """How many bytes count."""
        return self._size

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a line; when this returns it is on the disk."""
        rest = memoryview(json.dumps(record).encode() + b"\n")
        size = self._size + len(rest)
        try:
            # Where this was left in the middle before, that did not count.
            self._file.truncate(self._size)
            self._file.seek(self._size)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._size)
            what = f"the journal cannot be written: {error.strerror}"
            fix = "make room for it; the last change does not count"
            raise JournalError.of(self.path, what, fix) from error
        self._size = size

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        self._file.close()


def _contents(path: Path, data: bytes) -> Contents:
    """Read a journal; what was torn off at its end did not count."""
    size = data.rfind(b"\n") + 1
    head, *lines = data[:size].split(b"\n")[:-1]
    if not head.startswith(_START):
        _refuse(path)
    try:
        first = json.loads(head)
        _check_version(path, first["version"])
        contents = Contents(History(first["text"]), 0, first["digest"], size)
        for line in lines:
            replay(contents, json.loads(line))
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, JournalError):
            raise
        raise JournalError.of(path, "this journal is damaged", _MOVE) from None
    return contents


def _refuse(path: Path) -> NoReturn:
    what = "this file is no journal of a studio, and stays as it is"
    raise JournalError.of(path, what, _MOVE)


def _check_version(path: Path, version: object) -> None:
    if version != _VERSION:
        fix = "use the branchwise that wrote it, or " + _MOVE
        what = f"version {version} of the layout is not known here"
        raise JournalError.of(path, what, fix)


def replay(contents: Contents, record: Mapping[str, Any]) -> None:
    """Do what a line of a journal says."""
    if "digest" in record:
        contents.digest = record["digest"]
        return
    contents.version += 1
    if "undo" in record:
        contents.history.undo()
    elif "redo" in record:
        contents.history.redo()
    else:
        splices = tuple(Splice(*splice) for splice in record["splices"])
        contents.history.do(splices, record["name"])


def _locked(path: Path) -> FileIO:
    """Open a file to read and write, which may be new, for this process alone."""
    binary = getattr(os, "O_BINARY", 0)
    try:
        file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT | binary, 0o600), "r+")
        if lock_descriptor(file.fileno(), blocking=False):
            return file
        file.close()
    except (OSError, ValueError) as error:  # A NUL in the name is a ValueError.
        what = f"the journal cannot be opened: {getattr(error, 'strerror', error)}"
        fix = "work in a folder that can be written to"
        raise JournalError.of(path, what, fix) from error
    what = "another studio has this problem open just now"
    raise JournalError.of(path, what, "use the page of that one, or end it first")
