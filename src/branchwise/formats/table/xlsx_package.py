"""Opening xlsx: the parts of the archive, checked and measured before they are read."""

import io
import struct
import zipfile
import zlib
from typing import Final

from branchwise.errors import FormatError
from branchwise.formats.file_limits import MOST_INFLATED, MOST_PARTS, check_tags
from branchwise.formats.table.grid import unreadable

_CHUNK: Final = 1 << 20

_OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")

# Everything that zipfile was seen to raise for bytes that are not what they claim.
_DAMAGE: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError,
    RuntimeError, OSError, ValueError,
)  # fmt: skip


def checked_parts(data: bytes, source: str) -> dict[str, bytes]:
    """
    Inflate what a workbook says in XML; refuse what is no workbook, or a zip bomb.

    What the archive declares is not believed: it is inflated piece by piece, and
    given up as soon as it grows past the limit.
    """
    if not data.startswith(b"PK"):
        raise _not_a_workbook(data, source)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            _check_entries(entries, source)
            parts = _inflated(archive, entries, source)
    except FormatError:
        raise
    except _DAMAGE:
        raise corrupt(source) from None
    if "xl/workbook.xml" not in parts:
        raise _other_document(entries, source)
    check_tags(source, parts.values())
    return parts


def clean_archive(parts: dict[str, bytes]) -> io.BytesIO:
    """Pack the checked parts anew, so that no other reader can see anything else."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    packed.seek(0)
    return packed


def corrupt(source: str) -> FormatError:
    """Make the error for a workbook that is damaged."""
    what = "the workbook is damaged or incomplete"
    fix = "open it in a spreadsheet program and save it again as .xlsx"
    return unreadable(source, what, fix)


def _check_entries(entries: list[zipfile.ZipInfo], source: str) -> None:
    if any(entry.flag_bits & 1 for entry in entries):
        raise _locked(source)
    names = {entry.filename for entry in entries}
    if len(entries) > MOST_PARTS or len(names) < len(entries):
        what = f"the archive has {len(entries)} entries, {len(names)} of them distinct"
        fix = "open it in a spreadsheet program and save it again as .xlsx"
        raise unreadable(source, what, fix)
    if sum(entry.file_size for entry in entries if _is_text(entry)) > MOST_INFLATED:
        raise _too_large(source)


def _inflated(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], source: str
) -> dict[str, bytes]:
    parts = {}
    left = MOST_INFLATED
    for entry in filter(_is_text, entries):
        pieces = []
        with archive.open(entry) as stream:
            while piece := stream.read(_CHUNK):
                left -= len(piece)
                if left < 0:
                    raise _too_large(source)
                pieces.append(piece)
        parts[entry.filename] = b"".join(pieces)
    return parts


def _is_text(entry: zipfile.ZipInfo) -> bool:
    """Tell the parts that hold cells from pictures, macros and fonts."""
    return entry.filename.lower().endswith((".xml", ".rels"))


def _too_large(source: str) -> FormatError:
    what = f"the workbook inflates to more than {MOST_INFLATED // 2**20} MB"
    fix = "delete the sheets that are not needed, or save the table as CSV"
    return unreadable(source, what, fix)


def _locked(source: str) -> FormatError:
    what = "the workbook is protected by a password"
    return unreadable(source, what, "save it without a password")


def _not_a_workbook(data: bytes, source: str) -> FormatError:
    if data.startswith(_OLD_EXCEL):
        if _ENCRYPTED in data:
            return _locked(source)
        what = "this is a workbook of the old kind (.xls)"
        return unreadable(source, what, "save it as .xlsx")
    if not data:
        return unreadable(source, "the file is empty", "save the workbook again")
    what = "this is not an .xlsx workbook"
    return unreadable(source, what, "save it as .xlsx; name a text table .csv")


def _other_document(entries: list[zipfile.ZipInfo], source: str) -> FormatError:
    names = {entry.filename for entry in entries}
    kinds = {
        "content.xml": "an OpenDocument file",
        "xl/workbook.bin": "a binary workbook (.xlsb)",
        "word/document.xml": "a Word document",
    }
    found = [kind for name, kind in kinds.items() if name in names]
    if not found:
        return corrupt(source)
    return unreadable(source, f"this is {found[0]}", "save the table as .xlsx")
