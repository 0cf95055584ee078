"""The journal of a batch: what is done, so that it is not done again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from io import BufferedRandom
from pathlib import Path
from typing import Any, Final

from filelock import lock_descriptor

from branchwise.batches.batch_row import BatchRow
from branchwise.errors import JournalError

_FORMAT: Final = "branchwise-batch"
_VERSION: Final = 1


class _NoJournal:
    """Keeps nothing."""

    def row(self, name: str, path: Path) -> BatchRow | None:  # noqa: ARG002
        return None

    def add(self, row: BatchRow, path: Path) -> None:
        """Forget it."""


class _Journal:
    """A file with a line for each problem that is done."""

    def __init__(
        self, path: Path, file: BufferedRandom, how: Mapping[str, Any]
    ) -> None:
        self._path, self._file = path, file
        self._rows: dict[tuple[str, str], BatchRow] = {}
        data = file.read()
        whole = data.rfind(b"\n") + 1  # A line that a crash has torn is taken off.
        lines = data[:whole].splitlines()
        if not lines:
            if data and not data.startswith(b"{"):
                raise self._refused("holds something else")
            file.truncate(0)
            self._write({"format": _FORMAT, "version": _VERSION, **how})
            return
        self._check(lines[0], how)
        for line in lines[1:]:
            self._learn(line)
        file.truncate(whole)
        file.seek(whole)

    def row(self, name: str, path: Path) -> BatchRow | None:
        """Return what is known of a file that has not changed since."""
        return self._rows.get((name, _digest(path)))

    def add(self, row: BatchRow, path: Path) -> None:
        """Keep a row; it is on the disk when this returns."""
        self._write({"digest": _digest(path), **asdict(row)})

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
        self._file.write(json.dumps(document).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


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
    file_path = Path(path)
    file_path.touch()
    with file_path.open("r+b") as file:
        if not lock_descriptor(file.fileno(), blocking=False):
            what = "the journal is in use by another process"
            raise JournalError.of(file_path, what, "wait for it, or name another file")
        yield _Journal(file_path, file, how)
