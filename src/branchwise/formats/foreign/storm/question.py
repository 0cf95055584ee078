"""Properties of models: what can be asked here, and where it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from branchwise.formats.foreign.storm.constants import COMMENT
from branchwise.formats.source_file import file_bytes
from branchwise.formats.source_text import decode

OWN: Final = re.compile(r"^// property: (.+)$", re.MULTILINE)
"""The line of a model that says what is asked."""

_ENDINGS: Final = (".props", ".pctl", ".prctl", ".csl")
_MOST_NAMES: Final = 1_000
_MOST_FILES: Final = 20
_MOST_ASKED: Final = 50
_BOUND: Final = r"(?:(<=?)\s*(\w+)\b\s*)?"
_REACH: Final = re.compile(
    r"P\s*(max|min)?\s*=\s*\?\s*\[\s*"
    rf"(?:F\s*|(?P<stay>[^\[\]]+?)\s*\bU\s*){_BOUND}(?P<goal>.+?)\s*\]"
)
_EARN: Final = re.compile(
    r"R\s*(?:\{\s*\"([^\"]*)\"\s*\})?\s*(max|min)?\s*=\s*\?\s*\[\s*F\s+(.+?)\s*\]"
)
_FILTER: Final = "{"


class Question(NamedTuple):
    """A property that can be asked here: its text, its goal and what counts."""

    text: str
    goal: str
    stay: str = "true"
    steps: int | None = None
    rewards: str | None = None
    is_least: bool = False


def files_of_properties(model: Path) -> list[Path]:
    """
    Return the files beside a model that say what is asked of it.

    The one of the same name, or else with the beginning of it (`coin.props` is about
    `coin2.nm`, too), or else all that there are.
    """
    if not model.is_file():
        return []
    beside = sorted(each.name for each in model.parent.iterdir())[:_MOST_NAMES]
    found = [path for path in map(Path, beside) if path.suffix in _ENDINGS]
    fitting = [each for each in found if model.name.startswith(each.stem)]
    if fitting:
        longest = max(len(each.stem) for each in fitting)
        found = [each for each in fitting if len(each.stem) == longest][:1]
    return [model.parent / each for each in found[:_MOST_FILES]]


def properties_text(path: Path) -> str:
    """Return what a file of properties says."""
    return decode(file_bytes(path), str(path))


def questions(
    model: str, properties: str, values: Mapping[str, str]
) -> Iterator[Question]:
    """Yield what may be asked: what the model says itself, or else the other file."""
    own = [each for m in OWN.finditer(model) for each in asked(m[1], values)]
    yield from own[:_MOST_ASKED]
    lines = () if own else properties.splitlines()
    others = (each for line in lines for each in asked(COMMENT.sub("", line), values))
    yield from islice(others, _MOST_ASKED)


def asked(text: str, values: Mapping[str, str]) -> Iterator[Question]:
    """Yield the question that a property asks, if it can be asked here."""
    text = re.sub(r'^\s*"\w+"\s*:', "", text).strip().rstrip(";").strip()
    if _FILTER in text.partition("[")[2]:
        return
    if found := _REACH.fullmatch(text):
        steps = _steps(found[3], found[4] or "", values)
        if found[3] is None or steps is not None:
            stay = (found["stay"] or "true").strip()
            is_least = found[1] == "min"
            yield Question(text, found["goal"], stay, steps, is_least=is_least)
    elif found := _EARN.fullmatch(text):
        is_least = found[2] == "min"
        yield Question(text, found[3], rewards=found[1] or "", is_least=is_least)


def _steps(sign: str | None, text: str, values: Mapping[str, str]) -> int | None:
    """Return within how many steps, where that is said and known."""
    said = values.get(text, text)
    if sign is None or not said.isascii() or not said.isdigit():
        return None
    return int(said) - (sign == "<")
