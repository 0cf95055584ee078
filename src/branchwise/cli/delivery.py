"""Where an answer goes: files first, then the standard output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from functools import partial, wraps
from typing import Any, Final

import click

import branchwise
from branchwise import report
from branchwise.cli.options import files
from branchwise.cli.options.values import Command, WholeNumber, valued, with_options
from branchwise.cli.terminal.page import Detail, show
from branchwise.errors import Issue
from branchwise.formats.atomic import write_atomically
from branchwise.records import dataclass

Writing = tuple[str, Callable[[], object]]
"""A file, or a folder, and what writes it."""

svg_option = valued("--svg svg_file", files.SVG_FILE, "Also write a picture.")

quiet_option = click.option(
    "--quiet", "-q", is_flag=True, help="Show only the answer: no details, no warnings."
)

# In the order in which every verb lists those that it takes.
_OPTIONS: Final[Mapping[str, Callable[[Command], Command]]] = {
    "limit": valued("--limit N", WholeNumber(0), "Show at most N of them."),
    "all": click.option(
        "--all", "is_all", is_flag=True, help="Show all, however many there are."
    ),
    "json": valued(
        "--json json_file", files.OUTPUT_FILE, "Also write JSON; - prints it instead."
    ),
    "html": valued("--html html_file", files.HTML_FILE, "Also write a page."),
    "csv": valued(
        "--csv tables",
        files.TABLES,
        "Also write tables: all into a folder, or the first to a .csv file.",
    ),
    "svg": svg_option,
    "render": valued(
        "--render rendered_files",
        files.RENDERED_FILE,
        "Also write what the name ends in: .html, .svg, .dot, .gv, .mmd, .txt or "
        ".json (may be repeated).",
        multiple=True,
    ),
    "quiet": quiet_option,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """Where an answer is to go, and how much of it is shown: what options ask for."""

    json_file: str | None
    html_file: str | None = None
    svg_file: str | None = None
    rendered_files: tuple[str, ...] = ()
    tables: str | None = None
    limit: int | None = None
    is_all: bool = False
    quiet: bool = False

    @property
    def has_files(self) -> bool:
        """Whether there is anything to write besides text."""
        return any((self.json_file, self.tables, *self.pictures))

    @property
    def has_page(self) -> bool:
        """Whether a page is among the files."""
        return any(path.lower().endswith(".html") for path in self.pictures)

    @property
    def pictures(self) -> list[str]:
        """The files that `branchwise.render` writes."""
        named = (self.html_file, self.svg_file, *self.rendered_files)
        return [path for path in named if path]

    @property
    def detail(self) -> Detail:
        """How much to show."""
        has_all = self.is_all or self.limit == 0
        return "answer" if self.quiet else "full" if has_all else "likely"

    def most(self, usual: int | None) -> int | None:
        """Return how many to list; ``usual`` many unless asked otherwise."""
        if self.is_all:
            return None
        return usual if self.limit is None else self.limit or None


def answer_options(*names: str) -> Callable[[Command], Command]:
    """Let a command take these, --json and --quiet: it is given ``outputs``."""
    chosen = [_OPTIONS[n] for n in _OPTIONS if n in {*names, "json", "quiet"}]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def asked(**options: Any) -> None:
            known = [f.name for f in fields(Outputs) if f.name in options]
            outputs = Outputs(**{name: options.pop(name) for name in known})
            command(outputs=outputs, **options)

        return with_options(asked, chosen)

    return decorate


def deliver(
    answer: object, outputs: Outputs, *, written: Callable[[], object] | None = None
) -> None:
    """
    Write the files that are asked for, and show the answer, or print it as JSON.

    An answer is shown whatever became of its files; what could not be written is
    reported after it. An answer that was interrupted is delivered, too, and then the
    interruption goes on. What is written may be more than what is shown.
    """
    data = written or (lambda: answer)
    writings: list[Writing] = []
    if folder := outputs.tables:
        writings.append((folder, partial(_write_tables, data, folder)))
    formats: dict[str, str | None] = dict.fromkeys(outputs.pictures)
    file = outputs.json_file
    if file and file != "-":
        formats[file] = "json"
    writings += [(p, partial(_render, data, p, form)) for p, form in formats.items()]
    with written_first(writings):
        if file == "-":
            for part in report.answer_to(data()).json():
                click.echo(part.encode(), nl=False)
        elif answer is not None:
            show(answer, outputs.detail)
    if getattr(answer, "status", None) is branchwise.Status.INTERRUPTED:
        raise KeyboardInterrupt


def _render(data: Callable[[], object], path: str, form: str | None) -> None:
    # Looked up only here: few answers have pictures, and start-up is felt.
    branchwise.render(data(), path, format=form)


def _write_tables(data: Callable[[], object], path: str) -> None:
    """Write all tables into a folder, or the first one to a ``.csv`` file."""
    answer = data()
    if not path.lower().endswith(".csv"):
        report.write_tables(answer, path)
    elif tables := report.tables(answer):
        # Start-up is felt, and few answers are written as tables.
        from branchwise.report.csv_text import table_csv  # noqa: PLC0415

        write_atomically(path, table_csv(tables[0]))
    else:
        fix = "ask for a folder, which may stay empty"
        issue = Issue(path, "the answer has no table to write", fix)
        raise branchwise.FormatError([issue])


@contextmanager
def written_first(writings: Iterable[Writing]) -> Iterator[bool]:
    """
    Write files; let the caller show the answer; then raise what could not be written.

    Yields whether all were written. Ctrl-C leaves the rest of them out, and goes on
    after the answer.
    """
    issues: list[Issue] = []
    is_interrupted = False
    for path, write in writings:
        try:
            write()
        except branchwise.errors.IssuesError as error:
            issues.extend(error.issues)
        except branchwise.LimitError as error:
            what = f"the file is not written: {error}"
            issues.append(Issue(path, what, "allow more time or memory"))
        except MemoryError:
            what = "the file cannot be written: there is not enough memory to make it"
            issues.append(Issue(path, what, "ask for less in it"))
        except KeyboardInterrupt:
            is_interrupted = True
            break
    try:
        yield not issues and not is_interrupted
    finally:
        # What does not reach the standard output either is no reason to hide this.
        if issues:
            raise branchwise.FormatError(issues)
        if is_interrupted:
            raise KeyboardInterrupt


def missing(
    whose: str, error: ModuleNotFoundError, packages: str
) -> click.ClickException:
    """Return what to say where a verb needs packages that not everyone has."""
    what = f"{whose} needs `{error.name}`, which is not installed"
    return click.UsageError(f"{what}\n    fix: pip install {packages}")


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn options that contradict each other, or what is not installed, into usage."""
    try:
        yield
    except branchwise.BranchwiseError:
        raise
    except (ImportError, ValueError) as error:
        params = click.get_current_context().command.params
        options = {o.name: o.opts[0] for o in params} | {"adversary": "--robust"}
        name = "^`(.+)`(?= does not go with )"
        message = re.sub(name, lambda m: options[m[1]], str(error))
        raise click.UsageError(message) from None
