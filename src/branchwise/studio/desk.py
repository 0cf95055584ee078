"""The desk: one document, its journal, and the file it belongs to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from branchwise.errors import BranchwiseError, FormatError
from branchwise.formats.atomic import write_atomically
from branchwise.formats.file_limits import LARGEST_FILE, check_marks, check_size
from branchwise.formats.source_file import file_bytes
from branchwise.formats.source_text import decode
from branchwise.studio.journal import Journal, replay
from branchwise.studio.names import splices_of

_NOTHING: Final = ""
_MARK: Final = b"\xef\xbb\xbf"


class VersionError(BranchwiseError):
    """A change was made to a version of the document that is not the last one."""


@dataclass(frozen=True, slots=True)
class OnDisk:
    """What the file holds."""

    text: str
    digest: str


class Desk:
    """
    One document that is worked on.

    Every change is in the journal, on the disk, before its method returns. The file
    itself is written by `save` only.

    Parameters
    ----------
    path
        The file, which need not exist yet: a YAML or a JSON file.
    text
        What the document is, where there is no such file.
    """

    def __init__(self, path: Path, text: str = "") -> None:
        self.path = path
        self.is_json = path.suffix.lower() == ".json"
        disk = self._read()
        begun = OnDisk(text, _NOTHING) if disk is None else disk
        self._looked: tuple[int, int] | None = None
        self._found = disk
        self._journal, self._contents = Journal.open(
            journal_of(path), begun.text, begun.digest
        )
        try:
            self._catch_up(disk)
        except BaseException:
            self.close()
            raise

    def _catch_up(self, disk: OnDisk | None) -> None:
        """Take what an editor wrote since, where nothing here is unsaved."""
        if disk is None or disk.digest == self._contents.digest:
            return
        if disk.text == self.text:
            self._record({"digest": disk.digest})
        elif not self._was_unsaved():
            self.take_disk()

    def _was_unsaved(self) -> bool:
        return digest_of(self.text) != self._contents.digest

    @property
    def text(self) -> str:
        """The document as it is now."""
        return self._contents.history.text

    @property
    def version(self) -> int:
        """How many changes there were, of any kind."""
        return self._contents.version

    @property
    def can_undo(self) -> str:
        """What would be undone; empty where there is nothing."""
        done = self._contents.history.done
        return done[-1].name if done else ""

    @property
    def can_redo(self) -> str:
        """What would be done again; empty where there is nothing."""
        undone = self._contents.history.undone
        return undone[-1].name if undone else ""

    @property
    def is_saved(self) -> bool:
        """Whether the file holds just this."""
        return self._contents.digest == digest_of(self.text)

    @property
    def is_overtaken(self) -> bool:
        """Whether the file has changed on the disk since it was last read here."""
        self._look()
        found = self._found
        return found is not None and found.digest != self._contents.digest

    def edit(
        self, version: int, edits: Sequence[Mapping[str, Any]], name: str = ""
    ) -> None:
        """
        Make several changes at once, all or none.

        Parameters
        ----------
        version
            Of the document that they are meant for.
        edits
            Each a map: ``put`` or ``remove`` or ``rename`` with a path and a value;
            or ``splice``, with a start, an end and a text.
        name
            What they are called together, for those who undo them.
        """
        self._check(version)
        text, splices = self.text, []
        for edit in edits:
            for splice in splices_of(text, edit, is_json=self.is_json):
                splices.append(splice)
                text = splice.apply(text)
        if text == self.text:
            return
        check_size("the document", len(text.encode()), LARGEST_FILE)
        check_marks("the document", text.encode())
        self._record({"splices": splices, "name": name or "the change"})

    def replace(self, version: int, text: str, name: str) -> None:
        """Let the document be another text, as one change that can be undone."""
        old = self.text
        start = 0
        while start < min(len(old), len(text)) and old[start] == text[start]:
            start += 1
        tail = 0
        most = min(len(old), len(text)) - start
        while tail < most and old[-1 - tail] == text[-1 - tail]:
            tail += 1
        splice = [start, len(old) - tail, text[start : len(text) - tail]]
        self.edit(version, [{"splice": splice}], name)

    def undo(self, version: int) -> None:
        """Take the last change back."""
        self._check(version)
        if self.can_undo:
            self._record({"undo": 1})

    def redo(self, version: int) -> None:
        """Do again what was undone last."""
        self._check(version)
        if self.can_redo:
            self._record({"redo": 1})

    def save(self, *, even_if_overtaken: bool = False) -> None:
        """Write the file, whole or not at all, with every byte as it is here."""
        if self.is_overtaken and not even_if_overtaken:
            raise VersionError("the file was changed by another program")
        data = self.text.encode()
        write_atomically(self.path, data)
        self._found = OnDisk(self.text, hashlib.sha256(data).hexdigest())
        self._looked = self._stamp()
        self._record({"digest": self._found.digest})

    def take_disk(self) -> None:
        """Let the document be what the file says now; that can be undone."""
        self._look()
        if self._found is None:
            return
        self.replace(self.version, self._found.text, "the change on disk")
        self._record({"digest": self._found.digest})

    def close(self) -> None:
        """Let go of the document, so that another studio may have it."""
        self._journal.close()

    def _check(self, version: int) -> None:
        if version != self.version:
            raise VersionError("the document has changed meanwhile")

    def _record(self, record: Mapping[str, Any]) -> None:
        self._journal.append(record)
        replay(self._contents, record)

    def _stamp(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _look(self) -> None:
        """Read the file again, where it may have changed."""
        stamp = self._stamp()
        if stamp is None or stamp == self._looked:
            return
        try:
            found = self._read()
        except FormatError:
            return  # It is being written just now, or is no text any more.
        self._looked, self._found = stamp, found

    def _read(self) -> OnDisk | None:
        if not self.path.exists():
            return None
        data = file_bytes(self.path)
        check_marks(str(self.path), data)
        text = decode(data, str(self.path))
        # A byte order mark is part of the file, and stays.
        text = "\ufeff" + text if data.startswith(_MARK) else text
        return OnDisk(text, hashlib.sha256(data).hexdigest())


def journal_of(path: Path) -> Path:
    """Return where the journal of a document is kept: beside it."""
    return path.with_name(f"{path.name}.studio")


def digest_of(text: str) -> str:
    """Return the digest of a text as a file would hold it."""
    return hashlib.sha256(text.encode()).hexdigest()
