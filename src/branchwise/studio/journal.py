"""The journal of a studio: every change of a document, on the disk before it counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, Final, NoReturn

from branchwise.errors import JournalError
from branchwise.formats.atomic import keep_name
from branchwise.formats.line_file import LineFile, locked_file
from branchwise.studio.text.edits import Splice

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


@dataclass(frozen=True, slots=True)
class Pin:
    """A scenario that was kept to compare with: its text, and what it is worth."""

    name: str
    text: str
    answer: Mapping[str, Any]


@dataclass(slots=True)
class Contents:
    """
    What a journal says.

    Parameters
    ----------
    history
        The document, and all that was done to it.
    version
        How many changes there were, of any kind.
    digest, file_text
        The file as it was last known.
    size
        How many bytes of the journal count.
    pins
        The scenarios that are kept.
    """

    history: History
    version: int
    digest: str
    file_text: str
    size: int
    pins: list[Pin] = field(default_factory=list)


class Journal:
    """A file that grows by a line for every change of a document."""

    # The first line holds the text as it was first. Each line is on the disk before
    # `append` returns. The file is locked while it is open.

    def __init__(self, path: Path, file: FileIO) -> None:
        self._file = LineFile(path, file)

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
        return journal, Contents(History(text), 0, digest, text, journal.size)

    @property
    def size(self) -> int:
        """How many bytes count."""
        return self._file.size

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a line; when this returns it is on the disk."""
        self._file.append(json.dumps(record))

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
        text = first["text"]
        contents = Contents(History(text), 0, first["digest"], text, size)
        for line in lines:
            replay(contents, json.loads(line))
    except (ValueError, KeyError, TypeError, IndexError) as error:
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
    history = contents.history
    if "pin" in record:
        contents.pins.append(Pin(record["pin"], record["text"], record["answer"]))
        return
    if "unpin" in record:
        del contents.pins[record["unpin"]]
        return
    if "undo" in record:
        history.undo()
    elif "redo" in record:
        history.redo()
    elif "splices" in record:
        splices = tuple(Splice(*splice) for splice in record["splices"])
        history.do(splices, record["name"])
    if record.keys() - {"digest", "file"}:
        contents.version += 1
    if "digest" in record:
        # The file says what the document says now, unless both were merged.
        contents.digest = record["digest"]
        contents.file_text = record.get("file", history.text)


def _locked(path: Path) -> FileIO:
    """Open a file for this process alone."""
    try:
        return locked_file(path, 0o600)
    except BlockingIOError:
        what = "another studio has this problem open just now"
        fix = "use the page of that one, or end it first"
        raise JournalError.of(path, what, fix) from None
    except (OSError, ValueError) as error:  # A NUL in the name is a ValueError.
        what = f"the journal cannot be opened: {getattr(error, 'strerror', error)}"
        fix = "work in a folder that can be written to"
        raise JournalError.of(path, what, fix) from error
