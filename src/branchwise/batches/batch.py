"""Batches: every problem of a folder solved, and one table of what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import Any, Final, NamedTuple

from branchwise.batches.batch_journal import batch_journal
from branchwise.batches.batch_row import ERROR, BatchRow
from branchwise.engine.limits import thread_count
from branchwise.errors import BranchwiseError, FormatError, printable
from branchwise.executors.executor import Executor, checked_executor
from branchwise.executors.share import answers
from branchwise.formats.read import read
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Status

SUFFIXES: Final = (".yaml", ".yml", ".json")
"""The ends of the names that are looked for in a folder."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What came of many files, in the order of their names."""

    rows: tuple[BatchRow, ...]
    num_all: int
    """How many there are; some are missing where it was interrupted."""
    num_resumed: int = 0
    """How many of them a journal had already."""

    @property
    def status(self) -> Status:
        """Whether all of them were looked at."""
        is_whole = len(self.rows) == self.num_all
        return Status.OPTIMAL if is_whole else Status.INTERRUPTED

    @property
    def num_errors(self) -> int:
        """How many could not be read or solved."""
        return sum(row.status == ERROR for row in self.rows)


class _Question(NamedTuple):
    file: str
    problem: Problem


# Every argument past the first has a name and a default, so many do no harm.
def batch(  # noqa: PLR0913
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    journal: str | os.PathLike[str] | None = None,
    num_threads: int | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
    executor: Executor | None = None,
) -> Batch:
    """
    Solve every problem in a folder.

    Parameters
    ----------
    files
        A folder, whose YAML and JSON files are taken, those in folders below it
        included; or files of any format that is read.
    gap, time_limit_seconds
        When to stop with each of them; see `solve`.
    journal
        A file that gets a line for each problem as it is done. If it is there already,
        what it has is not solved again, unless the file has changed since.
    num_threads
        How many problems are solved at a time; as many as there are cores unless said.
    progress
        Called with how many are done, of how many.
    cancel
        Set this event, from any thread, to end it like Ctrl-C, with what is done.
    executor
        Who solves them instead of threads of this process: an executor of
        `concurrent.futures`, or a Dask client. The answers do not depend on it.

    Returns
    -------
    Batch
        A row for each file. What cannot be read or solved has a row that says why.

    Raises
    ------
    FileNotFoundError
        There is no such folder or file.
    JournalError
        The journal is something else, was begun with other limits, or is in use.
    ExecutorError
        The executor has no workers any more, or such of another version.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> toss = "actions: {toss: {outcomes: {heads: 0.5, tails: 0.5}}}"
    >>> with TemporaryDirectory() as folder:
    ...     for value in (2, 4):
    ...         reward = f"{{when: toss=heads, value: {value}}}"
    ...         file = Path(folder) / f"win-{value}.yaml"
    ...         _ = file.write_text(f"{{{toss}, rewards: [{reward}]}}")
    ...     [(row.file, row.expected_reward) for row in batch(folder).rows]
    [('win-2.yaml', 1.0), ('win-4.yaml', 2.0)]
    """
    paths = dict(_paths(files))
    how = {"gap": gap, "time_limit_seconds": time_limit_seconds}
    elsewhere = None if executor is None else checked_executor(executor)
    with batch_journal(journal, how) as book:
        known = {n: row for n, p in paths.items() if (row := book.row(n, p))}
        rows = dict(known)
        asked: list[_Question] = []
        for name, path in paths.items():
            if name in known:
                continue
            read_in = _read(name, path)
            if isinstance(read_in, BatchRow):
                rows[name] = read_in
                book.add(read_in)
            else:
                asked.append(read_in)

        def look(num_done: int) -> None:
            done = len(rows) if num_done else len(paths) - len(asked)
            progress(Progress(Stage.BATCH, done, num_all=len(paths)))
            if cancel is not None and cancel.is_set():
                raise KeyboardInterrupt

        try:
            for row in _solved(asked, how, num_threads, elsewhere, look):
                rows[row.file] = row
                book.add(row)
        except KeyboardInterrupt:
            if not rows:
                raise
    found = tuple(rows[name] for name in paths if name in rows)
    return Batch(found, len(paths), len(known))


def _paths(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> Iterator[tuple[str, Path]]:
    """Return files by the names that their rows have."""
    if isinstance(files, str | os.PathLike):
        folder = _path(files)
        if not folder.is_dir():
            yield folder.name, _there(folder)
            return
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in SUFFIXES and path.is_file():
                yield path.relative_to(folder).as_posix(), path
        return
    if not isinstance(files, Iterable):
        raise _no_file(files)
    for each in files:
        path = _path(each)
        if path.is_dir():
            yield from ((str(path / name), file) for name, file in _paths(path))
        else:
            yield str(path), _there(path)


def _path(file: object) -> Path:
    if not isinstance(file, str | os.PathLike):
        raise _no_file(file)
    return Path(file)


def _no_file(given: object) -> TypeError:
    return TypeError(
        f"a batch is a folder, or names of files, not {type(given).__name__}"
        "\n    fix: write batch('models'), or solve(problem) for a single problem"
    )


def _there(path: Path) -> Path:
    if not path.exists():
        raise FileNotFoundError(2, "there is no such file or folder", str(path))
    return path


def _read(name: str, path: Path) -> _Question | BatchRow:
    try:
        return _Question(name, read(path))
    except (BranchwiseError, OSError) as error:
        return BatchRow(name, error=_words(error))


def _words(error: Exception) -> str:
    """Return what went wrong; of many things the first."""
    if isinstance(error, FormatError) and error.issues:
        return printable(str(error.issues[0]), keep="\n")
    return printable(str(error), keep="\n")


def _solved(
    asked: Sequence[_Question],
    how: Mapping[str, Any],
    num_threads: int | None,
    executor: Executor | None,
    look: Callable[[int], object],
) -> Iterator[BatchRow]:
    work = partial(_rows, how)
    if executor is not None:
        yield from (row for _, row in answers(work, asked, executor, look))
        return
    with ThreadPoolExecutor(thread_count(num_threads)) as threads:
        found = answers(work, asked, threads, look)
        with closing(found):
            yield from (row for _, row in found)


def _rows(
    how: Mapping[str, Any], asked: Sequence[_Question], cancel: Event
) -> list[BatchRow]:
    """Solve some problems, in a worker."""
    return [_row({**how, "cancel": cancel}, each) for each in asked]


def _row(how: Mapping[str, Any], asked: _Question) -> BatchRow:
    file, problem = asked
    began = perf_counter()
    try:
        found = solve(problem, num_threads=1, **how)
    except BranchwiseError as error:
        seconds = perf_counter() - began
        return BatchRow(file, problem.name, seconds=seconds, error=_words(error))
    return BatchRow(
        file,
        problem.name,
        str(found.status),
        float(found.expected_reward),
        float(found.upper_bound),
        found.first_action,
        found.tree.num_nodes,
        found.statistics.full_graph_states,
        perf_counter() - began,
    )
