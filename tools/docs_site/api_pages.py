"""The reference of Python: every public name, by its docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

API_FOLDER: Final = "reference/api"

_OURS: Final = re.compile(r"^from branchwise\.records import", re.MULTILINE)
_PACKAGE: Final = Path(__file__).parents[2] / "src" / "branchwise"


class _Name(NamedTuple):
    """A public name, and where it is defined."""

    name: str
    module: str


def api_pages() -> dict[str, str]:
    """Return a page for the package and for each of its rooms, by file name."""
    pages = {}
    known: set[_Name] = set()
    for stub in [_PACKAGE / "__init__.pyi", *sorted(_PACKAGE.glob("*/__init__.pyi"))]:
        room = "branchwise" if stub.parent == _PACKAGE else stub.parent.name
        names = [name for name in _public(stub) if name not in known]
        known.update(names)
        if names:
            pages[f"{room}.md"] = "\n".join(_page(room, names))
    return pages


def lay_out_package(folder: Path) -> None:
    """
    Write the sources of the package into a folder, for docstrings to be read from.

    What reads them knows the data classes of the standard library only, so ours, which
    are the same but for how fast they load, are written as these.
    """
    for path in _PACKAGE.rglob("*.py"):
        place = folder / path.relative_to(_PACKAGE.parent)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        place.write_text(_OURS.sub("from dataclasses import", text), encoding="utf-8")


def _public(stub: Path) -> Iterator[_Name]:
    """Return what a stub offers that is a class, a function or a value."""
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module != "branchwise":
            yield from (_Name(each.name, node.module or "") for each in node.names)


def _page(room: str, names: list[_Name]) -> Iterator[str]:
    prefix = "branchwise" if room == "branchwise" else f"branchwise.{room}"
    yield f"# {prefix}"
    yield ""
    yield _opening(room)
    yield ""
    for each in sorted(names, key=lambda name: name.name.lower()):
        yield f"::: {each.module}.{each.name}"
        yield "    options:"
        yield f"        heading: {prefix}.{each.name}"
        yield f"        toc_label: {each.name}"
        yield ""


def _opening(room: str) -> str:
    """Return the first sentence of a room's docstring."""
    package = _PACKAGE if room == "branchwise" else _PACKAGE / room
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    said = re.split(r"\n\s*\n", ast.get_docstring(tree) or "")[0]
    return " ".join(said.split())
