"""Names that a package offers and loads when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module

__all__ = ["lazy"]


def lazy(
    package: str, names: Mapping[str, str], rooms: Collection[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """
    Return the `__getattr__` and `__dir__` of a package whose names are loaded late.

    Start-up is felt on a command line, so importing a package must not import all that
    it offers.

    Parameters
    ----------
    package
        Its name: ``__name__``.
    names
        The names that each module within the package has, by the module.
    rooms
        Packages and modules within it that are loaded by their names, too.

    Examples
    --------
    >>> getattr_, dir_ = lazy("branchwise", {"model.budget": "Budget UNLIMITED"})
    >>> dir_(), getattr_("UNLIMITED")
    (['Budget', 'UNLIMITED'], inf)
    """
    homes = {name: home for home, some in names.items() for name in some.split()}

    def getattr_(name: str) -> object:
        if name in rooms:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def dir_() -> list[str]:
        return sorted(homes)

    return getattr_, dir_
