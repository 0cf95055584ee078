"""Reading CSV: bytes in any of the encodings that spreadsheets save, to cells."""

import codecs
import itertools
import re
from collections.abc import Iterator
from typing import Final

from branchwise.errors import FormatError
from branchwise.formats.file_limits import MOST_COLUMNS, MOST_ROWS, check_marks
from branchwise.formats.place import cell_name
from branchwise.formats.table.grid import Grid, grid, unreadable

_DELIMITERS: Final = ",;\t"
_FIRST_LINES: Final = 100  # where the header is looked for
_UNQUOTED_LINE: Final = re.compile(r'([^"\r\n]*)(?:\r\n|\r|\n|\Z)')
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def grid_from_csv(data: bytes, source: str) -> Grid:
    r"""
    Read the cells of a CSV file.

    >>> sheet = grid_from_csv(b'action;outcome\n"a;1";ok', "plan.csv")
    >>> sheet.rows[1].texts
    ('a;1', 'ok')
    """
    text = _decoded(data, source)
    hint = re.match(r"sep=([,;\t])(?:\r\n|\r|\n|$)", text, re.IGNORECASE)
    delimiter = hint[1] if hint else _delimiter(text)
    check_marks(source, text.encode(), marks=(delimiter.encode(),))
    records = enumerate(_records(text, delimiter, source), 1)
    if hint:
        next(records)  # Excel's own way of naming the delimiter is not a row of ours.
    return grid(source, "", records)


def _decoded(data: bytes, source: str) -> str:
    encoding = "utf-8"
    for bom, name in _BOMS:
        if data.startswith(bom):
            data, encoding = data[len(bom) :], name
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace")
        what = f"byte 0x{data[error.start]:02x} is not {encoding.upper()} text"
        fix = "save the file as `CSV UTF-8`"
        raise unreadable(source, what, fix, position=_line(before)) from None
    if "\0" in text:
        position = _line(text[: text.index("\0")])
        what = "a zero byte: this is not text, or UTF-16 without its mark"
        fix = "save the file as `CSV UTF-8`"
        raise unreadable(source, what, fix, position=position)
    return text


def _line(before: str) -> str:
    breaks = len(re.findall(r"\r\n|\r|\n", before))
    column = len(re.split(r"[\r\n]", before)[-1]) + 1
    return f"{breaks + 1}:{column}"


def _delimiter(text: str) -> str:
    """Take the delimiter that stands most often in the first row that has any."""
    for line in itertools.islice(re.finditer(r"[^\r\n]+", text), _FIRST_LINES):
        bare = re.sub(r'"[^"]*"', "", line[0])
        if any(mark in bare for mark in _DELIMITERS):
            return max(_DELIMITERS, key=bare.count)
    return ","


def _records(text: str, delimiter: str, source: str) -> Iterator[list[str]]:
    """Split the text into rows of cells; quotes hide delimiters and line breaks."""
    field = re.compile(
        rf'(?:"(?P<quoted>[^"]*+(?:""[^"]*+)*+)"|(?P<bare>[^"{delimiter}\r\n][^{delimiter}\r\n]*)?)'
        rf"(?P<end>{delimiter}|\r\n|\r|\n|\Z)"
    )
    place, number, cells = 0, 1, list[str]()
    while place < len(text):
        plain = None if cells else _UNQUOTED_LINE.match(text, place)
        is_narrow = plain and plain[1].count(delimiter) < MOST_COLUMNS
        if plain is not None and is_narrow and plain.end() > place:
            # Without quotes there is nothing to look out for.
            cells, place = plain[1].split(delimiter), plain.end()
            _check_row(cells, number, source)
            yield cells
            number, cells = number + 1, []
            continue
        match = field.match(text, place)
        if match is None:
            raise _misquoted(text, place, source, cell_name("", number, len(cells)))
        quoted = match["quoted"]
        bare = match["bare"] or ""
        cells.append(bare if quoted is None else quoted.replace('""', '"'))
        place = match.end()
        _check_row(cells, number, source)
        if match["end"] != delimiter:
            yield cells
            number, cells = number + 1, []
    yield cells


def _check_row(cells: list[str], number: int, source: str) -> None:
    if len(cells) > MOST_COLUMNS:
        what = f"row {number} has more than {MOST_COLUMNS} cells"
        fix = "check the delimiter, or delete the columns that are not needed"
        raise unreadable(source, what, fix)
    if number > MOST_ROWS:
        what = f"the table has more than {MOST_ROWS:,} rows"
        raise unreadable(source, what, "split the problem")


def _misquoted(text: str, place: int, source: str, position: str) -> FormatError:
    """Return what is wrong with the quotes of the cell that starts here."""
    closed = re.compile(r'"[^"]*+(?:""[^"]*+)*+"').match(text, place)
    if closed is None:
        what, fix = "the quotes are never closed", 'close them: `"a, b"`'
    else:
        rest = re.compile(r"[^\r\n]{0,20}").match(text, closed.end())
        what = f"`{rest[0] if rest else ''}` stands after the closing quotes"
        fix = "double the quotes inside a quoted cell: "
        fix += '`"""my action""=ok"`, or write `\'my action\'=ok`'
    return unreadable(source, what, fix, position=position)
