"""Files to write, checked before the work begins and not only when it is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

__all__ = [
    "GRAPH_FILE",
    "OUTPUT_FILE",
    "OUTPUT_FOLDER",
    "PAGE_FILE",
    "PICTURE_FILE",
    "PROGRAM_FILE",
    "RENDERED_FILE",
    "TABLE_FILE",
    "force_option",
    "keep",
    "spare",
]


class _OutputFile(click.Path):
    """
    A file that can be written; ``-`` is the standard output.

    Parameters
    ----------
    suffixes
        How its name may end; anything will do where none are given.
    """

    name = "file"

    def __init__(self, *suffixes: str) -> None:
        super().__init__()
        self._suffixes = suffixes

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        path = Path(os.fspath(value))
        if self._suffixes and path.suffix.lower() not in self._suffixes:
            *others, last = self._suffixes
            known = f"{', '.join(others)} or {last}" if others else last
            self.fail(f"'{path}' must end in {known}", param, ctx)
        if str(path) == "-":
            return "-"
        if path.is_dir():
            self.fail(f"'{path}' is a folder; name a file in it", param, ctx)
        if not path.parent.is_dir():
            fix = f"make it first: mkdir -p '{path.parent}'"
            self.fail(f"there is no folder '{path.parent}'; {fix}", param, ctx)
        place = path if path.exists() else path.parent
        if not os.access(place, os.W_OK):
            self.fail(f"'{place}' cannot be written to", param, ctx)
        return str(path)


class _OutputFolder(click.Path):
    """A folder that files can be written into; it is made where there is none."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        path = Path(os.fspath(value))
        if str(path) == "-":
            self.fail("several files do not go to `-`; name a folder", param, ctx)
        place = next(each for each in (path, *path.absolute().parents) if each.exists())
        if not place.is_dir():
            self.fail(f"'{place}' is a file; name a folder", param, ctx)
        if not os.access(place, os.W_OK):
            self.fail(f"'{place}' cannot be written to", param, ctx)
        return str(path)


def keep(source: str, *targets: str | None, what: str = "problem") -> None:
    """Refuse to write an answer over the problem it answers, or what else was read."""
    existing = [Path(t) for t in targets if t and Path(t).exists()]
    for target in existing if Path(source).exists() else []:
        if target.samefile(source):
            message = f"'{target}' is the {what} itself; name another file"
            raise click.UsageError(message, click.get_current_context())


def spare(target: str, *, force: bool) -> None:
    """Refuse to write a problem over a file that is there, unless that is asked for."""
    if not force and Path(target).is_file():
        fix = "name another file, or write over it with --force"
        message = f"'{target}' is there already, and would be lost; {fix}"
        raise click.UsageError(message, click.get_current_context())


force_option = click.option(
    "--force", is_flag=True, help="Write over TARGET if it is there already."
)

OUTPUT_FILE: Final = _OutputFile()
OUTPUT_FOLDER: Final = _OutputFolder()
PAGE_FILE: Final = _OutputFile(".html")
TABLE_FILE: Final = _OutputFile(".csv")
PICTURE_FILE: Final = _OutputFile(".html", ".svg")
GRAPH_FILE: Final = _OutputFile(".svg", ".dot", ".gv", ".mmd")
PROGRAM_FILE: Final = _OutputFile(".mps", ".lp")
RENDERED_FILE: Final = _OutputFile(
    ".html", ".svg", ".dot", ".gv", ".mmd", ".txt", ".json"
)
