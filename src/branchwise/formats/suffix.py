"""Which format a file has, by the end of its name."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, cast

from branchwise.errors import did_you_mean
from branchwise.formats.place import Place
from branchwise.formats.source_text import refuse

Format = Literal["yaml", "json", "csv", "xlsx", "xml", "pddl", "prism", "stix"]
FORMATS: Final = ("yaml", "json", "csv", "xlsx")
"""The formats that are read and written."""

FOREIGN: Final = ("xml", "pddl", "prism")
"""Formats of other tools that are read; others are YAML or JSON themselves."""

_WRITTEN_FOREIGN = ("prism", "stix")
_OWN = {".yml": "yaml", **{f".{name}": name for name in FORMATS}}
_BY_OTHER_NAMES = {".afb": "json", ".ppddl": "pddl", ".nm": "prism", ".pm": "prism"}
_READ = _OWN | {f".{name}": name for name in FOREIGN} | _BY_OTHER_NAMES
_WRITTEN = _OWN | {".prism": "prism", ".stix.json": "stix"}


def format_of(path: str | Path, *, is_written: bool = False) -> Format:
    """
    Tell a file's format by the end of its name, to read it or to write it.

    >>> format_of("oil.YML")
    'yaml'
    """
    known_suffixes = _WRITTEN if is_written else _READ
    suffix = _suffix_of(Path(path), known_suffixes)
    if suffix.lower() in known_suffixes:
        return cast("Format", known_suffixes[suffix.lower()])
    names = ", ".join(f"`{known}`" for known in known_suffixes)
    if suffix.lower() in _READ:
        what = f"`{suffix}` is read, and not written"
        raise refuse(Place(str(path)), what, f"let the name end in one of {names}")
    near = did_you_mean(suffix, list(known_suffixes))
    what = f"`{suffix}` is not the end of a problem file's name{near}"
    if not suffix:
        what = "the file's name does not tell its format"
    raise refuse(Place(str(path)), what, f"let the name end in one of {names}")


def has_constants(path: str | os.PathLike[str]) -> bool:
    """Whether a file may leave constants open, so that it is read with their values."""
    return _READ.get(_suffix_of(Path(path), _READ).lower()) == "prism"


def _suffix_of(path: Path, known: Iterable[str]) -> str:
    """Return the end of a name: the longest one that is known, where one is."""
    name = path.name.lower()
    found = max((each for each in known if name.endswith(each)), key=len, default="")
    return path.name[-len(found) :] if found else path.suffix


def known_format(name: str, *, is_written: bool = False) -> Format:
    """Check a format that was asked for by name."""
    formats = (*FORMATS, *(_WRITTEN_FOREIGN if is_written else FOREIGN))
    if name not in formats:
        near = did_you_mean(name, list(formats))
        names = ", ".join(f'"{known}"' for known in formats)
        raise ValueError(f"there is no format {name!r}{near} The formats are {names}")
    return cast("Format", name)
