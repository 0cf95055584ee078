"""Files to read and to write, checked before the work begins."""

import os
import sys
from abc import ABC, abstractmethod
from functools import partial
from pathlib import Path
from typing import Any, Final

import click


class _Place(click.Path, ABC):
    """A file or folder: what cannot be used is refused with the reason."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        path: str = os.fspath(value)
        objection = self.objection(Path(path))
        if objection:
            self.fail(objection, param, ctx)
        return path

    @abstractmethod
    def objection(self, path: Path) -> str:
        """Return why the place cannot be used; nothing if it can."""


class _InputFile(_Place):
    """A file to read; ``-`` is the standard input, if there is one."""

    def objection(self, path: Path) -> str:
        is_closed = str(path) == "-" and sys.stdin is None
        return "the standard input is closed; name a file" if is_closed else ""


class _OutputFile(_Place):
    """A file that can be written, by any name or one that ends so; ``-`` prints."""

    def __init__(self, *suffixes: str) -> None:
        super().__init__()
        self._suffixes = suffixes

    def objection(self, path: Path) -> str:
        if self._suffixes and path.suffix.lower() not in self._suffixes:
            *others, last = self._suffixes
            known = f"{', '.join(others)} or {last}" if others else last
            return f"'{path}' must end in {known}"
        if str(path) == "-":
            return ""
        if str(path).startswith("--"):  # An option whose value was forgotten.
            return f"'{path}' is an option; name a file, or write ./{path}"
        if path.is_dir():
            return f"'{path}' is a folder; name a file in it"
        if not path.parent.is_dir():
            fix = f"make it first: mkdir -p '{path.parent}'"
            return f"there is no folder '{path.parent}'; {fix}"
        return _unwritable(path if path.exists() else path.parent)


class _FileOrFolder(_OutputFile):
    """The same, or a folder for several files; that is made where there is none."""

    def objection(self, path: Path) -> str:
        return _unwritable(path) if path.is_dir() else super().objection(path)


class _Tables(_Place):
    """A CSV file, or a folder for several; that is made where there is none."""

    def objection(self, path: Path) -> str:
        if path.suffix.lower() == ".csv":
            return OUTPUT_FILE.objection(path)
        if str(path) == "-":
            return "several files do not go to `-`; name a folder"
        place = next(each for each in (path, *path.absolute().parents) if each.exists())
        if not place.is_dir():
            return f"'{place}' is a file; name a folder"
        return _unwritable(place)


def _unwritable(place: Path) -> str:
    return "" if os.access(place, os.W_OK) else f"'{place}' cannot be written to"


def keep_inputs() -> None:
    """Refuse to write an answer over the problem, or whatever else was read."""
    ctx = click.get_current_context()
    for source in ctx.command.params:
        if isinstance(source.type, _InputFile) and (read := ctx.params[source.name]):
            what = "problem" if source.name == "file" else str(source.name)
            for target in ctx.command.params:
                if isinstance(target.type, _OutputFile | _Tables):
                    written = ctx.params[target.name] or ()
                    paths = [written] if isinstance(written, str) else written
                    refuse_same(read, *paths, what=what)


def refuse_same(source: str, *targets: str, what: str = "problem") -> None:
    """Refuse targets that are the file which was read."""
    existing = [Path(target) for target in targets if Path(target).exists()]
    for target in existing if Path(source).exists() else []:
        if target.samefile(source):
            message = f"'{target}' is the {what} itself; name another file"
            raise click.UsageError(message, click.get_current_context())


INPUT_FILE: Final = _InputFile()
OUTPUT_FILE: Final = _OutputFile()
FILE_OR_FOLDER: Final = _FileOrFolder()
HTML_FILE: Final = _OutputFile(".html")
SVG_FILE: Final = _OutputFile(".svg")
TABLES: Final = _Tables()
GRAPH_FILE: Final = _OutputFile(".svg", ".dot", ".gv", ".mmd")
PROGRAM_FILE: Final = _OutputFile(".mps", ".lp")
RENDERED_FILE: Final = _OutputFile(
    ".html", ".svg", ".dot", ".gv", ".mmd", ".txt", ".json"
)

force_option = click.option(
    "--force", is_flag=True, help="Write over a problem file that is there already."
)

schema_option = click.option(
    "--with-schema",
    is_flag=True,
    help="Let editors check and complete the YAML file: begin it with a comment that "
    "names its schema, and write that beside it, as branchwise.schema.json.",
)


# With the kind of file: `@output_with(type=GRAPH_FILE)`.
output_with = partial(
    click.option, "--output", "-o", help="Write what is made to this file."
)


def one_target(target: str | None, output: str | None, *, force: bool) -> str | None:
    """Return where a problem goes, by an argument or by -o; it is not lost there."""
    if target is not None and output is not None:
        raise click.UsageError("both TARGET and -o name the file to write; name one")
    path = output if target is None else target
    if path is not None and Path(path).is_dir():
        raise click.UsageError(f"'{path}' is a folder; name a file in it")
    if path is not None and not force and Path(path).is_file():
        fix = "name another file, or write over it with --force"
        message = f"'{Path(path)}' is there already, and would be lost; {fix}"
        raise click.UsageError(message, click.get_current_context())
    return path
