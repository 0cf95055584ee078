"""Sweeps: many random problems of one kind, each in a file of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, Final, NamedTuple, Unpack

from branchwise.errors import BranchwiseError, Issue, ProblemError
from branchwise.executors.executor import Executor, checked_executor
from branchwise.executors.share import answers
from branchwise.formats.atomic import write_atomically
from branchwise.formats.read import read
from branchwise.formats.write import write_text
from branchwise.generator.generate import generate
from branchwise.generator.recipe import DEFAULTS, Knobs, recipe_of
from branchwise.model.arguments import a_whole_number
from branchwise.model.numbers.number import Number
from branchwise.tree.progress import Listener, Progress, Stage, silent

MOST_PROBLEMS: Final = 10_000_000


class Sweep(NamedTuple):
    """What a sweep has made."""

    paths: tuple[Path, ...]
    """The files, in the order of their seeds."""
    issues: tuple[Issue, ...]
    """Why there is no problem for some seeds; most sweeps have none of these."""


class _Made(NamedTuple):
    """The file of one seed, or why there is none."""

    text: str
    issues: Sequence[Issue] = ()


# Every argument past the second has a name and a default, so many do no harm.
def sweep(  # noqa: PLR0913
    folder: str | os.PathLike[str],
    number: int,
    *,
    actions: int = DEFAULTS["actions"],
    budget: Number = DEFAULTS["budget"],
    seed: int | str = DEFAULTS["seed"],
    progress: Listener = silent,
    cancel: Event | None = None,
    executor: Executor | None = None,
    **knobs: Unpack[Knobs],
) -> Sweep:
    """
    Make many random problems of one kind, and write each to a file of a folder.

    The files are called ``1.yaml``, ``2.yaml`` and so on, with zeros in front so that
    they stand in order. File 7 of the seed ``s`` is what `generate` makes of the seed
    ``s-7``, and its name says so.

    Parameters
    ----------
    folder
        Where to write; it is made where there is none. A file that is there already
        with another problem is an error, and nothing is written then.
    number
        How many problems.
    actions, budget, knobs
        What all of them have in common; see `generate`.
    seed
        What their seeds begin with.
    progress
        Called with how many are made, of how many.
    cancel
        Set this event, from any thread, to end it like Ctrl-C; what is written stays,
        and is not made again next time.
    executor
        Who makes them instead of this process: an executor of `concurrent.futures`, or
        a Dask client. The files do not depend on it.

    Raises
    ------
    ProblemError
        The knobs contradict each other.
    FileExistsError
        A file is there already, and holds something else.
    ExecutorError
        The executor has no workers any more, or such of another version.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from branchwise import read
    >>> with TemporaryDirectory() as folder:
    ...     made = sweep(folder, 10, actions=5, budget=4, seed="s")
    ...     made.paths[6].name, read(made.paths[6]).name
    ('07.yaml', 'branchwise generate --actions 5 --budget 4 --seed s-7')
    """
    count = a_whole_number("number", number, least=1, most=MOST_PROBLEMS)
    recipe: dict[str, Any] = {"actions": actions, "budget": budget, **knobs}
    recipe_of({**recipe, "seed": seed})
    place, width = Path(folder), len(str(count))
    seeds = {place / f"{n:0{width}}.yaml": f"{seed}-{n}" for n in range(1, count + 1)}
    missing = [p for p, each in seeds.items() if not _is_there(p, recipe, each)]
    place.mkdir(parents=True, exist_ok=True)
    issues: dict[Path, Sequence[Issue]] = {}

    def look(num_done: int) -> None:
        if cancel is not None and cancel.is_set():
            raise KeyboardInterrupt
        num_known = count - len(missing)
        progress(Progress(Stage.GENERATING, num_known + num_done, num_all=count))

    with _crew(executor) as crew:
        work = partial(_made, recipe)
        made = answers(work, [seeds[path] for path in missing], crew, look)
        with closing(made):
            for turn, each in made:
                if each.issues:
                    issues[missing[turn]] = each.issues
                else:
                    write_atomically(missing[turn], each.text)
    paths = tuple(path for path in seeds if path not in issues)
    return Sweep(paths, tuple(issue for p in seeds for issue in issues.get(p, ())))


def _is_there(path: Path, recipe: Mapping[str, Any], seed: str) -> bool:
    """Whether a file has the problem of a seed; refuse what holds something else."""
    if not path.exists():
        return False
    try:
        name = read(path).name
    except (BranchwiseError, OSError):
        name = ""
    if name == recipe_of({**recipe, "seed": seed}).command():
        return True
    fix = "name another folder, or remove it"
    raise FileExistsError(17, f"this is not the problem to be made; {fix}", str(path))


@contextmanager
def _crew(executor: Executor | None) -> Iterator[Executor]:
    """Provide who makes problems: one thread here unless said otherwise."""
    if executor is not None:
        yield checked_executor(executor)
        return
    with ThreadPoolExecutor(1) as crew:
        yield crew


def _made(
    recipe: Mapping[str, Any], seeds: Sequence[str], cancel: Event
) -> list[_Made]:
    """Make the problems of some seeds, in a worker."""
    return [_made_of(recipe, seed) for seed in seeds if not cancel.is_set()]


def _made_of(recipe: Mapping[str, Any], seed: str) -> _Made:
    try:
        return _Made(write_text(generate(**recipe, seed=seed)))
    except ProblemError as error:
        issues = [replace(each, where=f"--seed {seed}") for each in error.issues]
        return _Made("", tuple(issues))
