"""What the report room makes of an answer; every call to it by kind stands here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import branchwise
from branchwise.formats.atomic import cannot_write, write_atomically

__all__ = [
    "KINDS",
    "json_parts",
    "kind_of",
    "schema",
    "text_lines",
    "write_json",
    "write_tables",
]

_KINDS: Final[Mapping[str, str]] = {
    "Solution": "solution",
    "Simulation": "simulation",
    "RewardingSets": "sets",
    "ProgramSolution": "program",
    "Analysis": "analysis",
    "Explanation": "explanation",
    "Interdiction": "interdiction",
    "Profiles": "profiles",
}

KINDS: Final = ("problem", *_KINDS.values())
"""The kinds of documents that have a JSON Schema."""

How = Mapping[str, object]


def kind_of(answer: object) -> str:
    """Return the kind of an answer; simulations come as a list, sets may be missing."""
    if isinstance(answer, list):
        return "simulation"
    return "sets" if answer is None else _KINDS[type(answer).__name__]


def text_lines(answer: object, how: How) -> Iterable[str]:
    """Return an answer as lines of text."""
    return _named(answer, "lines")(answer, **how)  # type: ignore[no-any-return]


def json_parts(answer: object, how: How) -> Iterator[str]:
    """Return an answer as JSON, part by part as it is made."""
    written = _named(answer, "json")(answer, **how)
    yield from [written] if isinstance(written, str) else written


def write_json(answer: object, path: str, how: How) -> None:
    """Write an answer to a file as JSON."""
    write_atomically(path, "".join(json_parts(answer, how)))


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of one of the `KINDS`."""
    return getattr(branchwise, f"{kind}_schema")()  # type: ignore[no-any-return]


def write_tables(answer: Any, path: str) -> None:
    """Write all tables into a folder, or the first one to a ``.csv`` file."""
    from branchwise.report.answers.analysis_csv import table_csv  # noqa: PLC0415

    tables = dict(_tables(answer))
    if path.lower().endswith(".csv"):
        write_atomically(path, table_csv(next(iter(tables.values()))))
        return
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    for name, table in tables.items():
        write_atomically(folder / f"{name}.csv", table_csv(table))


def _tables(answer: Any) -> Iterator[tuple[str, branchwise.Table]]:
    if kind_of(answer) != "analysis":
        yield from ((table.name, table) for table in answer.tables())
        return
    for name, section in answer.sections.items():
        yield from ((f"{name}-{table.name}", table) for table in section.tables())


def _named(answer: object, what: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(branchwise, f"{kind_of(answer)}_{what}")
    return found
