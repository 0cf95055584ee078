"""The pages of the site, as Markdown: those of the repository, with links that fit."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from docs_site.api_pages import API_FOLDER, api_pages, lay_out_package

ROOT: Final = Path(__file__).parents[2]

_MOVED: Final = {
    "README.md": "index.md",
    "docs/README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "cpp/README.md": "cpp.md",
    "examples": "gallery.md",
}
"""Where pages stand that have another name in the site."""

_PAGES: Final = ("CHANGELOG.md", "CONTRIBUTING.md", "cpp/README.md")
"""Pages of the site that are no part of `docs`."""

_FOLDERS: Final = ("docs/", "examples/")

_ABOUT: Final = [
    {"Changes": "changes.md"},
    {"Contributing": "contributing.md"},
    {"The C++ core": "cpp.md"},
]
_FENCED: Final = re.compile(r"(?ms)^```.*?^```$")
_LINK: Final = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
_ENTRY: Final = re.compile(r"^- \[(.+?)\]\(([^)#]+\.md)\)", re.MULTILINE)
_NESTED: Final = re.compile(r"^  (?=[-* ] )", re.MULTILINE)


class SourceError(Exception):
    """A page cannot be part of the site."""


def lay_out(folder: Path, package: Path) -> list[Any]:
    """Write the pages and what they are about; return the table of contents."""
    lay_out_package(package)
    shutil.copytree(ROOT / "docs", folder)
    (folder / "README.md").unlink()
    shutil.copy(Path(__file__).parent / "site.css", folder)
    shutil.copytree(ROOT / "examples", folder / "examples")
    for page in [*(ROOT / "docs").rglob("*.md"), *map(ROOT.joinpath, _PAGES)]:
        (folder / _place(page)).write_text(_adapted(page), encoding="utf-8")
    (folder / API_FOLDER).mkdir()
    for name, text in api_pages().items():
        (folder / API_FOLDER / name).write_text(text, encoding="utf-8")
    return contents()


def contents() -> list[Any]:
    """Return the table of contents: what the index of the documentation lists."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    found: list[Any] = [{"Start": "index.md"}]
    for section in re.split(r"(?m)^## ", index)[1:]:
        title, _, text = section.partition("\n")
        pages = [{name: path} for name, path in _ENTRY.findall(text)]
        if title == "Reference":
            pages.append({"Python, from its docstrings": _api_contents()})
        if len(pages) == 1:
            found += pages
        elif pages:
            found.append({title: pages})
    return [*found, {"About": _ABOUT}]


def _api_contents() -> list[dict[str, str]]:
    return [{name.removesuffix(".md"): f"{API_FOLDER}/{name}"} for name in api_pages()]


def _place(path: Path) -> str:
    """Return where a file of the repository stands in the site."""
    name = path.relative_to(ROOT).as_posix()
    return _MOVED.get(name, name.removeprefix("docs/"))


def _adapted(page: Path) -> str:
    """Return a page with links that lead where things stand in the site."""

    def link(match: re.Match[str]) -> str:
        return _link(page, match[1], match[2])

    adapted = []
    for text, is_code in _apart(page.read_text(encoding="utf-8")):
        # Where the repository is shown, lists nest by two blanks; here by four.
        adapted.append(text if is_code else _NESTED.sub("    ", _LINK.sub(link, text)))
    return "".join(adapted)


def _apart(text: str) -> Iterator[tuple[str, bool]]:
    """Return the pieces of a page, and whether each is code."""
    end = 0
    for match in _FENCED.finditer(text):
        yield text[end : match.start()], False
        yield match[0], True
        end = match.end()
    yield text[end:], False


def _link(page: Path, label: str, target: str) -> str:
    """Return a link that fits the site; of what is not part of it, the words alone."""
    parts = urlsplit(target)
    if parts.scheme or not parts.path:
        return f"{label}({target})"
    meant = (page.parent / parts.path).resolve()
    if not meant.is_relative_to(ROOT) or not meant.exists():
        raise SourceError(f"{page.relative_to(ROOT)}: `{target}` leads nowhere")
    place = _place(meant)
    name = meant.relative_to(ROOT).as_posix()
    is_there = name in _MOVED or name in _PAGES or name.startswith(_FOLDERS)
    if not is_there:
        return label.removeprefix("!")[1:-1]
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    way = Path(os.path.relpath(place, Path(_place(page)).parent)).as_posix()
    return f"{label}({way}{fragment})"
