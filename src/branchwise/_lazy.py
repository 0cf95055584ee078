"""Names that a package offers and loads when they are first used."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy(
    package: str,
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """
    Return `__all__`, `__getattr__`, `__dir__` of a package whose names are loaded late.

    Start-up is felt on a command line, so importing a package must not import all that
    it offers. The names and their modules are those that its stub, `__init__.pyi`,
    imports for type checkers. Packages and modules that the stub imports from the
    package itself are loaded by their names, too, without being listed.

    Examples
    --------
    >>> names, getattr_, _ = lazy("branchwise.space")
    >>> "StateSpace" in names, getattr_("StateSpace").__module__
    (True, 'branchwise.space.state_space')
    """
    homes = _homes(package)
    names = sorted(name for name, home in homes.items() if home != package)

    def getattr_(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        value: object = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return names, getattr_, lambda: names


def _homes(package: str) -> dict[str, str]:
    """Read in a package's stub which module each name is from."""
    # As `pkgutil.get_data` does, which takes longer to load than to be carried out.
    spec: Any = sys.modules[package].__spec__
    place = spec.origin.rpartition("__init__")[0]
    stub = spec.loader.get_data(f"{place}__init__.pyi").decode()
    imports = re.findall(r"^from (\S+) import (\([^)]*\)|.*)$", stub, re.MULTILINE)
    return {
        name: home for home, names in imports for name in re.findall(r"(\w+) as", names)
    }
