"""How the canonical engine may go about it."""

from __future__ import annotations

from typing import Final, Literal

__all__ = ["SEARCHES", "Search", "checked_search"]

Search = Literal["auto", "exhaustive", "best-first"]

SEARCHES: Final[tuple[Search, ...]] = ("auto", "exhaustive", "best-first")
"""The first one is the default."""


def checked_search(search: Search) -> Search:
    """Give the search, if there is such a one."""
    if search not in SEARCHES:
        known = ", ".join(SEARCHES)
        raise ValueError(f"there is no search `{search}`; there are {known}")
    return search
