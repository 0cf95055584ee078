"""Which format a file has, by the end of its name."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, cast

from branchwise.errors import did_you_mean
from branchwise.formats.nodes import Place
from branchwise.formats.source_text import refuse

__all__ = ["FORMATS", "Format", "format_of", "known_format"]

Format = Literal["yaml", "json", "csv", "xlsx"]
FORMATS: Final = ("yaml", "json", "csv", "xlsx")

_SUFFIXES = {".yml": "yaml", **{f".{name}": name for name in FORMATS}}


def format_of(path: str | Path) -> Format:
    """
    Tell a file's format by the end of its name.

    Examples
    --------
    >>> format_of("oil.YML")
    'yaml'
    """
    suffix = Path(path).suffix
    found = _SUFFIXES.get(suffix.lower())
    if found is None:
        names = ", ".join(f"`{known}`" for known in _SUFFIXES)
        near = did_you_mean(suffix, list(_SUFFIXES))
        what = f"`{suffix}` is not the end of a problem file's name{near}"
        if not suffix:
            what = "the file's name does not tell its format"
        raise refuse(Place(str(path)), what, f"let the name end in one of {names}")
    return cast("Format", found)


def known_format(name: str) -> Format:
    """Check a format that was asked for by name."""
    if name not in FORMATS:
        near = did_you_mean(name, list(FORMATS))
        names = ", ".join(f'"{known}"' for known in FORMATS)
        raise ValueError(f"there is no format {name!r}{near} The formats are {names}")
    return cast("Format", name)
