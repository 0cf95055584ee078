"""What built pages refer to: where links lead, and what would be loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

_LOADED: Final = {
    ("audio", "src"), ("embed", "src"), ("iframe", "src"), ("img", "src"),
    ("img", "srcset"), ("link", "href"), ("object", "data"), ("script", "src"),
    ("source", "src"), ("source", "srcset"), ("use", "href"), ("video", "src"),
}  # fmt: skip
_NOT_LOADED: Final = {"canonical", "next", "prev", "alternate", "edit"}
_STYLE: Final = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")


class _References(HTMLParser):
    """Collects what a page links to, what it loads, and the places in it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.places.update(known[name] for name in ("id", "name") if name in known)
        is_named = tag == "link" and known.get("rel") in _NOT_LOADED
        for name, value in known.items():
            if (tag, name) in _LOADED and not is_named:
                self.loaded.append(value)
            elif tag == "a" and name == "href":
                self.links.append(value)


def faults(site: Path) -> Iterator[str]:
    """Return what leads nowhere, and what a page would load from elsewhere."""
    for page in sorted(site.rglob("*.html")):
        found = _references(page)
        shown = page.relative_to(site)
        for target in found.loaded:
            if urlsplit(target).netloc:
                yield f"{shown}: `{target}` would be loaded from elsewhere"
        for target in dict.fromkeys([*found.links, *found.loaded]):
            if not _is_there(site, page, target):
                yield f"{shown}: `{target}` leads nowhere"
    for style in sorted(site.rglob("*.css")):
        for match in _STYLE.finditer(style.read_text(encoding="utf-8")):
            shown = style.relative_to(site)
            yield f"{shown}: `{match[1]}` would be loaded from elsewhere"


@cache
def _references(page: Path) -> _References:
    found = _References()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def _is_there(site: Path, page: Path, target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return True  # Other places are not ours to check.
    meant = page
    if parts.path:
        start = site if parts.path.startswith("/") else page.parent
        meant = (start / unquote(parts.path).lstrip("/")).resolve()
    if meant.is_dir():
        meant /= "index.html"
    if not meant.is_file():
        return False
    fragment = unquote(parts.fragment)
    is_page = meant.suffix == ".html"
    # Scripts of the theme go by marks that begin so.
    is_mark = not fragment or fragment.startswith("__")
    return is_mark or not is_page or fragment in _references(meant).places
