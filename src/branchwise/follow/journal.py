"""The journal: what has been reported, safe from crashes and power loss."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import FileIO
from itertools import count
from pathlib import Path
from typing import Any, Final

from branchwise.errors import BranchwiseError, FormatError, JournalError
from branchwise.follow.entries import JournalEntry, document_of, entry_of
from branchwise.follow.route import How
from branchwise.formats.atomic import keep_name
from branchwise.formats.document.syntax.json_text import json_text
from branchwise.formats.file_limits import LARGEST_JOURNAL, check_marks
from branchwise.formats.line_file import LineFile, locked_file
from branchwise.formats.read import read_text
from branchwise.formats.source_file import check_ordinary
from branchwise.model.problem import Problem

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_KNOWN_HOW: Final = frozenset(How.__annotations__)
_FORMAT: Final = "branchwise-journal"
_START: Final = f'{{"format": "{_FORMAT}"'.encode()
"""How every journal starts; what does not start like this is not ours."""
_RENAME: Final = "name another file with `--journal`"
_RESTART: Final = (
    "start anew with `--restart`, which keeps this file under another name"
)


@dataclass(frozen=True, slots=True)
class Contents:
    """What a journal says."""

    problem: Problem  # The problem as it was when the journal was begun
    how: Mapping[str, Any]  # How plans are made: arguments of `solve`
    entries: tuple[JournalEntry, ...]  # What was reported since, in order
    size: int  # How many bytes of the file say this; what follows was torn off


class Journal:
    """A file that grows by a line for everything reported."""

    # The first line holds the problem, so that nothing depends on the problem file any
    # more. The file is locked while it is open. `is_torn` says whether its last line
    # was torn by a crash, and has been taken off.

    def __init__(
        self, path: Path, file: FileIO, num_entries: int = 0, *, is_torn: bool = False
    ) -> None:
        self.path = path
        self.is_torn = is_torn
        self._file = LineFile(path, file)
        self._num_entries = num_entries

    @classmethod
    def begin(cls, path: Path, problem: Problem, how: Mapping[str, Any]) -> Journal:
        """Begin a journal; a file that holds something else is not touched."""
        with _kept_open(path) as file:
            torn = file.readall()
            _refuse_contents(path, torn)
            file.truncate(0)
            journal = cls(path, file, is_torn=bool(torn))
            journal._write(_head(problem, how))
            keep_name(path)
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, Contents]:
        """Open a journal and read it; a torn last line is taken off."""
        if not holds_something(path):
            what, fix = "there is no journal to resume", "begin one"
            raise JournalError.of(path, what, fix)
        with _kept_open(path) as file:
            data = file.readall()
            contents = _Reader(path, data).contents()
            file.truncate(contents.size)
        is_torn = contents.size < len(data)
        return cls(path, file, len(contents.entries), is_torn=is_torn), contents

    def append(self, entry: JournalEntry) -> None:
        """Add an entry; when this returns it is on the disk."""
        number = self._num_entries + 1
        self._write({"entry": number, "time": _now(), **document_of(entry)})
        self._num_entries = number

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        self._file.close()

    @staticmethod
    def archive(path: Path) -> Path:
        """Rename a journal that is not in use; return its new name."""
        with _opened(path) as file:
            if file.read(len(_START)) != _START:
                raise _not_a_journal(path)
            numbers = (path.with_name(f"{path.name}.{number}") for number in count(1))
            kept = next(name for name in numbers if not name.exists())
            if sys.platform == "win32":
                file.close()  # Nothing that is open can be renamed there.
            path.rename(kept)
        return kept

    def _write(self, document: Mapping[str, Any]) -> None:
        self._file.append(json.dumps(document, ensure_ascii=False))


class _Reader:
    """Reads a journal line by line, and says which line is wrong."""

    def __init__(self, path: Path, data: bytes) -> None:
        check_marks(str(path), data)
        self._path = path
        self._size = data.rfind(b"\n") + 1
        self._lines = data[: self._size].split(b"\n")[:-1]

    def contents(self) -> Contents:
        head = self._head()
        if head.get("version") != VERSION:
            what = f"version {head.get('version')} of the layout is not known here"
            raise self._wrong(1, what, "use the branchwise that wrote it")
        problem = self._problem(head)
        how = head.get("how")
        if not isinstance(how, dict) or not _KNOWN_HOW.issuperset(how):
            raise self._wrong(1, "it does not say how plans are made", _RESTART)
        entries = [self._entry(number) for number in range(2, len(self._lines) + 1)]
        return Contents(problem, how, tuple(entries), self._size)

    def _head(self) -> Mapping[str, Any]:
        if not self._lines[0].startswith(_START):
            raise _not_a_journal(self._path)
        return self._document(1)

    def _problem(self, head: Mapping[str, Any]) -> Problem:
        try:
            problem = read_text(json.dumps(head.get("problem")), format="json")
        except BranchwiseError as error:
            what = f"the problem in it cannot be read: {error}"
            raise self._wrong(1, what, _RESTART) from None
        if fingerprint(problem) != head.get("fingerprint"):
            what = "the problem in it is not the one it was begun with"
            raise self._wrong(1, what, _RESTART)
        return problem

    def _entry(self, line: int) -> JournalEntry:
        document = self._document(line)
        if document.get("entry") != line - 1:
            what = f"entry {line - 1} should stand here, not {document.get('entry')!r}"
            raise self._wrong(line, what, "put the lines back in order, or " + _RESTART)
        try:
            return entry_of(document)
        except ValueError as error:
            raise self._wrong(line, str(error), self._cut(line)) from None

    def _document(self, line: int) -> Mapping[str, Any]:
        try:
            document = json.loads(self._lines[line - 1])
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            fix = _RESTART if line == 1 else self._cut(line)
            raise self._wrong(line, "this line is damaged", fix)
        return document

    def _cut(self, line: int) -> str:
        below = f"delete line {line} and all below it"
        return f"{below} to go on from before, or {_RESTART}"

    def _wrong(self, line: int, what: str, fix: str) -> JournalError:
        return JournalError.of(f"{self._path}:{line}", what, fix)


def fingerprint(problem: Problem) -> str:
    """Return a text that is the same for the same problem, and for no other."""
    return f"sha256:{hashlib.sha256(json_text(problem).encode()).hexdigest()}"


def holds_something(path: Path) -> bool:
    """Whether there is a journal whose first line was finished."""
    _refuse_device(path)
    try:
        with path.open("rb") as file:
            return b"\n" in file.read()
    except FileNotFoundError:
        return False
    except OSError as error:
        if sys.platform == "win32" and isinstance(error, PermissionError):
            raise _in_use(path) from None  # What is locked cannot be read there.
        raise _unreadable(path, error) from error


def _head(problem: Problem, how: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "format": _FORMAT,
        "version": VERSION,
        "begun": _now(),
        "fingerprint": fingerprint(problem),
        "how": dict(how),
        "problem": json.loads(json_text(problem)),
    }


def _refuse_contents(path: Path, data: bytes) -> None:
    """Refuse to begin where there is anything but a first line that was torn."""
    if data and not data.startswith(_START):
        raise _not_a_journal(path)
    if b"\n" in data:
        what, fix = "there is a journal already", "resume it, or name another"
        raise JournalError.of(path, what, fix)


def _not_a_journal(path: Path) -> JournalError:
    what = "this file is not a journal, and stays as it is"
    fix = "name another file with `--journal`, or move this one away"
    return JournalError.of(path, what, fix)


def _opened(path: Path) -> FileIO:
    """Open a file, which may be new, for this process alone."""
    _refuse_device(path)
    try:
        return locked_file(path)
    except BlockingIOError:
        raise _in_use(path) from None
    except OSError as error:
        raise _unreadable(path, error) from error


@contextmanager
def _kept_open(path: Path) -> Iterator[FileIO]:
    """Open a file for this process alone; close it only where something fails."""
    with ExitStack() as stack:
        yield stack.enter_context(_opened(path))
        stack.pop_all()


def _refuse_device(path: Path) -> None:
    try:
        check_ordinary(path, LARGEST_JOURNAL)
    except FileNotFoundError:
        return
    except FormatError as error:
        raise JournalError([replace(i, fix=_RENAME) for i in error.issues]) from None
    except OSError as error:
        raise _unreadable(path, error) from error


def _in_use(path: Path) -> JournalError:
    what = "another process is following this plan just now"
    fix = "end that one first, or keep a journal of your own with `--journal`"
    return JournalError.of(path, what, fix)


def _unreadable(path: Path, error: OSError) -> JournalError:
    what = f"the journal cannot be opened: {error.strerror}"
    return JournalError.of(path, what, _RENAME)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
