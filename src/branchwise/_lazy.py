"""Names that a package offers and loads when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy(
    package: str, names: Mapping[str, str], rooms: str = ""
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """
    Return `__all__`, `__getattr__`, `__dir__` of a package whose names are loaded late.

    Start-up is felt on a command line, so importing a package must not import all that
    it offers. Type checkers see the names by imports that they alone read, each with
    ``as``, which says that it is offered; a test compares them with those given here.

    The names are given by the module within the package that has them; `rooms` are
    packages and modules within it that are loaded by their names, too.

    Examples
    --------
    >>> names, getattr_, _ = lazy("branchwise", {"model.budget": "Budget UNLIMITED"})
    >>> names, getattr_("UNLIMITED")
    (['Budget', 'UNLIMITED'], inf)
    """
    homes = {name: home for home, some in names.items() for name in some.split()}

    def getattr_(name: str) -> object:
        if name in rooms.split():
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return sorted(homes), getattr_, lambda: sorted(homes)
