"""XML to elements that know their place; nothing in it is fetched, or multiplies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NoReturn
from xml.parsers import expat

from branchwise.formats.file_limits import DEEPEST, STRETCH
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, refuse

_FIX: Final = "open it in the tool that wrote it, and save it again"


@dataclass(slots=True)
class Element:
    """An element: its name, its attributes, the text in it and what is inside."""

    name: str
    attributes: dict[str, str]
    place: Place
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def inside(self, name: str) -> list[Element]:
        """Return the elements of a name directly inside this one."""
        return [child for child in self.children if child.name == name]


def xml_tree(data: bytes, source: str) -> Element:
    """Return the root of an XML file; a document type is refused, with all it does."""
    return _Reader(source).read(data)


class _Reader:
    """Builds elements while the parser goes through the file."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._open: list[Element] = []
        self._root: Element | None = None
        self._num_elements = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        # Entities can stand for other files, or for more text than fits anywhere; they
        # are declared in a document type, and nowhere else.
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type

    def read(self, data: bytes) -> Element:
        """Return the root."""
        try:
            self._parser.Parse(data, True)  # noqa: FBT003
        except expat.ExpatError as error:
            said = expat.ErrorString(error.code)
            place = Place(self._source, error.lineno, error.offset + 1)
            raise refuse(place, f"this is no XML: {said}", _FIX) from None
        except LookupError as error:
            place = Place(self._source, 1, 1)
            raise refuse(place, f"this cannot be read: {error}", _FIX) from None
        assert self._root is not None
        return self._root

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._num_elements += 1
        if len(self._open) == DEEPEST or self._num_elements > STRETCH:
            what = f"nested more than {DEEPEST} levels deep"
            if len(self._open) < DEEPEST:
                what = f"there are more than {STRETCH:,} elements"
            raise refuse(self._place(), what, "take a part of the tree")
        element = Element(name, attributes, self._place())
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _add_text(self, text: str) -> None:
        self._open[-1].text += text

    def _refuse_document_type(self, name: str, *_: object) -> NoReturn:
        what = f"there is a document type, {excerpt(f'<!DOCTYPE {name}')}, which may "
        what += "have entities in it, and is not read"
        raise refuse(self._place(), what, "remove it: no tree needs one")

    def _place(self) -> Place:
        parser = self._parser
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber
        return Place(self._source, line, column + 1)
