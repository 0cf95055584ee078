"""A look through a workbook's XML for what the spreadsheet reader does not tell.

The reader allots a cell for every place between the first and the last, gives
errors and formulas without a value as blank, and copies a text for each cell that
shares it. So the cells are counted here first, at little cost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from branchwise.formats.file_limits import DEEPEST

CellPlace = tuple[int, int]
"""Row and column, both from 0."""

_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")


class UnsafeXmlError(ValueError):
    """The XML is damaged, or has declarations that no spreadsheet writes."""


@dataclass(slots=True)
class PartScan:
    """What one part of a workbook holds: cells if it is a sheet, or shared texts."""

    num_rows: int = 0
    num_columns: int = 0
    formulas: set[CellPlace] = field(default_factory=set)
    valueless: list[CellPlace] = field(default_factory=list)
    errors: list[tuple[CellPlace, str]] = field(default_factory=list)
    shared_uses: Counter[str] = field(default_factory=Counter)
    shared_lengths: list[int] = field(default_factory=list)


def scan(part: bytes) -> PartScan:
    """Look through one part of a workbook."""
    scanner = _Scanner()
    _parse(part, scanner.start, scanner.end, scanner.text)
    return scanner.found


def sheet_parts(parts: dict[str, bytes]) -> dict[str, str]:
    """Return the name of the part that holds each sheet."""
    rels = parts.get("xl/_rels/workbook.xml.rels", b"<none/>")
    links = _elements(rels, "Relationship")
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    found = {}
    for sheet in _elements(parts["xl/workbook.xml"], "sheet"):
        ids = [value for name, value in sheet.items() if name.endswith(":id")]
        target = targets.get(ids[0] if ids else "", "").removeprefix("/")
        folder = "" if target.startswith("xl/") else "xl/"
        found[sheet.get("name", "")] = f"{folder}{target}"
    return found


def _elements(part: bytes, wanted: str) -> list[dict[str, str]]:
    """Return the attributes of every element of one name."""
    found: list[dict[str, str]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if _local(name) == wanted:
            found.append(attributes)

    _parse(part, start)
    return found


class _Scanner:
    """Follows the cells of a sheet, or the texts of the shared ones."""

    def __init__(self) -> None:
        self.found = PartScan()
        self._row = self._column = -1
        self._kind = ""
        self._has_formula = self._has_child = self._is_value = False
        self._value: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match _local(name):
            case "row":
                self._row = _row_number(attributes, self._row + 1)
                self._column = -1
            case "c":
                self._start_cell(attributes)
            case "f":
                self._has_formula = self._has_child = True
            case "is":
                self._has_child = True
            case "v":
                self._is_value = self._has_child = True
            case "si":
                self.found.shared_lengths.append(0)

    def end(self, name: str) -> None:
        match _local(name):
            case "v":
                self._is_value = False
            case "c" if self._has_child:
                self._end_cell()

    def text(self, text: str) -> None:
        if self._is_value:
            self._value.append(text)
        elif self.found.shared_lengths:
            self.found.shared_lengths[-1] += len(text)

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._column += 1
        if reference := attributes.get("r"):
            self._row, self._column = _place(reference)
        self._kind = attributes.get("t", "")
        self._has_formula = self._has_child = False
        self._value = []

    def _end_cell(self) -> None:
        found, place = self.found, (self._row, self._column)
        found.num_rows = max(found.num_rows, self._row + 1)
        found.num_columns = max(found.num_columns, self._column + 1)
        value = "".join(self._value).strip()
        if self._has_formula:
            found.formulas.add(place)
            # A formula may well result in no text at all.
            if not value and self._kind != "str":
                found.valueless.append(place)
        if self._kind == "e":
            found.errors.append((place, value))
        elif self._kind == "s":
            found.shared_uses[value] += 1


def _parse(
    part: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None] = lambda _: None,
    text: Callable[[str], None] | None = None,
) -> None:
    level = 0

    def down(name: str, attributes: dict[str, str]) -> None:
        nonlocal level
        level += 1
        if level > DEEPEST:
            raise UnsafeXmlError(f"elements within elements, over {DEEPEST} deep")
        start(name, attributes)

    def up(name: str) -> None:
        nonlocal level
        level -= 1
        end(name)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = down
    parser.EndElementHandler = up
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_declaration
    try:
        parser.Parse(part, True)  # noqa: FBT003 - this is the end of the text
    except expat.ExpatError as error:
        raise UnsafeXmlError(str(error)) from None


def _refuse_declaration(*_: object) -> None:
    raise UnsafeXmlError("a document type declaration")


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _row_number(attributes: dict[str, str], following: int) -> int:
    written = attributes.get("r", "")
    if not written:
        return following
    if not re.fullmatch(r"[1-9][0-9]{0,6}", written):
        raise UnsafeXmlError(f"a row numbered {written[:20]}")
    return int(written) - 1


def _place(reference: str) -> CellPlace:
    match = _REFERENCE.fullmatch(reference.upper())
    if match is None:
        raise UnsafeXmlError(f"a cell called {reference[:20]}")
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, column - 1
