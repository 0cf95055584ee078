"""Answers: what every result offers to those who show it, whatever its kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar, Final, Protocol

from branchwise.analysis.table import Table
from branchwise.report.fields import Object, Record
from branchwise.report.text.ink import Look

__all__ = ["KINDS", "Answer", "answer_to", "schema"]


class Answer(Protocol):
    """
    A result that can be shown: as lines of text, as data, as a page and as tables.

    Each kind of result has one class of this shape, in the file of
    `branchwise.report.answers` that is named after the kind.
    """

    kind: ClassVar[str]
    """What the result is: ``solution``, ``simulation`` and so on."""

    layout: ClassVar[Record]
    """The fields of the document; its schema follows from them."""

    def lines(self, look: Look) -> Iterator[str]:
        """Return the answer as text, line by line."""
        ...

    def document(self) -> Object:
        """Return the answer as plain data, laid out as `schema` of its kind says."""
        ...

    def page(self) -> str:
        """Return the answer as one self-contained HTML page."""
        ...

    def tables(self) -> tuple[Table, ...]:
        """Return the tables of the answer, for CSV files and data frames."""
        ...


KINDS: Final[Mapping[str, str]] = {}
"""The kinds of answers: the class of a result, and the file that shows it."""


def answer_to(result: object) -> Answer:
    """Return the result as an answer; only the file of its kind is loaded."""
    for ancestor in type(result).__mro__:
        kind = KINDS.get(ancestor.__name__)
        if kind is not None:
            shown: Answer = _class_of(kind)(result)
            return shown
    raise TypeError(f"there is nothing to show of a {type(result).__name__}")


def schema(kind: str) -> Object:
    """Return the JSON Schema of the documents of one kind of answer."""
    layout: Record = _class_of(kind).layout
    return layout.schema


def _class_of(kind: str) -> Any:
    module = import_module(f"branchwise.report.answers.{kind}")
    return getattr(module, f"{kind.title()}Answer")
