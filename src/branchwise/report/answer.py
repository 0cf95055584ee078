"""Answers: what every result offers to those who show it, whatever its kind."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, TypeVar

from branchwise.errors import FormatError, Issue, did_you_mean
from branchwise.formats.atomic import cannot_write, write_atomically
from branchwise.model.arguments import a_kind, a_path
from branchwise.report.json_text import Object, json_text
from branchwise.report.text.ink import Look, Paint, uncolored

if TYPE_CHECKING:
    from pandas import DataFrame

    from branchwise.analysis.table import Table
    from branchwise.report.fields import Record

Detail = Literal["answer", "likely", "full"]
"""How much is said: the answer in words only, with what is likely or comes first, or
with everything, however long."""

Result = TypeVar("Result")


class Answer(ABC, Generic[Result]):
    """
    A result that can be shown: as lines of text, as data, as a page and as tables.

    Each kind of result has one class of this shape, in the file of
    `branchwise.report.answers` that is named after the kind.
    """

    layout: ClassVar[Record]
    """The fields of the document; its schema follows from them."""

    formats: ClassVar[tuple[str, ...]] = ("html", "txt", "json")
    """What it can be written as; each is the end of a file's name, too."""

    page: ClassVar[str] = ""
    """What makes its page, by its place in this room; words and tables unless given."""

    drawings: ClassVar[Mapping[str, str]] = {}
    """What draws it in further formats, by its place in this room."""

    def __init__(self, result: Result) -> None:
        self.result = result

    @classmethod
    def record(cls) -> Record:
        """Return the fields of the document."""
        return cls.layout

    @abstractmethod
    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return the answer as text, line by line."""

    def document(self) -> Object:
        """Return the answer as plain data, laid out as the schema of its kind says."""
        written: Object = self.record().plain(self.result)
        return written

    def json(self) -> Iterator[str]:
        """Return the document as text, piece by piece."""
        yield f"{json_text(self.document())}\n"

    def html(self) -> str:
        """Return the answer as one self-contained HTML page."""
        if self.page:
            return _made(self.page, self.result)
        # What stands below a gap is a table, and shown as one.
        kind = type(self).__name__.removesuffix("Answer")
        shown = [*takewhile(bool, self.lines(Look(), "answer"))]
        first, *words = shown or [kind]
        return _made("page.templates.plain_page", first, kind, words, self.tables())

    def tables(self) -> tuple[Table, ...]:
        """Return the tables of the answer, for CSV files and data frames."""
        # Start-up is felt, and few answers are written as tables.
        from branchwise.report.csv_text import tables_of  # noqa: PLC0415

        return tables_of(self.document())

    def written(self, form: str) -> str:
        """Return the answer in one of its formats."""
        if form in self.drawings:
            return _made(self.drawings[form], self.result)
        if form == "txt":
            return "".join(f"{line}\n" for line in self.lines(Look()))
        if form == "json":
            return "".join(self.json())
        if form == "html":
            return self.html()
        from branchwise.report.csv_text import table_csv  # noqa: PLC0415

        return table_csv(self.tables()[0])

    @classmethod
    def schema(cls) -> Object:
        """Return the JSON Schema of the documents of this kind."""
        return cls.record().schema


# The kind of each result, by the name of its class: start-up is felt, so a kind is
# loaded when one of its results is shown.
_KINDS: Final[Mapping[str, str]] = {
    "Advice": "advice",
    "Analysis": "analysis",
    "Batch": "batch",
    "Certificate": "certificate",
    "Change": "advice",
    "Comparison": "comparison",
    "Evaluation": "evaluation",
    "Explanation": "explanation",
    "Interdiction": "interdiction",
    "Problem": "problem",
    "OptimalPlans": "plans",
    "Profiles": "profiles",
    "ProgramSolution": "program",
    "RewardingSets": "sets",
    "SetsListing": "sets",
    "Simulation": "simulation",
    "Solution": "solution",
}

DOCUMENTS: Final = tuple(sorted({*_KINDS.values()} - {"advice", "plans"}))
"""The kinds of documents that have a schema."""


def answer_to(result: object) -> Answer[Any]:
    """Return the result as an answer; only the file of its kind is loaded."""
    if isinstance(result, Answer):
        return result
    several = isinstance(result, Sequence) and result
    for ancestor in type(several[0] if several else result).__mro__:
        kind = _KINDS.get(ancestor.__name__)
        if kind is not None and ancestor.__module__.startswith("branchwise."):
            return _class_of(kind)(result)
    raise TypeError(
        f"there is nothing to show of a {type(result).__name__}\n    fix: give what "
        "`solve`, `simulate`, `explain` or another function has found"
    )


def lines(
    result: object,
    *,
    detail: Detail = "likely",
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Return a result as text, line by line, as the command line shows it.

    Parameters
    ----------
    result
        What to show: a solution, an analysis, or whatever else branchwise returns.
    detail
        ``answer``: in words only. ``likely``: with tables and trees, of long ones the
        likely part. ``full``: with all of them, however long.
    width
        Cut or break lines that are longer; None lets them be.
    is_ascii
        Draw without the lines and corners that only Unicode has.
    paint
        Colors a piece of text, given what it is.
    """
    return answer_to(result).lines(Look(width, is_ascii, paint), detail)


def document(result: object) -> Object:
    """Return a result as plain data, laid out as `schema` of its kind says."""
    return answer_to(result).document()


def json(result: object) -> str:
    """Return the document of a result as JSON text."""
    return answer_to(result).written("json")


def html(result: object) -> str:
    """Return a result as one self-contained HTML page."""
    return answer_to(result).html()


def tables(result: object) -> tuple[Table, ...]:
    """Return the tables of a result, for CSV files and data frames."""
    return answer_to(result).tables()


def frames(result: object) -> dict[str, DataFrame]:
    """Return every table of a result as a pandas data frame, by its name."""
    return {table.name: table.frame() for table in tables(result)}


def schema(kind: str) -> Object:
    """
    Return the JSON Schema of one kind of document.

    Programs should ignore what they do not know: a later release may add to a version,
    but will neither remove nor change what is there.

    Parameters
    ----------
    kind
        ``problem`` for files with problems, ``solution`` for what `solve` finds, or
        another of `DOCUMENTS`.
    """
    a_kind("the kind of a document", kind, str, "write `problem`, say")
    if kind not in DOCUMENTS:
        near = did_you_mean(kind, DOCUMENTS) or f", only of {', '.join(DOCUMENTS)}"
        raise ValueError(f"there is no schema of `{kind}`{near}")
    return _class_of(kind).schema()


def render(
    result: object,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """
    Write a solution, an analysis or another answer, or what a problem depends on.

    The file is written whole or not at all.

    Parameters
    ----------
    result
        What to show.
    path
        Where to write it.
    format
        ``html`` for a page, ``txt`` for text, ``json`` for data; of a solution and of a
        problem also ``svg`` for a picture, ``dot`` or ``gv`` for Graphviz, ``mmd`` for
        Mermaid, and of a problem only these; of a solution ``silver.json`` for
        SilverDecisions; of profiles also ``csv``, with a row for
        each individual. The end of the file's name decides where it is not given.

    Raises
    ------
    FormatError
        There is no such format, or the file cannot be written.
    """
    a_path("where to write it", path)
    answer = answer_to(result)
    wanted = format or _ending(Path(path).name.lower(), answer.formats)
    if wanted not in answer.formats:
        raise FormatError([_unknown(str(path), wanted, answer.formats)])
    write_atomically(path, answer.written(wanted))


def write_tables(result: object, folder: str | os.PathLike[str]) -> list[Path]:
    """
    Write every table of a result into a folder, each as a CSV file of its name.

    Parameters
    ----------
    result
        What to write; the tables of an analysis are named ``section-table``.
    folder
        Where the files go; it is made where there is none.

    Returns
    -------
    list of Path
        The files that were written.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(place, error) from error
    written = []
    from branchwise.report.csv_text import table_csv  # noqa: PLC0415

    for table in tables(result):
        path = place / f"{table.name}.csv"
        write_atomically(path, table_csv(table))
        written.append(path)
    return written


def _loaded(place: str) -> Any:
    """Return a thing by its place in this room: start-up is felt, and few ask."""
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"branchwise.report.{module}"), name)


def _made(place: str, *values: object) -> str:
    made: str = _loaded(place)(*values)
    return made


def _class_of(kind: str) -> type[Answer[Any]]:
    answer: type[Answer[Any]] = _loaded(f"answers.{kind}.{kind.title()}Answer")
    return answer


def _ending(name: str, formats: tuple[str, ...]) -> str:
    """Return the format that a name ends in, the longest one that there is."""
    known = [form for form in formats if name.endswith(f".{form}")]
    return max(known, key=len, default=Path(name).suffix.removeprefix("."))


def _unknown(path: str, wanted: str, formats: tuple[str, ...]) -> Issue:
    known = ", ".join(f"`.{name}`" for name in formats)
    fix = f"let the name end in one of {known}"
    if not wanted:
        return Issue(path, "the file's name does not tell what to write", fix)
    near = did_you_mean(f".{wanted}", [f".{name}" for name in formats])
    what = f"there is nothing to write to a `.{wanted}` file{near}"
    return Issue(path, what, fix, culprit=wanted)
