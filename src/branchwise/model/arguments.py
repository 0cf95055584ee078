"""Arguments of public functions: whether they are of a kind that can be meant."""

import math
import os
from importlib import import_module
from numbers import Real as RealNumber
from typing import Any, TypeVar

T = TypeVar("T")

_LONGEST = 100


def a_whole_number(
    name: str, value: Any, *, least: int | None = None, most: int | None = None
) -> int:
    """
    Return an argument as a whole number; 1e9 is one, too.

    >>> a_whole_number("memory_limit_bytes", 1e9)
    1000000000
    """
    number = a_real(name, value)
    if math.isinf(number) or math.isnan(number) or number != int(number):
        raise ValueError(f"{name} is a whole number, not {_shown(value)}")
    whole = int(number)
    if least is not None and whole < least:
        raise ValueError(f"{name} is at least {least:,}, not {_shown(value)}")
    if most is not None and whole > most:
        raise ValueError(f"{name} is at most {most:,}, not {_shown(value)}")
    return whole


def a_real(name: str, value: Any) -> Any:
    """Return an argument that must be a number, as it is."""
    if isinstance(value, bool) or not isinstance(value, RealNumber):
        raise TypeError(f"{name} is a number, not {_shown(value)}")
    return value


def a_flag(name: str, value: Any) -> bool:
    """Return an argument that must be True or False; text such as "no" is neither."""
    if not isinstance(value, bool) and value not in (0, 1):
        raise TypeError(f"{name} is True or False, not {_shown(value)}")
    return bool(value)


def a_function(name: str, value: T) -> T:
    """Return an argument that must be a function, as it is."""
    if not callable(value):
        raise TypeError(f"{name} is a function, not {_shown(value)}")
    return value


def a_kind(name: str, value: Any, kind: type[T], fix: str) -> T:
    """Return an argument that must be of some class, as it is, or say the fix."""
    if not isinstance(value, kind):
        a = "an" if kind.__name__[0] in "AEIOU" else "a"
        what = f"{name} is {a} {kind.__name__}, not {_shown(value)}"
        raise TypeError(f"{what}\n    fix: {fix}")
    return value


def a_text(name: str, value: Any) -> str:
    """Return an argument that must be text, as it is."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is text, not {_shown(value)}")
    return value


def a_path(name: str, value: Any) -> str | os.PathLike[str]:
    """Return an argument that must say where a file is, as it is."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name} is a path, not {_shown(value)}")
    return value


def shown_in_notebook(result: object) -> str:
    """Return a result as HTML; what draws it is loaded when it is shown."""
    # What is shown knows nothing of pages, which come after it in the order of rooms.
    notebook = import_module("branchwise.report.notebook")
    return str(notebook.fragment(result))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
