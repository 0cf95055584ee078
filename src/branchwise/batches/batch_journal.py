"""The journal of a batch: what is done, so that it is not done again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from io import FileIO
from pathlib import Path
from typing import Any, Final

from branchwise.batches.batch_row import BatchRow
from branchwise.errors import JournalError
from branchwise.formats.line_file import LineFile, locked_file

_FORMAT: Final = "branchwise-batch"
_VERSION: Final = 1
_START: Final = f'{{"format": "{_FORMAT}"'.encode()
"""How every journal starts; what does not start like this is not ours."""


class _NoJournal:
    """Keeps nothing."""

    def row(self, name: str, path: Path) -> BatchRow | None:  # noqa: ARG002
        return None

    def add(self, row: BatchRow) -> None:
        """Forget it."""


class _Journal:
    """A file with a line for each problem that is done."""

    def __init__(self, path: Path, file: FileIO, how: Mapping[str, Any]) -> None:
        self._path = path
        self._rows: dict[tuple[str, str], BatchRow] = {}
        self._digests: dict[str, str] = {}  # of the files as they were before
        data = file.readall()
        if not _START.startswith(data[: len(_START)]):
            raise self._refused("holds something else")
        whole = data.rfind(b"\n") + 1  # A line that a crash has torn is taken off.
        lines = data[:whole].splitlines()
        if lines:
            self._check(lines[0], how)
        for line in lines[1:]:
            self._learn(line)
        file.truncate(whole)
        self._file = LineFile(path, file)
        if not lines:
            self._write({"format": _FORMAT, "version": _VERSION, **how})

    def row(self, name: str, path: Path) -> BatchRow | None:
        """Return what is known of a file that has not changed since."""
        self._digests[name] = _digest(path)
        return self._rows.get((name, self._digests[name]))

    def add(self, row: BatchRow) -> None:
        """Keep what came of a file that was asked for; then it is on the disk."""
        self._write({"digest": self._digests[row.file], **asdict(row)})

    def _check(self, line: bytes, how: Mapping[str, Any]) -> None:
        head = _parsed(line)
        if head.pop("format", None) != _FORMAT or head.pop("version", None) != _VERSION:
            raise self._refused("holds something else")
        if head != how:
            raise self._refused("was begun with other limits")

    def _learn(self, line: bytes) -> None:
        known = _parsed(line)
        digest = known.pop("digest", None)
        if set(known) != {each.name for each in fields(BatchRow)}:
            raise self._refused("holds a line that is no row")
        row = BatchRow(**known)
        self._rows[row.file, str(digest)] = row

    def _refused(self, what: str) -> JournalError:
        return JournalError.of(self._path, f"the journal {what}", "name another file")

    def _write(self, document: Mapping[str, Any]) -> None:
        self._file.append(json.dumps(document))


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _digest(path: Path) -> str:
    """Return what tells contents apart; nothing where they cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


@contextmanager
def batch_journal(
    path: str | os.PathLike[str] | None, how: Mapping[str, Any]
) -> Iterator[_Journal | _NoJournal]:
    """Open a journal, or begin it; without a path nothing is kept."""
    if path is None:
        yield _NoJournal()
        return
    place = Path(path)
    try:
        file = locked_file(place)
    except BlockingIOError:
        what = "the journal is in use by another process"
        fix = "wait for it, or name another file"
        raise JournalError.of(place, what, fix) from None
    with file:
        yield _Journal(place, file, how)
