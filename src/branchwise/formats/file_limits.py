"""How large a file may be, in every way that costs time or memory to read it.

All readers go by these numbers. They leave room for a problem of 100,000 actions, and
none for a file that only looks like one: whatever is refused is refused before it is
read.
"""

from collections.abc import Collection, Iterable
from typing import Final

from branchwise.errors import FormatError
from branchwise.formats.place import Place, issue_at

STRETCH: Final = 100_000
"""After so many lines or values it should be clear what a file is about."""

LARGEST_FILE: Final = 32 * 2**20
"""Bytes of a problem file or a table."""

LARGEST_JOURNAL: Final = 2 * LARGEST_FILE
"""Bytes of a journal, which holds the problem and what was told since."""

LARGEST_CERTIFICATE: Final = 256 * 2**20
"""Bytes of a certificate, whose numbers may have hundreds of digits."""

MOST_MARKS: Final = 2_000_000
"""Commas, colons, opening brackets and ends of lines of a problem file or a table.

There is no more in a text than such marks divide it into, and to count them takes a
moment.
"""

MOST_EVENTS: Final = 2_500_000
"""Values and brackets of a YAML file, where marks do not tell."""

MOST_PROOF_MARKS: Final = 5_000_000
"""The same of a certificate."""

LONGEST_CONDITION: Final = 2_000_000
"""Characters of one condition."""

LONGEST_CONDITIONS: Final = 12_000_000
"""Characters of all conditions together."""

DEEPEST: Final = 100
"""How many levels deep a document may be nested."""

DEEPEST_TREE: Final = 3_000
"""How many levels deep the file of a decision tree may be: 500 decisions in a row."""

MOST_ALIASED: Final = 1_000_000
"""Values that the aliases of a YAML file stand for, written out."""

MOST_ROWS: Final = 1_048_576
"""Rows of a table: what a spreadsheet can hold."""

MOST_COLUMNS: Final = 200
"""Columns of a table; those of a problem have no more than ten."""

MOST_CELLS: Final = 2_000_000
"""Cells of a workbook, counted as the area that the filled ones span."""

MOST_INFLATED: Final = 2 * LARGEST_FILE
"""Bytes of a workbook once it is inflated, without its pictures."""

MOST_PARTS: Final = 2_000
"""Files within a workbook."""

MOST_TAGS: Final = 2_000_000
"""Tags of a workbook's XML, counted by their `<`; and attributes, by their `=`."""

_MARKS: Final = (b",", b":", b"[", b"{")
_LINE_ENDS: Final = (b"\n", b"\r")
_TAGS: Final = (b"<", b"=")
_FIX: Final = (
    "check that this is the file you mean; split it, or leave out what is unused"
)


def check_size(source: str, size: int, largest: int) -> None:
    """Refuse a file that has more bytes than its kind may have."""
    if size > largest:
        what = f"the file has more than {largest // 2**20} MB, the most that is read"
        raise _refusal(source, what)


def check_marks(
    source: str, data: bytes, most: int = MOST_MARKS, marks: Iterable[bytes] = _MARKS
) -> None:
    """Refuse a text that marks divide into more than can be meant."""
    # Deleting counts many marks at once, and however many there are.
    count = len(data) - len(data.translate(None, b"".join(marks)))
    count += max(map(data.count, _LINE_ENDS))
    if count > most:
        what = f"the file has {count:,} commas, colons, brackets and lines, more than "
        raise _refusal(source, f"{what}the {most:,} that are read")


def check_tags(source: str, parts: Collection[bytes]) -> None:
    """Refuse a workbook whose XML is made of more than a table of any use is."""
    count = max(sum(part.count(tag) for part in parts) for tag in _TAGS)
    if count > MOST_TAGS:
        what = f"the workbook has {count:,} tags or attributes, more than the "
        raise _refusal(source, f"{what}{MOST_TAGS:,} that are read")


def _refusal(source: str, what: str) -> FormatError:
    return FormatError([issue_at(Place(source), (), what, _FIX)])
