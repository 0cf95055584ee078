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
from branchwise.studio.journal import Journal, Pin, replay
from branchwise.studio.text.edits import Splice
from branchwise.studio.text.merge import merged
from branchwise.studio.text.names import splices_of

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
        self._merge: tuple[tuple[int, str, str], str | None] | None = None
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
    def pins(self) -> Sequence[Pin]:
        """The scenarios that are kept."""
        return self._contents.pins

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
            Each a map: ``put``, ``remove``, ``rename`` or ``move`` with a path and a
            value; or ``splice``, with a start, an end and a text.
        name
            What they are called together, for those who undo them.
        """
        self._check(version)
        text, splices = self.text, []
        for edit in edits:
            for splice in splices_of(text, edit, is_json=self.is_json):
                splices.append(splice)
                text = splice.apply(text)
        if text != self.text:
            _check_text(text)
            self._record({"splices": splices, "name": name or "the change"})

    def replace(self, version: int, text: str, name: str) -> None:
        """Let the document be another text, as one change that can be undone."""
        self._check(version)
        if text != self.text:
            _check_text(text)
            self._record({"splices": [difference(self.text, text)], "name": name})

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
        if self._found is not None:
            self._take(self._found.text, "the change on disk", self._found)

    @property
    def can_merge(self) -> bool:
        """Whether what has changed here and in the file lies in different places."""
        return self.is_overtaken and self._merged() is not None

    def merge(self) -> None:
        """Make the changes of the file here, too; that can be undone."""
        self._look()
        text, found = self._merged(), self._found
        if text is None or found is None:
            raise VersionError("both have changed in one place")
        self._take(text, "the merge", found)

    def _merged(self) -> str | None:
        if self._found is None:
            return None
        asked = (self.version, self._contents.digest, self._found.digest)
        if self._merge is None or self._merge[0] != asked:
            first = self._contents.file_text
            text = merged(first, self.text, self._found.text)
            self._merge = asked, text
        return self._merge[1]

    def _take(self, text: str, name: str, found: OnDisk) -> None:
        """Let the document be a text that has all that the file says now."""
        record: dict[str, Any] = {"digest": found.digest}
        if text != self.text:
            _check_text(text)
            record |= {"splices": [difference(self.text, text)], "name": name}
        if text != found.text:
            record["file"] = found.text
        self._record(record)

    def pin(self, name: str, answer: Mapping[str, Any]) -> None:
        """Keep the document as it is now, with what it is worth, to compare with."""
        self._record({"pin": name, "text": self.text, "answer": answer})

    def unpin(self, number: int) -> None:
        """Let go of a scenario."""
        if not 0 <= number < len(self.pins):
            raise ValueError(f"there is no scenario {number}")
        self._record({"unpin": number})

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


def difference(old: str, new: str) -> Splice:
    """
    Return the smallest splice that makes one text of another.

    >>> difference("budget: 6", "budget: 16")
    Splice(start=8, end=8, text='1')
    """
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    most -= start
    tail = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    return Splice(start, len(old) - tail, new[start : len(new) - tail])


def _check_text(text: str) -> None:
    data = text.encode()
    check_size("the document", len(data), LARGEST_FILE)
    check_marks("the document", data)


def journal_of(path: Path) -> Path:
    """Return where the journal of a document is kept: beside it."""
    return path.with_name(f"{path.name}.studio")


def digest_of(text: str) -> str:
    """Return the digest of a text as a file would hold it."""
    return hashlib.sha256(text.encode()).hexdigest()
