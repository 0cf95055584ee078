"""How answers show themselves where pictures can be seen, such as in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["offer_view", "viewed"]

_views: dict[str, Callable[[Any], str]] = {}


def offer_view(kind: str, view: Callable[[Any], str]) -> None:
    """
    Return how answers are to be shown.

    An answer knows nothing of pictures, and those who draw know all answers; so the
    package itself, which knows both, introduces them.
    """
    _views[kind] = view


def viewed(kind: str, answer: object) -> str | None:
    """Show an answer; None where no view was offered."""
    view = _views.get(kind)
    return None if view is None else view(answer)
